import { trustAuthorities, VERSION } from '@outcomes/platform/process';
import { Command, CommanderError } from 'commander';
import { faultOfSettings, loadCliConfig, type CliConfig } from './outcomes-cli.config';
import { CliFailure, failureLine } from './output/cli-failure';
import { remark } from './output/terminal';

type Make = (config: CliConfig) => Command;

/** The modules of the commands: a call loads the one that it names, because all take longer than many have to do. */
const COMMANDS: Readonly<Record<string, () => Promise<Make>>> = {
  analyze: async () => (await import('./commands/analyze.command.js')).analyzeCommand,
  audit: async () => (await import('./commands/audit.command.js')).auditCommand,
  backup: async () => (await import('./commands/backup.command.js')).backupCommand,
  batches: async () => (await import('./commands/batches.command.js')).batchesCommand,
  bootstrap: async () => (await import('./commands/bootstrap.command.js')).bootstrapCommand,
  company: async () => (await import('./commands/company.command.js')).companyCommand,
  decisions: async () => (await import('./commands/decisions.command.js')).decisionsCommand,
  doctor: async () => (await import('./commands/doctor.command.js')).doctorCommand,
  erasures: async () => (await import('./commands/backup.command.js')).erasuresCommand,
  import: async () => (await import('./commands/import.command.js')).importCommand,
  keys: async () => (await import('./commands/keys.command.js')).keysCommand,
  migrate: async () => (await import('./commands/migrate.command.js')).migrateCommand,
  restore: async () => (await import('./commands/backup.command.js')).restoreCommand,
  sources: async () => (await import('./commands/sources.command.js')).sourcesCommand,
  suppressions: async () => (await import('./commands/suppressions.command.js')).suppressionsCommand,
  user: async () => (await import('./commands/user.command.js')).userCommand,
  webhooks: async () => (await import('./commands/webhooks.command.js')).webhooksCommand,
};
/** What `npm start` calls; of no use on their own. */
const HIDDEN: typeof COMMANDS = {
  quickstart: async () => (await import('./commands/quickstart.command.js')).quickstartCommand,
  'service-logins': async () => (await import('./commands/migrate.command.js')).serviceLoginsCommand,
};

const config = loadCliConfig();
const program = new Command('outcomes')
  .description('Runs and inspects an installation of the Outbound Outcome Intelligence Service.')
  .version(VERSION)
  .showHelpAfterError('(see --help)')
  .configureHelp({ sortSubcommands: true })
  .exitOverride()
  .hook('preAction', prepare);

/** @throws CliFailure naming the variable that is wrong */
function prepare(): void {
  const fault = faultOfSettings();
  if (fault !== undefined) throw new CliFailure(fault);
  try {
    trustAuthorities(config.trustedCaFiles);
  } catch (error) {
    throw new CliFailure(`TRUSTED_CA_FILES: ${failureLine(error)}`, { cause: error });
  }
}

async function main(): Promise<void> {
  const [, , named = ''] = process.argv;
  const isNamed = Object.hasOwn(COMMANDS, named) || Object.hasOwn(HIDDEN, named);
  for (const commands of [COMMANDS, HIDDEN]) {
    for (const [name, load] of Object.entries(commands)) {
      if (isNamed && name !== named) continue;
      program.addCommand((await load())(config), { hidden: commands === HIDDEN });
    }
  }
  await program.parseAsync();
}

main().then(
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
