import { Command } from 'commander';
import type { CliConfig } from '../outcomes-cli.config';

export function quickstartCommand(config: CliConfig): Command {
  return new Command('quickstart')
    .description('Creates the demonstration company of "npm start" and reports what was found in it.')
    .requiredOption('--state <file>', 'file for its progress')
    .requiredOption('--output <file>', 'file to write addresses, company and key to, as JSON')
    .action(async (options: { state: string; output: string }) => {
      const { runQuickstart } = await import('../quickstart/run-quickstart.js');
      await runQuickstart(config, options);
    });
}
