import type { ClaimRecord, Recommendation } from '@outcomes/contracts';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../api/console.query';
import { Failure } from '../shell/answer.panel';
import { dayOf, plain, times, whole } from '../words.format';

interface Props {
  readonly company: string;
  readonly findings: readonly Recommendation[];
}

/** Every finding as a line that leads to its page: since when it is claimed, how large it is, of how many messages. */
export function FindingLines({ company, findings }: Props) {
  const record = useAnswer<ClaimRecord>(company, 'claims');
  const sinceOf = (own: string) => record.data?.standing.find(({ code }) => code === own)?.since;
  return (
    <>
      {record.error && (
        <>
          <p>Since when this is claimed is not known:</p>
          <Failure error={record.error} retry={() => void record.refetch()} />
        </>
      )}
      <ul>
        {findings.map(({ code, title, evidence_tier, evidence, sample_size }) => {
          const since = sinceOf(code);
          return (
            <li key={code} data-finding={code}>
              <Link to="/c/$company/findings/$code" params={{ company, code }}>
                {plain(title)}
              </Link>
              : {evidence_tier}
              {since !== undefined && ` since ${dayOf(since)}`},{' '}
              {evidence ? (
                <>
                  odds ratio {times(evidence.odds_ratio)} ({times(evidence.odds_ratio_low)} to{' '}
                  {times(evidence.odds_ratio_high)})
                </>
              ) : (
                'how large it is follows with the next analysis'
              )}
              , n {whole(sample_size)}
            </li>
          );
        })}
      </ul>
    </>
  );
}
