import { trustAuthorities, VERSION } from '@outcomes/platform/process';
import { Command, CommanderError } from 'commander';
import { analyzeCommand } from './commands/analyze.command';
import { auditCommand } from './commands/audit.command';
import { backupCommand, erasuresCommand, restoreCommand } from './commands/backup.command';
import { batchesCommand } from './commands/batches.command';
import { bootstrapCommand } from './commands/bootstrap.command';
import { companyCommand } from './commands/company.command';
import { decisionsCommand } from './commands/decisions.command';
import { doctorCommand } from './commands/doctor.command';
import { importCommand } from './commands/import.command';
import { keysCommand } from './commands/keys.command';
import { migrateCommand, serviceLoginsCommand } from './commands/migrate.command';
import { quickstartCommand } from './commands/quickstart.command';
import { sourcesCommand } from './commands/sources.command';
import { suppressionsCommand } from './commands/suppressions.command';
import { userCommand } from './commands/user.command';
import { webhooksCommand } from './commands/webhooks.command';
import { loadCliConfig } from './outcomes-cli.config';
import { failureLine } from './output/cli-failure';
import { remark } from './output/terminal';

const config = loadCliConfig();
trustAuthorities(config.trustedCaFiles);
const program = new Command('outcomes')
  .description('Runs and inspects an installation of the Outbound Outcome Intelligence Service.')
  .version(VERSION)
  .showHelpAfterError('(see --help)')
  .configureHelp({ sortSubcommands: true })
  .exitOverride();

for (const make of [
  companyCommand,
  keysCommand,
  userCommand,
  bootstrapCommand,
  importCommand,
  sourcesCommand,
  suppressionsCommand,
  webhooksCommand,
  batchesCommand,
  analyzeCommand,
  auditCommand,
  decisionsCommand,
  migrateCommand,
  backupCommand,
  restoreCommand,
  erasuresCommand,
  doctorCommand,
]) {
  program.addCommand(make(config));
}
// What `npm start` calls; of no use on its own.
program.addCommand(serviceLoginsCommand(config), { hidden: true });
program.addCommand(quickstartCommand(config), { hidden: true });

program.parseAsync().then(
  () => undefined,
  (error: unknown) => {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode;
      return;
    }
    remark(`outcomes: ${failureLine(error)}`);
    process.exitCode = 1;
  },
);
