import { ROLES, type Role } from '@outcomes/contracts';
import { Command, InvalidArgumentError } from 'commander';
import { scopeOf, withInstallation } from '../installation/open-installation';
import type { CliConfig } from '../outcomes-cli.config';
import { pico, present, table } from '../output/terminal';

interface CreateOptions {
  readonly company: string;
  readonly email: string;
  readonly role: Role;
  readonly existing?: boolean;
  readonly json?: boolean;
}

interface InviteOptions {
  readonly company: string;
  readonly email: string;
  readonly role?: Role;
  readonly relink?: boolean;
  readonly json?: boolean;
}

export function userCommand(config: CliConfig): Command {
  const command = new Command('user').description('Creates and lists console users.');
  command
    .command('create')
    .description(
      'Gives a person access to a company. A new account gets a password, which is shown only once. Somebody who has an account and is not in the company is invited instead.',
    )
    .requiredOption('--company <id>', 'company to give access to')
    .requiredOption('--email <address>', 'address to sign in with')
    .option('--role <role>', `one of ${ROLES.join(', ')}`, roleOf, 'owner')
    .option('--existing', 'let in whoever signs in to the account that the address has already')
    .option('--json', 'print a single JSON document on standard output')
    .action((options: CreateOptions) => createUser(config, options));
  command
    .command('invite')
    .description(
      'Invites a person to a company, and prints the link only once. Where people sign in at an identity provider, this is how the first owner comes in, and how an account that was made here before is signed in to there.',
    )
    .requiredOption('--company <id>', 'company to give access to')
    .requiredOption('--email <address>', 'address to invite; the provider has to have verified it')
    .option(
      '--role <role>',
      `one of ${ROLES.join(', ')}; by default owner, and of somebody who is in the company the present role`,
      roleOf,
    )
    .option('--relink', 'give the account of the address to another identity at the provider than before')
    .option('--json', 'print a single JSON document on standard output')
    .action((options: InviteOptions) => inviteUser(config, options));
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

async function createUser(
  config: CliConfig,
  { company, email, role, existing, json }: CreateOptions,
): Promise<void> {
  const user = await withInstallation(config, async ({ accounts, deed }) =>
    (await accounts).createUser(scopeOf(company), { email, role, takesExisting: existing }, deed),
  );
  present(json ?? false, user, () =>
    [
      `Address   ${user.email}`,
      `Role      ${user.role}`,
      user.password === null
        ? 'The address already has an account: whoever signs in to it has this role. Its password is unchanged.'
        : `Password  ${pico.bold(user.password)}\nKeep it: it is not stored and cannot be shown again.`,
    ].join('\n'),
  );
}

async function inviteUser(
  config: CliConfig,
  { company, email: address, role: wanted, relink, json }: InviteOptions,
): Promise<void> {
  const { token, ...invitation } = await withInstallation(config, async ({ accounts, deed }) =>
    (await accounts).inviteUser(scopeOf(company), { email: address, role: wanted, relinks: relink }, deed),
  );
  const { email, role, expiresAt } = invitation;
  // Behind the #: browsers send that nowhere.
  const link = new URL(`/invite#${token}`, config.consoleUrl).href;
  present(json ?? false, { ...invitation, link }, () =>
    [
      `Address   ${email}`,
      `Role      ${role}`,
      `Link      ${pico.bold(link)}`,
      `Send it to the person: it works once, until ${expiresAt.toISOString()}, and cannot be shown again.`,
    ].join('\n'),
  );
}

async function listUsers(
  config: CliConfig,
  { company, json }: { company: string; json?: boolean },
): Promise<void> {
  const listed = await withInstallation(config, async ({ people, requireCompany }) => {
    const found = await (await people).list(scopeOf(company));
    if (found.people.length + found.invitations.length === 0) await requireCompany(company);
    return found;
  });
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
