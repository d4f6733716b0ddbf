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
  const command = new Command('user').description('Creates and lists console users.');
  command
    .command('create')
    .description(
      'Gives a person access to a company. A new account gets a password, which is shown only once.',
    )
    .requiredOption('--company <id>', 'company to give access to')
    .requiredOption('--email <address>', 'address to sign in with')
    .option('--role <role>', `one of ${ROLES.join(', ')}`, roleOf, 'owner')
    .option('--json', 'print a single JSON document on standard output')
    .action((options: CreateOptions) => createUser(config, options));
  command
    .command('reset')
    .description('Resets the password of an account, shows the new one only once, and ends all its sessions.')
    .argument('<address>', 'address of the account')
    .option('--json', 'print a single JSON document on standard output')
    .action(async (address: string, { json }: { json?: boolean }) => {
      const reset = await withInstallation(config, async ({ accounts, deed }) =>
        (await accounts).resetPassword(address, undefined, deed),
      );
      present(json ?? false, reset, () => `Password  ${pico.bold(reset.password)}\nAll sessions have ended.`);
    });
  command
    .command('list')
    .description('Lists the users of a company and open invitations.')
    .requiredOption('--company <id>', 'company whose users to list')
    .option('--json', 'print a single JSON document on standard output')
    .action((options: { company: string; json?: boolean }) => listUsers(config, options));
  return command;
}

async function createUser(config: CliConfig, { company, email, role, json }: CreateOptions): Promise<void> {
  const user = await withInstallation(config, async ({ accounts, deed }) =>
    (await accounts).createUser(scopeOf(company), { email, role }, deed),
  );
  present(json ?? false, user, () =>
    [
      `Address   ${user.email}`,
      `Role      ${user.role}`,
      user.password === null
        ? 'The address already has an account; its password is unchanged.'
        : `Password  ${pico.bold(user.password)}\nKeep it: it is not stored and cannot be shown again.`,
    ].join('\n'),
  );
}

async function listUsers(
  config: CliConfig,
  { company, json }: { company: string; json?: boolean },
): Promise<void> {
  const listed = await withInstallation(config, async ({ people }) => (await people).list(scopeOf(company)));
  const rows = [
    ...listed.people.map(({ email, role, since }) => [email, role, `since ${since.toISOString()}`]),
    ...listed.invitations.map(({ email, role, expiresAt }) => [
      ...[email, role],
      `invited until ${expiresAt.toISOString()}`,
    ]),
  ];
  present(json ?? false, listed, () =>
    rows.length === 0
      ? 'Nobody can sign in to this company yet. Add a user with "outcomes user create --company ID --email ADDRESS".'
      : table(['address', 'role', ''], rows),
  );
}

function roleOf(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (!role) throw new InvalidArgumentError(`Allowed: ${ROLES.join(', ')}.`);
  return role;
}
