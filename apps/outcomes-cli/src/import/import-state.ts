import { createHash } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

export interface ImportTotals {
  /** Of the file, from its beginning, that are settled. */
  readonly rows: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
}

const NOTHING: ImportTotals = { rows: 0, accepted: 0, duplicates: 0, rejected: 0 };

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
