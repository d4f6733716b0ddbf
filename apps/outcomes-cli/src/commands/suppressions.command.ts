import { Command } from 'commander';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure } from '../output/cli-failure';
import { present } from '../output/terminal';
import { exportSuppressions } from '../suppressions/export-suppressions';

interface Options {
  readonly cursor?: string;
  readonly key?: string;
  readonly url?: string;
  readonly json?: boolean;
}

export function suppressionsCommand(config: CliConfig): Command {
  const command = new Command('suppressions').description('Says who must not be written to.');
  command
    .command('export')
    .description(
      'Writes everybody who must not be written to as CSV: identifiers and hashes of addresses, why and since when. With --cursor it writes what has changed since, removals too.',
    )
    .argument('<file>', 'file to write')
    .option('--cursor <cursor>', 'nextCursor of the export before')
    .option('--key <key>', 'API key (default: OUTCOMES_API_KEY, else the local quickstart key)')
    .option('--url <url>', `address of read-api (default: ${config.readApiUrl})`)
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(async (file: string, { cursor, key, url, json }: Options) => {
      const apiKey = key ?? config.apiKey;
      if (!apiKey) throw new CliFailure('no API key: give --key, or set OUTCOMES_API_KEY.');
      const readApiUrl = url ?? config.readApiUrl;
      const written = await exportSuppressions(file, { readApiUrl, apiKey, cursor });
      present(json ?? false, written, () =>
        [
          `${written.entries} entries in ${written.file}`,
          `What changes from now on: --cursor ${written.nextCursor}`,
        ].join('\n'),
      );
    });
  return command;
}
