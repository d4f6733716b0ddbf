import { createInterface } from 'node:readline/promises';
import { Command, Option } from 'commander';
import { deedOf, scopeOf, withInstallation } from '../installation/open-installation';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure } from '../output/cli-failure';
import { startProgress } from '../output/progress';
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

interface ExportOptions {
  readonly recipient?: string;
  readonly json?: boolean;
}

interface DeleteOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function companyCommand(config: CliConfig): Command {
  const command = new Command('company').description(
    'Creates, lists, exports and deletes companies (tenants).',
  );
  command
    .command('create')
    .description('Creates a company and its first API key. The key is shown only once.')
    .argument('<name>', 'name of the company')
    .option(
      '--time-zone <zone>',
      'IANA name; used for time-of-day patterns when times are sent with Z (default: UTC)',
    )
    .option('--portal-id <id>', 'value that portals send in X-Portal-Id for this company')
    .option('--contact <address>', 'e-mail address for notices about its keys')
    .option('--json', 'print a single JSON document on standard output')
    .action(async (name: string, { timeZone, portalId, contact, json }: CreateOptions) => {
      const company = await withInstallation(config, async ({ administration, deed }) =>
        (await administration).createCompany({ name, timeZone, portalId, contact }, deed),
      );
      present(json ?? false, company, () =>
        [
          `Company  ${company.name}`,
          `Id       ${company.companyId}`,
          `API key  ${pico.bold(company.apiKey)}`,
          `Expires  ${company.expiresAt.toISOString()}`,
          'Keep the key: it is not stored and cannot be shown again.',
        ].join('\n'),
      );
    });
  command
    .command('contact')
    .description('Shows or sets the contact for key notices of a company.')
    .argument('<company-id>', 'company that the keys belong to')
    .option('--key <key-id>', 'only for this key')
    .addOption(new Option('--set <address>', 'e-mail address of the contact').conflicts('remove'))
    .option('--remove', 'remove the contact')
    .option('--json', 'print a single JSON document on standard output')
    .action((companyId: string, options: ContactOptions) => contact(config, companyId, options));
  command
    .command('list')
    .description('Lists all companies, oldest first.')
    .option('--json', 'print a single JSON document on standard output')
    .action(async ({ json }: { json?: boolean }) => {
      const companies = await withInstallation(config, async ({ administration }) =>
        (await administration).listCompanies(),
      );
      present(json ?? false, { companies }, () =>
        companies.length === 0
          ? 'There are no companies yet. Create one with "outcomes company create NAME".'
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
  command
    .command('export')
    .description(
      'Writes everything stored about a company, or about one recipient, as one JSON document per line. Needs the ' +
        'login that reads backups: BACKUP_DATABASE_URL.',
    )
    .argument('<company-id>', 'company to export')
    .argument('<file>', 'file to write; it appears only when complete')
    .option('--recipient <id>', 'only data about this recipient, by its id in events')
    .option('--json', 'print a single JSON document on standard output')
    .action((companyId: string, file: string, options: ExportOptions) =>
      exported(config, companyId, file, options),
    );
  command
    .command('delete')
    .description(
      'Permanently deletes a company and everything stored about it. Run it as the owner of the tables. A row in the ' +
        'erasure ledger remains, so that a restored backup does not bring it back.',
    )
    .argument('<company-id>', 'company to delete')
    .option('--yes', 'skip the confirmation prompt')
    .option('--json', 'print a single JSON document on standard output')
    .action((companyId: string, options: DeleteOptions) => remove(config, companyId, options));
  return command;
}

async function exported(
  config: CliConfig,
  companyId: string,
  file: string,
  { recipient, json }: ExportOptions,
): Promise<void> {
  if (!config.backupDatabaseUrl) throw new CliFailure('no database: set BACKUP_DATABASE_URL.');
  const scope = scopeOf(companyId);
  const { exportCompany } = await import('../company/export-company.js');
  const summary = await exportCompany(
    config.backupDatabaseUrl,
    deedOf(config),
    scope.companyId,
    file,
    recipient,
  );
  present(json ?? false, summary, () => `${summary.rows} rows in ${summary.file}`);
}

async function remove(config: CliConfig, companyId: string, { yes, json }: DeleteOptions): Promise<void> {
  if (!config.ownerDatabaseUrl)
    throw new CliFailure('no database: set DATABASE_URL to the URL of the owner of the tables.');
  const scope = scopeOf(companyId);
  if (!yes) await confirm(scope.companyId);
  const { deleteCompany } = await import('../company/delete-company.js');
  const summary = await deleteCompany(config.ownerDatabaseUrl, deedOf(config), scope.companyId, (rows) =>
    startProgress('delete', rows),
  );
  present(json ?? false, summary, () => `${summary.rows} rows of ${summary.companyId} deleted.`);
}

async function confirm(companyId: string): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // A question is never answered once the input has ended, and nothing would keep the process from ending well.
  const unanswered = new Promise<never>((_resolve, reject) =>
    terminal.once('close', () =>
      reject(
        new CliFailure(
          'nothing was deleted: the id of the company was not typed. Run this in a terminal, or add --yes to delete it without being asked.',
        ),
      ),
    ),
  );
  try {
    const question = terminal.question(`This cannot be undone. Type the id of the company to delete it: `);
    const typed = await Promise.race([question, unanswered]);
    if (typed.trim().toLowerCase() !== companyId)
      throw new CliFailure('The id does not match; nothing was deleted.');
  } finally {
    terminal.close();
  }
}

async function contact(
  config: CliConfig,
  companyId: string,
  { key, set, remove, json }: ContactOptions,
): Promise<void> {
  const scope = scopeOf(companyId);
  const contacts = await withInstallation(config, async ({ administration, deed, requireCompany }) => {
    const contactsOfKeys = await administration;
    if (set !== undefined || remove) await contactsOfKeys.setContact(scope, key ?? null, set ?? null, deed);
    const all = await contactsOfKeys.listContacts(scope);
    if (all.length === 0) await requireCompany(companyId);
    return key === undefined ? all : all.filter(({ keyId }) => keyId === key);
  });
  present(json ?? false, { contacts }, () =>
    contacts.length === 0
      ? 'No contact is set.'
      : table(
          ['for', 'contact'],
          contacts.map(({ keyId, email }) => [keyId ?? 'keys without their own', email]),
        ),
  );
}
