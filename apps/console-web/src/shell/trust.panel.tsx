import { DAY_MS, type ResultFrame, type Trust } from '@outcomes/contracts';
import { forPeople, limitsInWords } from '../code-words.format';
import { dayOf, momentOf } from '../words.format';

interface Props {
  readonly answer: Pick<ResultFrame, 'alerts' | 'data_as_of' | 'newest_outcome_at'> &
    Pick<Trust, 'posteriors_trustworthy' | 'recommended_action'>;
}

/** Of when the numbers are, what limits them, and what to do where nobody should act on them. */
export function TrustLine({ answer }: Props) {
  const { alerts, posteriors_trustworthy, recommended_action, data_as_of, newest_outcome_at } = answer;
  return (
    <>
      <p className="quiet">
        {data_as_of === null ? 'Nothing has been analysed yet.' : `Data up to ${momentOf(data_as_of)}.`}
        {isOlder(newest_outcome_at, data_as_of) && ` The newest outcome is of ${dayOf(newest_outcome_at)}.`}
      </p>
      {!posteriors_trustworthy && (
        <p>
          <strong>{forPeople(recommended_action)}</strong>
        </p>
      )}
      {limitsInWords(alerts).map((limit) => (
        <p key={limit}>{limit}</p>
      ))}
    </>
  );
}

/** What was received today may tell of last spring. */
function isOlder(newest: string | null, received: string | null): newest is string {
  return newest !== null && received !== null && Date.parse(received) - Date.parse(newest) > DAY_MS;
}
