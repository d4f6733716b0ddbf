import { ROLES, type Role } from '@outcomes/contracts';
import { Command, InvalidArgumentError } from 'commander';
import { scopeOf, withInstallation } from '../installation/open-installation';
import type { CliConfig } from '../outcomes-cli.config';
import { pico, present, table } from '../output/terminal';

interface CreateOptions {
  readonly company: string;
  readonly email: string;
  readonly role: Role;
  readonly json?: boolean;
}

export function userCommand(config: CliConfig): Command {
  const command = new Command('user').description(
    'Creates people who sign in to the console, and lists them.',
  );
  command
    .command('create')
    .description('Lets somebody into a company; a new account gets a password, which is shown this once.')
    .requiredOption('--company <id>', 'company to let into')
    .requiredOption('--email <address>', 'address to sign in with')
    .option('--role <role>', `one of ${ROLES.join(', ')}`, roleOf, 'owner')
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action((options: CreateOptions) => createUser(config, options));
  command
    .command('reset')
    .description('Gives an account another password, shown this once, and ends all its sessions.')
    .argument('<address>', 'address of the account')
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(async (address: string, { json }: { json?: boolean }) => {
      const reset = await withInstallation(config, ({ accounts, deed }) =>
        accounts.resetPassword(address, undefined, deed),
      );
      present(json ?? false, reset, () => `Password  ${pico.bold(reset.password)}\nAll sessions have ended.`);
    });
  command
    .command('list')
    .description('Lists the people of a company, and invitations that are open.')
    .requiredOption('--company <id>', 'company whose people to list')
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action((options: { company: string; json?: boolean }) => listUsers(config, options));
  return command;
}

async function createUser(config: CliConfig, { company, email, role, json }: CreateOptions): Promise<void> {
  const user = await withInstallation(config, ({ accounts, deed }) =>
    accounts.createUser(scopeOf(company), { email, role }, deed),
  );
  present(json ?? false, user, () =>
    [
      `Address   ${user.email}`,
      `Role      ${user.role}`,
      user.password === null
        ? 'The address has an account; its password stays.'
        : `Password  ${pico.bold(user.password)}\nKeep it: it is not stored and cannot be shown again.`,
    ].join('\n'),
  );
}

async function listUsers(
  config: CliConfig,
  { company, json }: { company: string; json?: boolean },
): Promise<void> {
  const listed = await withInstallation(config, ({ people }) => people.list(scopeOf(company)));
  const rows = [
    ...listed.people.map(({ email, role, since }) => [email, role, `since ${since.toISOString()}`]),
    ...listed.invitations.map(({ email, role, expiresAt }) => [
      ...[email, role],
      `invited until ${expiresAt.toISOString()}`,
    ]),
  ];
  present(json ?? false, listed, () =>
    rows.length === 0
      ? 'Nobody may sign in to this company. "outcomes user create --company ID --email ADDRESS" lets somebody in.'
      : table(['address', 'role', ''], rows),
  );
}

function roleOf(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (!role) throw new InvalidArgumentError(`Allowed: ${ROLES.join(', ')}.`);
  return role;
}
