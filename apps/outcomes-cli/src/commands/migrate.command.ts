import { BACKUP_ROLE, bringUp, createServiceLogins, ensureServiceLogins } from '@outcomes/persistence';
import { Command } from 'commander';
import { deedOf } from '../installation/open-installation';
import { recordAsOwner } from '../installation/record-as-owner';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure } from '../output/cli-failure';
import { present, remark } from '../output/terminal';

export function migrateCommand(config: CliConfig): Command {
  return new Command('migrate')
    .description(
      'Brings the database of DATABASE_URL to the newest schema, and puts back what is missing of its roles, grants ' +
        'and policies. Run it as the owner of the tables.',
    )
    .option(
      '--logins',
      'also make the logins that the *_DATABASE_URL variables name, or take over their passwords',
    )
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(async ({ json, logins }: { json?: boolean; logins?: boolean }) => {
      const { migrations, restored, hasBackupRole } = await bringUp(ownerUrl(config));
      if (logins) await ensureServiceLogins(ownerUrl(config), loginsToMake(config, hasBackupRole));
      const made = logins ? Object.keys(loginsToMake(config, hasBackupRole)) : [];
      if (migrations.length + restored.length + made.length > 0)
        await recordAsOwner(ownerUrl(config), {
          ...{ ...deedOf(config), action: 'schema.migrate', subject: null, occurredAt: new Date() },
          details: {
            ...{ migrations: migrations.length, newest: migrations.at(-1) ?? null },
            ...{ restored: restored.length, logins: made },
          },
        });
      present(json ?? false, { migrations, restored, logins: made }, () =>
        [
          migrations.length === 0
            ? 'The schema is the newest already.'
            : migrations.map((name) => `ran ${name}`).join('\n'),
          ...restored.map((what) => `put back: ${what}`),
          ...made.map((service) => `login of ${service} is in place`),
        ].join('\n'),
      );
      if (!hasBackupRole) remark(NO_BACKUP_ROLE);
    });
}

const NO_BACKUP_ROLE = `outcomes: there is no role to read backups with, because only a superuser may make it. \
Have one run "CREATE ROLE ${BACKUP_ROLE} NOLOGIN BYPASSRLS" and "GRANT ${BACKUP_ROLE} TO" the owner "WITH ADMIN OPTION", \
and run this again.`;

/** Without its role, the login for backups waits for the next time. */
function loginsToMake({ serviceDatabaseUrls: { backup, ...services } }: CliConfig, hasBackupRole: boolean) {
  return backup !== undefined && hasBackupRole ? { ...services, backup } : services;
}

export function serviceLoginsCommand(config: CliConfig): Command {
  return new Command('service-logins')
    .description('Makes a login role with a fresh password for each service, and prints their URLs. Secret.')
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(async ({ json }: { json?: boolean }) => {
      const logins = await createServiceLogins(ownerUrl(config));
      await recordAsOwner(ownerUrl(config), {
        ...{ ...deedOf(config), action: 'logins.create', subject: null, occurredAt: new Date() },
        details: { logins: Object.keys(logins) },
      });
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
