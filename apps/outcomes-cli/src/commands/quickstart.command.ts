import { Command } from 'commander';
import type { CliConfig } from '../outcomes-cli.config';
import { runQuickstart } from '../quickstart/run-quickstart';

export function quickstartCommand(config: CliConfig): Command {
  return new Command('quickstart')
    .description('Makes the demonstration company of "npm start" and reports what was found in it.')
    .requiredOption('--state <file>', 'where its progress is kept')
    .requiredOption('--output <file>', 'where addresses, company and key are written for programs')
    .action((options: { state: string; output: string }) => runQuickstart(config, options));
}
