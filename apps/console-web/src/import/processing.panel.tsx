import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ask } from '../api/console.query';
import { AnswerPanel } from '../shell/answer.panel';
import { momentOf, whole } from '../words.format';

const EVERY_MS = 2_000;

interface Status {
  readonly batches_pending: number;
  readonly events_pending: number;
  readonly batches_parked: number;
  readonly unanalysed_since: string | null;
  readonly analysis: 'idle' | 'queued' | 'running';
  readonly last_analysis: { readonly finished_at: string | null; readonly state: string } | null;
  readonly next_analysis: { readonly at: string | null; readonly reason: string };
}

/** From stored to analysed, as it goes. */
export function ProcessingPanel({ company }: { readonly company: string }) {
  const client = useQueryClient();
  const status = useQuery({
    queryKey: ['imports/status', company],
    queryFn: () => ask<Status>(`c/${company}/imports/status`),
    refetchInterval: ({ state: { data } }) => (data && isDone(data) ? false : EVERY_MS),
    // What became of an earlier import says nothing of this one.
    gcTime: 0,
  });
  const isOver = status.data !== undefined && isDone(status.data);
  useEffect(() => {
    // Pages that were read before the import would show that there is nothing yet.
    if (isOver) void client.invalidateQueries({ queryKey: [company] });
  }, [client, company, isOver]);
  return (
    <AnswerPanel title="What becomes of it" query={status} height={96}>
      {(said) => (
        <>
          <p>
            {countingOf(said)} {analysisOf(said)}
          </p>
          {said.batches_parked > 0 && (
            <p className="fault">
              {whole(said.batches_parked)} batches failed five times and are not counted. Ask whoever runs
              this service to see why (outcomes batches list) and to queue them again (outcomes batches
              retry).
            </p>
          )}
          {isDone(said) && (
            <ul>
              <li>
                <Link to="/c/$company/findings" params={{ company }}>
                  What these messages can and cannot tell
                </Link>
              </li>
              <li>
                <Link to="/c/$company/backtest" params={{ company }}>
                  What would have been claimed when
                </Link>
              </li>
            </ul>
          )}
        </>
      )}
    </AnswerPanel>
  );
}

const isDone = ({ events_pending, unanalysed_since, analysis }: Status) =>
  events_pending === 0 && unanalysed_since === null && analysis === 'idle';

function countingOf({ events_pending, batches_parked }: Status): string {
  if (events_pending > 0) return `${whole(events_pending)} events wait to be counted.`;
  return batches_parked > 0 ? 'Everything else is counted.' : 'Everything is counted.';
}

function analysisOf({ analysis, unanalysed_since, last_analysis, next_analysis }: Status): string {
  if (analysis === 'running') return 'The analysis is running.';
  if (unanalysed_since === null)
    return `The last analysis ended ${momentOf(last_analysis?.finished_at ?? null)}.`;
  return `The analysis follows ${next_analysis.at === null ? 'soon' : `at ${momentOf(next_analysis.at)}`}.`;
}
