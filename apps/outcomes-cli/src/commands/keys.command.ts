import type { NewKey } from '@outcomes/auth';
import { PERMISSIONS, type Permission } from '@outcomes/contracts';
import { Command, InvalidArgumentError } from 'commander';
import { scopeOf, withInstallation } from '../installation/open-installation';
import type { CliConfig } from '../outcomes-cli.config';
import { pico, present, table } from '../output/terminal';

interface CreateOptions {
  readonly company: string;
  readonly name?: string;
  readonly permissions?: readonly Permission[];
  readonly burst?: number;
  readonly monthly?: number;
  readonly expiresDays?: number;
  readonly contact?: string;
  readonly json?: boolean;
}

export function keysCommand(config: CliConfig): Command {
  const command = new Command('keys').description('Creates, lists and revokes API keys.');
  command
    .command('create')
    .description('Creates an API key; a company has at most three active ones. The key is shown this once.')
    .requiredOption('--company <id>', 'company that the key belongs to')
    .option('--name <name>', 'what the key is for')
    .option('--permissions <list>', `some of ${PERMISSIONS.join(',')} (default: all)`, permissionsOf)
    .option('--burst <n>', 'requests per 15 minutes (default: the service setting)', wholeNumber)
    .option('--monthly <n>', 'requests per UTC month (default: the service setting)', wholeNumber)
    .option('--expires-days <n>', 'life in days, 1 to 90 (default: 90)', wholeNumber)
    .option(
      '--contact <address>',
      'e-mail address of whoever is told about it (default: the company contact)',
    )
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(({ json, ...options }: CreateOptions) => createKey(config, options, json ?? false));
  command
    .command('list')
    .description('Lists the keys of a company, newest first. Keys themselves are not stored.')
    .requiredOption('--company <id>', 'company whose keys to list')
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action((options: { company: string; json?: boolean }) => listKeys(config, options));
  command
    .command('revoke')
    .description('Ends a key for good, on every running service within a second.')
    .argument('<key-id>', 'the 16 characters after the prefix of the key')
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(async (keyId: string, { json }: { json?: boolean }) => {
      const revoked = await withInstallation(config, ({ administration }) => administration.revokeKey(keyId));
      present(json ?? false, revoked, () => `Key ${keyId} is revoked.`);
    });
  return command;
}

async function createKey(config: CliConfig, options: CreateOptions, json: boolean): Promise<void> {
  const input: NewKey = {
    name: options.name,
    permissions: options.permissions,
    burstLimit: options.burst,
    monthlyQuota: options.monthly,
    expiresDays: options.expiresDays,
    contact: options.contact,
  };
  const key = await withInstallation(config, ({ administration }) =>
    administration.createKey(scopeOf(options.company), input),
  );
  present(json, key, () =>
    [
      `API key  ${pico.bold(key.apiKey)}`,
      `Key id   ${key.keyId}`,
      `Expires  ${key.expiresAt.toISOString()}`,
      'Keep the key: it is not stored and cannot be shown again.',
    ].join('\n'),
  );
}

async function listKeys(
  config: CliConfig,
  { company, json }: { company: string; json?: boolean },
): Promise<void> {
  const keys = await withInstallation(config, ({ administration }) =>
    administration.listKeys(scopeOf(company)),
  );
  present(json ?? false, { keys }, () =>
    keys.length === 0
      ? 'This company has no key. "outcomes keys create --company ID" makes one.'
      : table(
          ['key id', 'name', 'state', 'permissions', 'expires'],
          keys.map((key) => [
            key.keyId,
            key.name,
            key.state,
            key.permissions.join(' '),
            key.expiresAt.toISOString(),
          ]),
        ),
  );
}

function permissionsOf(text: string): readonly Permission[] {
  return text.split(',').map((name) => {
    const permission = PERMISSIONS.find((known) => known === name.trim());
    if (!permission) throw new InvalidArgumentError(`Allowed: ${PERMISSIONS.join(', ')}.`);
    return permission;
  });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}
