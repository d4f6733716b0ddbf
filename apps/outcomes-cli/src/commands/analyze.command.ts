import { recordAdministration } from '@outcomes/audit';
import { Command } from 'commander';
import { scopeOf, withInstallation } from '../installation/open-installation';
import { requestAnalysis } from '../installation/request-analysis';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure } from '../output/cli-failure';
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
    .description('Runs the analysis of a company now, beside the daily schedule.')
    .requiredOption('--company <id>', 'company to analyse')
    .option('--wait', 'return when the run has ended, not when it has started')
    .option('--patience <seconds>', 'give up when no worker has done anything for so long', secondsOf, 60)
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(async ({ company, wait, patience, json }: Options) => {
      const run = await withInstallation(config, async (installation) => {
        const { database, deed } = installation;
        const scope = scopeOf(company);
        await database.transaction(scope, async (transaction) => {
          const { client, companyId } = transaction;
          const known = await client.query('SELECT FROM companies WHERE company_id = $1', [companyId]);
          if (known.rowCount === 0)
            throw new CliFailure(`there is no company ${companyId}; "outcomes company list" shows them.`);
          const entry = {
            ...deed,
            action: 'analysis.request',
            subject: null,
            occurredAt: new Date(),
          } as const;
          await recordAdministration(transaction, entry);
        });
        return requestAnalysis(installation, scope, {
          untilEnd: wait ?? false,
          patienceSeconds: patience,
        });
      });
      present(json ?? false, run, () => `Run ${run.runId}: ${run.state}.`);
      if (run.state === 'failed') process.exitCode = 1;
    });
}
