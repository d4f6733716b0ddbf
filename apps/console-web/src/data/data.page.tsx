import type { TakenBatch, TakenBatches } from '@outcomes/contracts';
import { Link } from '@tanstack/react-router';
import { useAnswer, useMe } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { AnswerPanel } from '../shell/answer.panel';
import { ListTable } from '../shell/list.table';
import { Properties } from '../shell/properties.table';
import { counted, momentOf, whole } from '../words.format';
import { ErasureForm } from './erasure.form';

interface DataStatus {
  readonly batches_pending: number;
  readonly events_pending: number;
  readonly batches_parked: number;
  readonly events_waiting: number;
  readonly newest_event: { readonly outcome_at: string | null; readonly ingested_at: string } | null;
  readonly last_processed_at: string | null;
  readonly last_analysis: { readonly finished_at: string | null; readonly state: string } | null;
  readonly next_analysis: { readonly at: string | null; readonly reason: keyof typeof REASONS };
}

const REASONS = {
  first_data: 'the first data',
  growth: 'there is much that is new',
  daily: 'the daily run',
  requested: 'it was asked for',
} as const;

/** What came in, what became of it, and how it goes again. */
export function DataPage() {
  const { company } = usePlace();
  const me = useMe();
  const status = useAnswer<DataStatus>(company, 'data');
  const batches = useAnswer<TakenBatches>(company, 'data/batches');
  const own = me.data?.companies.find(({ companyId }) => companyId === company);
  const mayImport = own?.permissions.includes('import') === true;
  return (
    <>
      <h1>Data</h1>
      <AnswerPanel title="Where it stands" query={status} height={240}>
        {(answer) => <Properties rows={rowsOf(answer)} />}
      </AnswerPanel>
      <AnswerPanel title="Batches" query={batches} height={240}>
        {({ total, batches: rows }) =>
          rows.length === 0 ? (
            <Nothing company={company} mayImport={mayImport} />
          ) : (
            <Batches rows={rows} total={total} />
          )
        }
      </AnswerPanel>
      <section className="panel">
        <h2>Rejects</h2>
        <p>
          Events that are rejected are told to whoever sent them, at once and with the reason, and are not
          stored. An import gives them as a CSV.
        </p>
      </section>
      {own && mayImport && <ErasureForm company={own} />}
    </>
  );
}

function rowsOf({ newest_event, last_analysis, next_analysis, ...answer }: DataStatus) {
  const next = next_analysis.at === null ? 'soon' : momentOf(next_analysis.at);
  return [
    ['Last received', momentOf(newest_event?.ingested_at ?? null)],
    ['Outcome of the event received last', momentOf(newest_event?.outcome_at ?? null)],
    ['Last counted', momentOf(answer.last_processed_at)],
    [
      'Waiting to be counted',
      `${counted(answer.events_pending, 'event')} in ${counted(answer.batches_pending, 'batch', 'batches')}`,
    ],
    [
      'Failed',
      answer.batches_parked === 0
        ? 'none'
        : `${counted(answer.batches_parked, 'batch', 'batches')}, tried five times: an operator has to look`,
    ],
    ['Outcomes whose message is not known yet', whole(answer.events_waiting)],
    [
      'Last analysis',
      last_analysis === null
        ? 'never'
        : [last_analysis.state, last_analysis.finished_at && momentOf(last_analysis.finished_at)]
            .filter(Boolean)
            .join(', '),
    ],
    ['Next analysis', `${next}, because of ${REASONS[next_analysis.reason]}`],
  ] as const;
}

function Nothing({ company, mayImport }: { readonly company: string; readonly mayImport: boolean }) {
  return (
    <>
      <p>Nothing has arrived yet. A pipe sends outcomes like this, with its key:</p>
      <pre tabIndex={0} role="region" aria-label="Example">
        {
          'curl -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\\n  --data @events.json <ingest address>/ingest/events'
        }
      </pre>
      {mayImport ? (
        <Link to="/c/$company/data/import" params={{ company }}>
          Import history from a file
        </Link>
      ) : (
        <p>Ask an owner or organization admin to import history.</p>
      )}
    </>
  );
}

function Batches({ rows, total }: { readonly rows: readonly TakenBatch[]; readonly total: number }) {
  const caption =
    rows.length < total ? `The newest ${whole(rows.length)} of ${whole(total)}` : `${whole(total)} in all`;
  return (
    <ListTable label="Batches" titles={['Received', 'Events to count', 'Counted']} caption={caption}>
      {rows.map(({ batchId, receivedAt, events, processedAt, failedAttempts }) => (
        <tr key={batchId}>
          <td>{momentOf(receivedAt)}</td>
          <td className="number">{events === null ? '' : whole(events)}</td>
          <td>
            {processedAt === null ? 'not yet' : momentOf(processedAt)}
            {failedAttempts > 0 && `; ${counted(failedAttempts, 'attempt')} failed`}
          </td>
        </tr>
      ))}
    </ListTable>
  );
}
