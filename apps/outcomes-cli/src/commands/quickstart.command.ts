import { Command } from 'commander';
import type { CliConfig } from '../outcomes-cli.config';

export function quickstartCommand(config: CliConfig): Command {
  return new Command('quickstart')
    .description('Makes the demonstration company of "npm start" and reports what was found in it.')
    .requiredOption('--state <file>', 'where its progress is kept')
    .requiredOption('--output <file>', 'where addresses, company and key are written for programs')
    .action(async (options: { state: string; output: string }) => {
      const { runQuickstart } = await import('../quickstart/run-quickstart.js');
      await runQuickstart(config, options);
    });
}
