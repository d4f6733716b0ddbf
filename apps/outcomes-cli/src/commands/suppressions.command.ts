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
  const command = new Command('suppressions').description('Exports who must not be contacted.');
  command
    .command('export')
    .description(
      'Writes everybody who must not be contacted as CSV: identifiers (recipient_ids, a JSON list) and address hashes, the reason and since when. With --cursor it writes the changes since then, including removals.',
    )
    .argument('<file>', 'file to write')
    .option('--cursor <cursor>', 'nextCursor of the previous export')
    .option('--key <key>', 'API key (default: OUTCOMES_API_KEY, else the local quickstart key)')
    .option('--url <url>', `address of read-api (default: ${config.readApiUrl})`)
    .option('--json', 'print a single JSON document on standard output')
    .action(async (file: string, { cursor, key, url, json }: Options) => {
      const apiKey = key ?? config.apiKey;
      if (!apiKey) throw new CliFailure('no API key: give --key, or set OUTCOMES_API_KEY.');
      const readApiUrl = url ?? config.readApiUrl;
      const written = await exportSuppressions(file, { readApiUrl, apiKey, cursor });
      present(json ?? false, written, () =>
        [
          `${written.entries} entries in ${written.file}`,
          `For later changes: --cursor ${written.nextCursor}`,
        ].join('\n'),
      );
    });
  return command;
}
