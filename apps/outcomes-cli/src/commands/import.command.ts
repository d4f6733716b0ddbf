import { Command } from 'commander';
import { followProcessing, type Processed } from '../import/follow-processing';
import { importFile, type ImportTotals } from '../import/import-file';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure } from '../output/cli-failure';
import { secondsOf } from '../output/options';
import { startProgress } from '../output/progress';
import { present, remark, table } from '../output/terminal';

interface Options {
  readonly key?: string;
  readonly url?: string;
  readonly stateFolder: string;
  readonly wait: boolean;
  readonly patience: number;
  readonly json?: boolean;
}

export function importCommand(config: CliConfig): Command {
  return new Command('import')
    .description(
      'Sends a CSV file of outcomes, plain or gzip and of any size, through ingest-api, and waits until everything is counted and analysed. Interrupted, the same command goes on where it stopped; sent again, nothing changes.',
    )
    .argument('<file>', 'CSV with a header row; column names are the fields of an outcome event')
    .option('--key <key>', 'API key (default: OUTCOMES_API_KEY, else the local quickstart key)')
    .option('--url <url>', `address of ingest-api (default: ${config.ingestApiUrl})`)
    .option('--state-folder <folder>', 'where progress and rejected rows are kept', '.local/imports')
    .option('--no-wait', 'return when everything is stored')
    .option('--patience <seconds>', 'give up waiting when nothing has moved for so long', secondsOf, 60)
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action((file: string, options: Options) => runImport(config, file, options));
}

async function runImport(config: CliConfig, file: string, options: Options): Promise<void> {
  const apiKey = options.key ?? config.apiKey;
  if (!apiKey) throw new CliFailure('no API key: give --key, or set OUTCOMES_API_KEY.');
  const progress = startProgress('importing', 1_000);
  try {
    const result = await importFile({
      file,
      ingestApiUrl: options.url ?? config.ingestApiUrl,
      apiKey,
      stateFolder: options.stateFolder,
      onProgress: (share, totals) => progress.update(Math.round(share * 1_000), noteOf(totals)),
      onWait: (reason) => remark(`waiting: ${reason}`),
    });
    progress.stop();
    const { accepted, duplicates, rejected, rejectsFile, resumedAtRow } = result;
    if (resumedAtRow > 0) remark(`took up an interrupted import at row ${resumedAtRow + 1}`);
    const processed: Processed = options.wait
      ? await followProcessing({
          ingestApiUrl: options.url ?? config.ingestApiUrl,
          apiKey,
          events: accepted - duplicates,
          patienceSeconds: options.patience,
        })
      : { counted: null, analysed: null };
    if (processed.remark !== undefined) remark(processed.remark);
    if (processed.isStuck) process.exitCode = 1;
    const { counted, analysed } = processed;
    present(options.json ?? false, { accepted, duplicates, rejected, rejectsFile, counted, analysed }, () =>
      [
        table(['accepted', 'of these known already', 'rejected'], [[accepted, duplicates, rejected]]),
        ...(rejectsFile ? [`Rejected rows, each with its fault: ${rejectsFile}`] : []),
      ].join('\n'),
    );
  } finally {
    progress.stop();
  }
}

function noteOf({ rows, accepted, rejected }: ImportTotals): string {
  return `${rows.toLocaleString('en')} rows, ${accepted.toLocaleString('en')} accepted, ${rejected.toLocaleString('en')} rejected`;
}
