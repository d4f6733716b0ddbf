import { Command, Option } from 'commander';
import { scopeOf, withInstallation } from '../installation/open-installation';
import type { CliConfig } from '../outcomes-cli.config';
import { pico, present, table } from '../output/terminal';

interface CreateOptions {
  readonly timeZone?: string;
  readonly portalId?: string;
  readonly contact?: string;
  readonly json?: boolean;
}

interface ContactOptions {
  readonly key?: string;
  readonly set?: string;
  readonly remove?: boolean;
  readonly json?: boolean;
}

export function companyCommand(config: CliConfig): Command {
  const command = new Command('company').description('Creates and lists companies (tenants).');
  command
    .command('create')
    .description('Creates a company and its first API key. The key is shown this once.')
    .argument('<name>', 'name of the company')
    .option('--time-zone <zone>', 'IANA name; wall-clock patterns of times sent with Z use it (default: UTC)')
    .option('--portal-id <id>', 'what portals send in X-Portal-Id for this company')
    .option('--contact <address>', 'e-mail address of whoever is told what concerns its keys')
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(async (name: string, { timeZone, portalId, contact, json }: CreateOptions) => {
      const company = await withInstallation(config, ({ administration }) =>
        administration.createCompany({ name, timeZone, portalId, contact }),
      );
      present(json ?? false, company, () =>
        [
          `Company  ${company.name}`,
          `Id       ${company.companyId}`,
          `API key  ${pico.bold(company.apiKey)}`,
          'Keep the key: it is not stored and cannot be shown again.',
        ].join('\n'),
      );
    });
  command
    .command('contact')
    .description('Shows whom to tell what concerns the keys of a company, or sets it.')
    .argument('<company-id>', 'company that the keys belong to')
    .option('--key <key-id>', 'only for this key')
    .addOption(new Option('--set <address>', 'e-mail address to write to from now on').conflicts('remove'))
    .option('--remove', 'write to nobody from now on')
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action((companyId: string, options: ContactOptions) => contact(config, companyId, options));
  command
    .command('list')
    .description('Lists all companies, oldest first.')
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(async ({ json }: { json?: boolean }) => {
      const companies = await withInstallation(config, ({ administration }) =>
        administration.listCompanies(),
      );
      present(json ?? false, { companies }, () =>
        companies.length === 0
          ? 'There is no company yet. "outcomes company create NAME" makes one.'
          : table(
              ['company', 'id', 'time zone', 'created'],
              companies.map((company) => [
                company.name,
                company.companyId,
                company.timeZone,
                company.createdAt.toISOString(),
              ]),
            ),
      );
    });
  return command;
}

async function contact(
  config: CliConfig,
  companyId: string,
  { key, set, remove, json }: ContactOptions,
): Promise<void> {
  const scope = scopeOf(companyId);
  const contacts = await withInstallation(config, async ({ administration }) => {
    if (set !== undefined || remove) await administration.setContact(scope, key ?? null, set ?? null);
    const all = await administration.listContacts(scope);
    return key === undefined ? all : all.filter(({ keyId }) => keyId === key);
  });
  present(json ?? false, { contacts }, () =>
    contacts.length === 0
      ? 'There is no contact.'
      : table(
          ['for', 'contact'],
          contacts.map(({ keyId, email }) => [keyId ?? 'keys without their own', email]),
        ),
  );
}
