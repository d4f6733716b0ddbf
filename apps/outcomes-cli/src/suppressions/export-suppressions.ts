import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { SuppressionPage } from '@outcomes/contracts';
import { withoutFormulas } from '../import/spreadsheet-safe';
import { CliFailure } from '../output/cli-failure';
import { remark } from '../output/terminal';

export interface SuppressionExport {
  readonly file: string;
  /** Entries that were written: added, and removed ones where a cursor was given. */
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

type Entry = SuppressionPage['suppressions'][number];

const PAGE = 500;
const REQUEST_TIMEOUT_MS = 30_000;
const TRIES = 5;

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
  const partial = `${file}.partial`;
  const state = { entries: 0, cursor: options.cursor };
  try {
    await pipeline(Readable.from(linesOf(options, state)), createWriteStream(partial));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return { file, entries: state.entries, nextCursor: state.cursor ?? '' };
}

async function* linesOf(
  options: ExportOptions,
  state: { entries: number; cursor: string | undefined },
): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for (let more = true; more;) {
    const page = await pageOf(options, state.cursor);
    for (const entry of page.suppressions) {
      // Read from the beginning, the list is of those who are on it now.
      if (entry.change === 'removed' && options.cursor === undefined) continue;
      state.entries += 1;
      yield `${withoutFormulas(COLUMNS.map((column) => cellOf(entry[column])).join(','))}\r\n`;
    }
    state.cursor = page.next_cursor;
    more = page.has_more;
  }
}

function cellOf(value: Entry[keyof Entry]): string {
  const text = Array.isArray(value) ? value.join(' ') : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function pageOf(
  { readApiUrl, apiKey }: ExportOptions,
  cursor: string | undefined,
): Promise<SuppressionPage> {
  const query = new URLSearchParams({ limit: String(PAGE), ...(cursor !== undefined && { cursor }) });
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${readApiUrl}/suppressions?${query.toString()}`, {
      headers: { Authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    }).catch(() => undefined);
    const text = await response?.text();
    if (response?.status === 200) return (JSON.parse(text ?? '') as { data: SuppressionPage }).data;
    const passes = response === undefined || response.status >= 500;
    if (!passes || attempt === TRIES)
      throw new CliFailure(`${readApiUrl} answered ${response?.status ?? 'nothing'}: ${messageIn(text)}`);
    const seconds = Math.min(30, Number(response?.headers.get('retry-after') ?? 2));
    remark(`the service answers ${response?.status ?? 'nothing'}; next try in ${seconds} s`);
    await delay(seconds * 1_000);
  }
}

function messageIn(text: string | undefined): string {
  try {
    return (JSON.parse(text ?? '') as { message?: string }).message ?? 'no explanation.';
  } catch {
    return 'no explanation. Is this the address of read-api?';
  }
}
