import type { ReadAnswer } from '@outcomes/client';
import { readUntilAnswered } from '../import/patient-client';
import { CliFailure } from '../output/cli-failure';
import { csvRow } from '../output/csv-row';
import { remark } from '../output/terminal';
import { writeWholeFile } from '../output/whole-file';

export interface SuppressionExport {
  readonly file: string;
  /** Entries that were written: added, and removed ones of which an earlier export or this one has told. */
  readonly entries: number;
  /** Where the next export goes on. */
  readonly nextCursor: string;
}

export interface ExportOptions {
  readonly readApiUrl: string;
  readonly apiKey: string;
  /** Where an earlier export ended; from the beginning without. */
  readonly cursor?: string | undefined;
}

type SuppressionPage = ReadAnswer<'suppressions'>['data'];
type Entry = SuppressionPage['suppressions'][number];

const PAGE = 500;

/** Of addresses the hash alone is known, so a column of addresses there cannot be. */
const COLUMNS = [
  'change',
  'reason',
  'bounce',
  'channel',
  'since',
  'recipient_ids',
  'recipient_id_sha256',
  'email_hash',
  'changed_at',
  'suppression_id',
] as const satisfies readonly (keyof Entry)[];

/** Writes who must not be written to as CSV, from read-api: whole, or what has changed since an earlier export. */
export async function exportSuppressions(file: string, options: ExportOptions): Promise<SuppressionExport> {
  const state = { entries: 0, cursor: options.cursor };
  await writeWholeFile(file, linesOf(options, state)).catch((error: unknown) => {
    throw unwritable(file, error);
  });
  return { file, entries: state.entries, nextCursor: state.cursor ?? '' };
}

/** What the file system says names the file that nobody asked for. */
function unwritable(file: string, error: unknown): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === undefined || path === undefined) return error;
  return new CliFailure(`${file} cannot be written (${code}).`, { cause: error });
}

async function* linesOf(
  options: ExportOptions,
  state: { entries: number; cursor: string | undefined },
): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  const told = new Set<string>();
  for (let more = true; more;) {
    const page = await pageOf(options, state.cursor);
    for (const entry of page.suppressions) {
      // Read from the beginning, the list is of those who are on it now, and of those who left it while it was read.
      const isNews = options.cursor !== undefined || told.has(entry.suppression_id);
      if (entry.change === 'removed' && !isNews) continue;
      told.add(entry.suppression_id);
      state.entries += 1;
      yield `${csvRow(COLUMNS.map((column) => cellOf(entry[column])))}\r\n`;
    }
    state.cursor = page.next_cursor;
    more = page.has_more;
  }
}

/** Ids may hold any character: as a list of JSON they can be told apart, and no spreadsheet takes one for a formula. */
function cellOf(value: Entry[keyof Entry]): string {
  return Array.isArray(value) ? JSON.stringify(value) : String(value ?? '');
}

/** A long list takes more requests than a key has in a window. */
async function pageOf(
  { readApiUrl, apiKey }: ExportOptions,
  cursor: string | undefined,
): Promise<SuppressionPage> {
  const asked = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
  const { data } = await readUntilAnswered(
    readApiUrl,
    apiKey,
    (client) => client.read('suppressions', asked),
    (reason) => remark(`waiting: ${reason}`),
  );
  return data;
}
