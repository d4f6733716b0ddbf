import { createHash } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CsvAnswer, EventsAnswer } from '@outcomes/client';

export interface ImportTotals {
  /** Of the file, from its beginning, that are settled. */
  readonly rows: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  /** Opt-outs and bounces of what ingest-api rejected, which hold all the same, by outcome. */
  readonly takenAnyway: Readonly<Record<string, number>>;
  /** Why ingest-api rejected, by field and code. */
  readonly faults: Readonly<Record<string, Fault>>;
}

/** What is wrong with so many events, as ingest-api said it of the first of them. */
export interface Fault {
  readonly field: string;
  readonly code: string;
  readonly message: string;
  readonly events: number;
}

const NOTHING: ImportTotals = {
  ...{ rows: 0, accepted: 0, duplicates: 0, rejected: 0 },
  takenAnyway: {},
  faults: {},
};

/** What an import amounts to once another batch is settled. */
export function withAnswer(
  before: ImportTotals,
  rows: number,
  { accepted, duplicates, rejected, errors, taken_anyway = [] }: EventsAnswer | CsvAnswer,
): ImportTotals {
  const faults = { ...before.faults };
  for (const { field, code, message } of errors) {
    const kind = `${field}: ${code}`;
    const fault = faults[kind] ?? { field, code, message, events: 0 };
    faults[kind] = { ...fault, events: fault.events + 1 };
  }
  const takenAnyway = { ...before.takenAnyway };
  for (const { outcome } of taken_anyway) takenAnyway[outcome] = (takenAnyway[outcome] ?? 0) + 1;
  return {
    rows,
    accepted: before.accepted + accepted,
    duplicates: before.duplicates + duplicates,
    rejected: before.rejected + rejected,
    takenAnyway,
    faults,
  };
}

/** How far an import has come: always a prefix of its file. */
export class ImportState {
  /** @param file - that holds it */
  constructor(private readonly file: string) {}

  async read(): Promise<ImportTotals> {
    try {
      return { ...NOTHING, ...(JSON.parse(await readFile(this.file, 'utf8')) as ImportTotals) };
    } catch {
      return NOTHING;
    }
  }

  /** Renamed into place: a crash leaves the old state or the new one, never half of one. */
  async write(totals: ImportTotals): Promise<void> {
    await writeFile(`${this.file}.new`, JSON.stringify(totals));
    await rename(`${this.file}.new`, this.file);
  }

  async remove(): Promise<void> {
    await rm(this.file, { force: true });
  }
}

/**
 * The same file for the same key at the same service, read in the same way, is the same import; a changed file is another
 * one, and so is one that is read in another way.
 * @param ways - all that decides what its rows become; nothing for rows that go on as they are
 */
export async function importId(
  {
    file,
    ingestApiUrl,
    apiKey,
  }: { readonly file: string; readonly ingestApiUrl: string; readonly apiKey: string },
  ...ways: readonly string[]
): Promise<string> {
  const { size, mtimeMs } = await stat(file).catch(() => ({ size: 0, mtimeMs: 0 }));
  const identity = [resolve(file), size, mtimeMs, ingestApiUrl, apiKey, ...ways].join('\n');
  return createHash('sha256').update(identity).digest('hex').slice(0, 16);
}

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
