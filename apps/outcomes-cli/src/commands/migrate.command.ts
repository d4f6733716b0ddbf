import { createServiceLogins, ensureServiceLogins, migrateDatabase } from '@outcomes/persistence';
import { Command } from 'commander';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure } from '../output/cli-failure';
import { present } from '../output/terminal';

export function migrateCommand(config: CliConfig): Command {
  return new Command('migrate')
    .description(
      'Brings the database of DATABASE_URL to the newest schema. Run it as the owner of the tables.',
    )
    .option(
      '--logins',
      'also make the logins that the *_DATABASE_URL variables name, or take over their passwords',
    )
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(async ({ json, logins }: { json?: boolean; logins?: boolean }) => {
      const ran = await migrateDatabase(ownerUrl(config));
      if (logins) await ensureServiceLogins(ownerUrl(config), config.serviceDatabaseUrls);
      const made = logins ? Object.keys(config.serviceDatabaseUrls) : [];
      present(json ?? false, { migrations: ran, logins: made }, () =>
        [
          ran.length === 0
            ? 'The schema is the newest already.'
            : ran.map((name) => `ran ${name}`).join('\n'),
          ...made.map((service) => `login of ${service} is in place`),
        ].join('\n'),
      );
    });
}

export function serviceLoginsCommand(config: CliConfig): Command {
  return new Command('service-logins')
    .description('Makes a login role with a fresh password for each service, and prints their URLs. Secret.')
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(async ({ json }: { json?: boolean }) => {
      const logins = await createServiceLogins(ownerUrl(config));
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
