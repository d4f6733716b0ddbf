import type { ClaimRecord } from '@outcomes/contracts';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../api/console.query';
import { Failure } from '../shell/answer.panel';
import { dayOf, plain, times, whole } from '../words.format';
import type { Measured } from './forest.chart';

interface Props {
  readonly company: string;
  readonly findings: readonly Measured[];
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
              {since !== undefined && ` since ${dayOf(since)}`}, odds ratio {times(evidence.odds_ratio)} (
              {times(evidence.odds_ratio_low)} to {times(evidence.odds_ratio_high)}), n {whole(sample_size)}
            </li>
          );
        })}
      </ul>
    </>
  );
}
