import { Command } from 'commander';
import { withInstallation } from '../installation/open-installation';
import type { CliConfig } from '../outcomes-cli.config';
import { pico, present, table } from '../output/terminal';

interface CreateOptions {
  readonly timeZone?: string;
  readonly portalId?: string;
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
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(async (name: string, { timeZone, portalId, json }: CreateOptions) => {
      const company = await withInstallation(config, ({ administration }) =>
        administration.createCompany({ name, timeZone, portalId }),
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
