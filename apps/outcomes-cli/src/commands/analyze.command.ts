import { Command } from 'commander';
import { scopeOf, withInstallation } from '../installation/open-installation';
import { requestAnalysis } from '../installation/request-analysis';
import type { CliConfig } from '../outcomes-cli.config';
import { present } from '../output/terminal';

export function analyzeCommand(config: CliConfig): Command {
  return new Command('analyze')
    .description('Runs the analysis of a company now, beside the daily schedule.')
    .requiredOption('--company <id>', 'company to analyse')
    .option('--wait', 'return when the run has ended, not when it has started')
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(async ({ company, wait, json }: { company: string; wait?: boolean; json?: boolean }) => {
      const run = await withInstallation(config, (installation) =>
        requestAnalysis(installation, scopeOf(company), wait ?? false),
      );
      present(json ?? false, run, () => `Run ${run.runId}: ${run.state}.`);
      if (run.state === 'failed') process.exitCode = 1;
    });
}
