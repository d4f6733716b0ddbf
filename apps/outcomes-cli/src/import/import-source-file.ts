import { appendFile, mkdir, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { EventsAnswer, OutcomeEvent, OutcomesClient } from '@outcomes/client';
import { namedEvent, type MappedRecord, type NamedEvent } from '@outcomes/source-profiles';
import { RowTally, type RowCounts } from './explain-file';
import type { ImportOptions, ImportResult } from './import-file';
import { exists, importId, ImportState, withAnswer, type ImportTotals } from './import-state';
import { sendUntilAccepted } from './patient-client';
import { mappedRows, type SourceReading, type SurveyedFile } from './read-source-file';
import { sendBatches } from './send-batches';

const EVENTS_PER_BATCH = 500;
/** Half of what a request may weigh; a row's events are never parted. */
const CHARACTERS_PER_BATCH = 4_000_000;

export interface SourceImportResult extends ImportResult, RowCounts {}

/** Events of consecutive rows. */
interface Batch {
  readonly events: readonly NamedEvent[];
  /** Of each event the row that it is from. */
  readonly rows: readonly number[];
  /** Rows that could not be read, with their faults. */
  readonly faulty: readonly Rejected[];
  readonly lastRow: number;
  readonly share: number;
}

interface Rejected {
  readonly row: number;
  readonly column: string;
  readonly code: string;
}

/**
 * Sends what a file of a tool tells to ingest-api, in batches. Interrupted at any point, the same call goes on behind the
 * last batch that was acknowledged; what is sent twice changes nothing.
 */
export async function importSourceFile(
  options: ImportOptions,
  reading: SourceReading,
  survey: SurveyedFile,
): Promise<SourceImportResult> {
  await mkdir(options.stateFolder, { recursive: true });
  const id = await importId(options, ...waysOf(reading));
  const state = new ImportState(join(options.stateFolder, `${id}.json`));
  const rejectsFile = join(options.stateFolder, `${basename(options.file)}-${id}-rejects.csv`);
  const resumed = await state.read();
  if (resumed.rows === 0) await rm(rejectsFile, { force: true });

  const tally = new RowTally();
  let totals: ImportTotals = resumed;
  await sendBatches(batchesOf(reading, survey, resumed.rows, tally), {
    ...options,
    sizeOf: ({ events }) => events.length,
    send: (batch) => send(options, batch),
    settle: async (batch, answer) => {
      const rejected = [...batch.faulty, ...answer.errors.map((error) => rejectedBy(error, batch))];
      await appendRejects(rejectsFile, rejected);
      const judged = { ...answer, rejected: answer.rejected + batch.faulty.length };
      totals = withAnswer(totals, batch.lastRow, judged);
      await state.write(totals);
      options.onProgress(batch.share, totals);
    },
  });
  await state.remove();
  for (const [outcome, count] of Object.entries(totals.takenAnyway)) tally.takeAnyway(outcome, count);
  const { told, takenAnyway, skipped, faulty } = tally;
  return {
    ...totals,
    rejectsFile: totals.rejected > 0 ? resolve(rejectsFile) : null,
    resumedAtRow: resumed.rows,
    ...{ told, takenAnyway, skipped, faulty },
  };
}

/** All that decides what a row becomes: an import of other events may not go on where this one stopped. */
function waysOf({ profile, route, own, ...reading }: SourceReading): string[] {
  const { campaign, timeZone, observedUntil, lastMessage, steps } = reading;
  const given = [campaign, timeZone, observedUntil, lastMessage, JSON.stringify(steps)].map(String);
  return [JSON.stringify(profile), route.name, ...given, JSON.stringify([...own].sort())];
}

async function* batchesOf(
  reading: SourceReading,
  survey: SurveyedFile,
  finishedRows: number,
  tally: RowTally,
): AsyncGenerator<Batch> {
  let [events, rows, faulty]: [NamedEvent[], number[], Rejected[]] = [[], [], []];
  let [weight, lastRow, lastShare] = [0, finishedRows, 0];
  const batch = (): Batch => ({ events, rows, faulty, lastRow, share: lastShare });
  for await (const { row, mapped, sticking, share } of mappedRows(reading, survey)) {
    tally.add({ mapped, sticking });
    if (row <= finishedRows) continue;
    const made = eventsIn({ mapped, sticking });
    const size = made.reduce((sum, event) => sum + JSON.stringify(event).length, 0);
    const isFull = events.length + made.length > EVENTS_PER_BATCH || weight + size > CHARACTERS_PER_BATCH;
    // The records of one mail share its row, and go together or not at all.
    if (isFull && row !== lastRow) {
      yield batch();
      [events, rows, faulty, weight] = [[], [], [], 0];
    }
    events.push(...made);
    rows.push(...made.map(() => row));
    if ('faults' in mapped) faulty.push(...mapped.faults.map(({ column, code }) => ({ row, column, code })));
    [weight, lastRow, lastShare] = [weight + size, row, share];
  }
  if (lastRow > finishedRows) yield batch();
}

function eventsIn({ mapped, sticking }: MappedRecord): NamedEvent[] {
  const made = 'events' in mapped ? [...mapped.events, ...sticking] : sticking;
  return made.map(({ event }) => namedEvent(event));
}

async function send(
  { ingestApiUrl, apiKey, onWait }: ImportOptions,
  { events }: Batch,
): Promise<EventsAnswer> {
  if (events.length === 0) return { accepted: 0, rejected: 0, duplicates: 0, errors: [] };
  // What an event may say is for the service to judge.
  const post = (client: OutcomesClient) => client.postEvents(events as readonly OutcomeEvent[]);
  return sendUntilAccepted(ingestApiUrl, apiKey, post, onWait);
}

function rejectedBy({ index, field, code }: EventsAnswer['errors'][number], { rows }: Batch): Rejected {
  return { row: rows[index] ?? 0, column: field || 'event', code };
}

/** Rows by their number alone: what stands in them is nobody's but the file's. */
async function appendRejects(file: string, rejected: readonly Rejected[]): Promise<void> {
  if (rejected.length === 0) return;
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = rejected.map(({ row, column, code }) => `${row},${quoted(column)},${code}\n`);
  const head = (await exists(file)) ? '' : 'source_row,column,code\n';
  await appendFile(file, head + lines.join(''), { mode: 0o600 });
}
