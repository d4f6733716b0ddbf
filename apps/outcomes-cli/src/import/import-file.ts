import { appendFile, mkdir, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { CsvAnswer } from '@outcomes/client';
import { REJECTS_COLUMNS } from '@outcomes/source-profiles';
import { csvBatches, type CsvBatch } from './csv-batches';
import { exists, importId, ImportState, withAnswer, type ImportTotals } from './import-state';
import type { SourceFile } from './open-source-file';
import { sendUntilAccepted } from './patient-client';
import { sendBatches } from './send-batches';
import { withoutFormulas } from './spreadsheet-safe';

export interface ImportOptions {
  readonly file: string;
  readonly ingestApiUrl: string;
  readonly apiKey: string;
  /** Where progress and rejects are kept. */
  readonly stateFolder: string;
  readonly onProgress: (share: number, totals: ImportTotals) => void;
  readonly onWait: (reason: string) => void;
}

export interface ImportResult extends ImportTotals {
  /** Null where nothing was rejected. */
  readonly rejectsFile: string | null;
  /** Row at which this import took up an interrupted one; 0 for a fresh one. */
  readonly resumedAtRow: number;
}

/**
 * Sends a CSV file to ingest-api in batches. Interrupted at any point, the same call goes on behind the last
 * batch that was acknowledged; a batch that is sent twice changes nothing.
 */
export async function importFile(options: ImportOptions, file: SourceFile): Promise<ImportResult> {
  await mkdir(options.stateFolder, { recursive: true });
  const id = await importId(options);
  const state = new ImportState(join(options.stateFolder, `${id}.json`));
  const rejectsFile = join(options.stateFolder, `${basename(options.file)}-${id}-rejects.csv`);
  const resumed = await state.read();
  if (resumed.rows === 0) await rm(rejectsFile, { force: true });

  let totals = resumed;
  await sendBatches(csvBatches(file, resumed.rows), {
    ...options,
    sizeOf: ({ rows }) => rows.length,
    send: (batch) => send(options, batch),
    settle: async (batch, answer) => {
      await appendRejects(rejectsFile, batch, answer);
      totals = withAnswer(totals, batch.firstRow + batch.rows.length, answer);
      await state.write(totals);
      options.onProgress(batch.share, totals);
    },
  });
  await state.remove();
  return {
    ...totals,
    rejectsFile: totals.rejected > 0 ? resolve(rejectsFile) : null,
    resumedAtRow: resumed.rows,
  };
}

function send(
  { ingestApiUrl, apiKey, onWait }: ImportOptions,
  { header, rows }: CsvBatch,
): Promise<CsvAnswer> {
  const csv = `${header}\n${rows.join('\n')}\n`;
  return sendUntilAccepted(ingestApiUrl, apiKey, (client) => client.postCsv(csv), onWait);
}

async function appendRejects(file: string, batch: CsvBatch, answer: CsvAnswer): Promise<void> {
  if (answer.errors.length === 0) return;
  const lines = new Map<number, string[]>();
  for (const { row, field, code, message } of answer.errors) {
    const faults = lines.get(row) ?? [];
    lines.set(row, [...faults, `${field || 'event'}: ${code}: ${message}`]);
  }
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const text = [...lines].map(
    ([row, faults]) =>
      `${batch.firstRow + row},${quoted(faults.join('; '))},${withoutFormulas(batch.rows[row - 1] ?? '')}\n`,
  );
  const head = (await exists(file)) ? '' : `${REJECTS_COLUMNS.join(',')},${batch.header}\n`;
  await appendFile(file, head + text.join(''), { mode: 0o600 });
}
