import { Command } from 'commander';
import { deedOf } from '../installation/open-installation';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure } from '../output/cli-failure';
import { present, remark } from '../output/terminal';

export function migrateCommand(config: CliConfig): Command {
  return new Command('migrate')
    .description(
      'Migrates the database of DATABASE_URL to the newest schema and restores missing roles, grants and policies. ' +
        'Run it as the owner of the tables.',
    )
    .option(
      '--logins',
      'also create the logins given by the *_DATABASE_URL variables, or update their passwords',
    )
    .option('--json', 'print a single JSON document on standard output')
    .action(async ({ json, logins }: { json?: boolean; logins?: boolean }) => {
      const { migrateInstallation, NO_BACKUP_ROLE } = await import('../installation/migrate-installation.js');
      const { hasBackupRole, missing, ...done } = await migrateInstallation(
        ownerUrl(config),
        logins ? config.serviceDatabaseUrls : null,
        deedOf(config),
      );
      present(json ?? false, done, () =>
        [
          done.migrations.length === 0
            ? 'The schema is up to date.'
            : done.migrations.map((name) => `ran ${name}`).join('\n'),
          ...done.restored.map((what) => `restored: ${what}`),
          ...done.logins.map((service) => `login of ${service} is in place`),
        ].join('\n'),
      );
      if (missing.length > 0)
        remark(`outcomes: logins not put in place, because they are not set: ${missing.join(', ')}.`);
      if (!hasBackupRole) remark(NO_BACKUP_ROLE);
    });
}

export function serviceLoginsCommand(config: CliConfig): Command {
  return new Command('service-logins')
    .description(
      'Creates a login role with a new password for each service and prints the URLs. Keep them secret.',
    )
    .option('--json', 'print a single JSON document on standard output')
    .action(async ({ json }: { json?: boolean }) => {
      const { makeServiceLogins } = await import('../installation/migrate-installation.js');
      const logins = await makeServiceLogins(ownerUrl(config), deedOf(config));
      present(json ?? false, { logins }, () =>
        Object.entries(logins)
          .map(([service, url]) => `${service} ${url}`)
          .join('\n'),
      );
    });
}

function ownerUrl({ ownerDatabaseUrl }: CliConfig): string {
  if (!ownerDatabaseUrl)
    throw new CliFailure('no database: set DATABASE_URL to the URL of the owner of the tables.');
  return ownerDatabaseUrl;
}
