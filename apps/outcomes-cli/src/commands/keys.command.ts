import type { KeyDescription, NewKey } from '@outcomes/auth';
import { KEY_PURPOSES, PERMISSIONS, TOOL_NAMES } from '@outcomes/contracts';
import type { KeyPurpose, Permission, ToolName } from '@outcomes/contracts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { scopeOf, withInstallation } from '../installation/open-installation';
import type { CliConfig } from '../outcomes-cli.config';
import { pico, present, table } from '../output/terminal';

interface CreateOptions {
  readonly company: string;
  readonly name?: string;
  readonly for?: KeyPurpose;
  readonly permissions?: readonly Permission[];
  readonly tools?: readonly ToolName[];
  readonly networks?: readonly string[];
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
    .description(
      'Creates an API key; a company can have at most three active keys. The key is shown only once.',
    )
    .requiredOption('--company <id>', 'company that the key belongs to')
    .option('--name <name>', 'what the key is for')
    .addOption(
      new Option(
        '--for <purpose>',
        'agent: MCP and read API; ingest: send and delete events; read: read API only (default: everything)',
      ).choices(Object.keys(KEY_PURPOSES)),
    )
    .option(
      '--permissions <list>',
      `comma-separated, from ${PERMISSIONS.join(',')} (default: all of its purpose)`,
      listOf(PERMISSIONS),
    )
    .option(
      '--tools <list>',
      'the only MCP tools it may call; with --for agent (default: all)',
      listOf(TOOL_NAMES),
    )
    .option(
      '--networks <list>',
      'networks it may be used from, e.g. 203.0.113.0/24,2001:db8::/48 (default: all)',
      (text: string) => text.split(',').map((network) => network.trim()),
    )
    .option('--burst <n>', 'requests per 15 minutes (default: the service setting)', wholeNumber)
    .option('--monthly <n>', 'requests per UTC month (default: the service setting)', wholeNumber)
    .option('--expires-days <n>', 'lifetime in days, 1 to 90 (default: 90)', wholeNumber)
    .option('--contact <address>', 'e-mail address for notices about it (default: the company contact)')
    .option('--json', 'print a single JSON document on standard output')
    .action(({ json, ...options }: CreateOptions) => createKey(config, options, json ?? false));
  command
    .command('list')
    .description('Lists the keys of a company, newest first. The keys themselves are not stored.')
    .requiredOption('--company <id>', 'company whose keys to list')
    .option('--json', 'print a single JSON document on standard output')
    .action((options: { company: string; json?: boolean }) => listKeys(config, options));
  command
    .command('revoke')
    .description('Revokes a key permanently; every running service refuses it within a second.')
    .argument('<key-id>', 'the 16 characters after the prefix of the key')
    .option('--json', 'print a single JSON document on standard output')
    .action(async (keyId: string, { json }: { json?: boolean }) => {
      const revoked = await withInstallation(config, async ({ administration, deed }) =>
        (await administration).revokeKey(keyId, undefined, deed),
      );
      present(json ?? false, revoked, () => `Key ${keyId} is revoked.`);
    });
  return command;
}

async function createKey(config: CliConfig, options: CreateOptions, json: boolean): Promise<void> {
  const input: NewKey = {
    name: options.name,
    purpose: options.for,
    permissions: options.permissions,
    tools: options.tools,
    networks: options.networks,
    burstLimit: options.burst,
    monthlyQuota: options.monthly,
    expiresDays: options.expiresDays,
    contact: options.contact,
  };
  const key = await withInstallation(config, async ({ administration, deed }) =>
    (await administration).createKey(scopeOf(options.company), input, deed),
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
  const keys = await withInstallation(config, async ({ administration, requireCompany }) => {
    const found = await (await administration).listKeys(scopeOf(company));
    if (found.length === 0) await requireCompany(company);
    return found;
  });
  present(json ?? false, { keys }, () =>
    keys.length === 0
      ? 'This company has no keys. Create one with "outcomes keys create --company ID".'
      : table(
          ['key id', 'name', 'state', 'for', 'permissions', 'bound to', 'last used', 'expires'],
          keys.map((key) => [
            key.keyId,
            key.name,
            key.state,
            key.purpose ?? 'all',
            key.permissions.join(' '),
            boundsOf(key),
            key.lastUsedAt?.toISOString() ?? 'never',
            key.expiresAt.toISOString(),
          ]),
        ),
  );
}

function boundsOf({ tools, networks }: KeyDescription): string {
  return [...(tools ?? []), ...(networks ?? [])].join(' ');
}

/** @returns a reader of names with commas between, of those that there are */
function listOf<Name extends string>(names: readonly Name[]): (text: string) => readonly Name[] {
  return (text) =>
    text.split(',').map((written) => {
      const name = names.find((known) => known === written.trim());
      if (name === undefined) throw new InvalidArgumentError(`Allowed: ${names.join(', ')}.`);
      return name;
    });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}
