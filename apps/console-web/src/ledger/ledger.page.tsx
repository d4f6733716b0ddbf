import type { ClaimRecord } from '@outcomes/contracts';
import { useNavigate } from '@tanstack/react-router';
import { useAnswer } from '../api/console.query';
import { useHints, usePlace } from '../api/place.query';
import { AnswerPanel } from '../shell/answer.panel';
import { ClaimsTable, NewestOf } from './claims.table';

/** Every confirmation and retraction ever, with its date and reason. Rows are only ever added. */
export function LedgerPage() {
  const { company } = usePlace();
  const hints = useHints();
  const navigate = useNavigate();
  const record = useAnswer<ClaimRecord>(company, hints ? 'claims?hints=true' : 'claims');
  return (
    <>
      <h1>Ledger</h1>
      <p className="quiet">
        What was claimed, when, and what became of it. Nothing here is changed or taken away afterwards. Dates
        are those of the data.
      </p>
      <label className="choice" htmlFor="hints">
        <input
          id="hints"
          type="checkbox"
          checked={hints}
          onChange={({ target }) =>
            void navigate({
              to: '/c/$company/ledger',
              params: { company },
              search: target.checked ? { hints: true } : {},
            })
          }
        />{' '}
        With hints, of which nothing is claimed
      </label>
      <AnswerPanel title="Newest first" query={record} height={320}>
        {({ total, hints: hinted, claims }) => {
          if (total === 0)
            return (
              <p>
                {hinted === 0
                  ? 'Nothing has been claimed yet.'
                  : 'Nothing has been claimed yet; there were only hints.'}
              </p>
            );
          return (
            <>
              <ClaimsTable company={company} claims={claims} />
              <NewestOf total={total} listed={claims.length} />
            </>
          );
        }}
      </AnswerPanel>
    </>
  );
}
