import { Command } from 'commander';
import { scopeOf, withInstallation } from '../installation/open-installation';
import type { CliConfig } from '../outcomes-cli.config';
import { secondsOf } from '../output/options';
import { present } from '../output/terminal';

interface Options {
  readonly company: string;
  readonly wait?: boolean;
  readonly patience: number;
  readonly json?: boolean;
}

export function analyzeCommand(config: CliConfig): Command {
  return new Command('analyze')
    .description('Runs the analysis of a company now, in addition to the daily schedule.')
    .requiredOption('--company <id>', 'company to analyse')
    .option('--wait', 'return when the run has finished, not when it has started')
    .option('--patience <seconds>', 'give up after this long without any worker activity', secondsOf, 60)
    .option('--json', 'print a single JSON document on standard output')
    .action(async ({ company, wait, patience, json }: Options) => {
      const { recordRequest, requestAnalysis } = await import('../installation/request-analysis.js');
      const run = await withInstallation(config, async (installation) => {
        const scope = scopeOf(company);
        await recordRequest(installation, scope);
        return requestAnalysis(installation, scope, {
          untilEnd: wait ?? false,
          patienceSeconds: patience,
        });
      });
      present(json ?? false, run, () => `Run ${run.runId}: ${run.state}.`);
      if (run.state === 'failed') process.exitCode = 1;
    });
}
