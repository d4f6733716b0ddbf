import { createHash, randomBytes } from 'node:crypto';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { BACKUP_ROLE, GROUP_ROLES } from '../protection/group-roles';

/** Each service's login role, and the group whose grants it inherits. None owns a table or bypasses policies. */
export const SERVICE_LOGINS = {
  readApi: { role: 'outcomes_read_api', group: 'outcomes_reader' },
  ingestApi: { role: 'outcomes_ingest_api', group: 'outcomes_ingest' },
  mcpGateway: { role: 'outcomes_mcp_gateway', group: 'outcomes_reader' },
  analysisWorker: { role: 'outcomes_analysis_worker', group: 'outcomes_worker' },
  console: { role: 'outcomes_console_app', group: 'outcomes_console' },
  cli: { role: 'outcomes_cli', group: 'outcomes_admin' },
} as const;

export type ServiceLogin = keyof typeof SERVICE_LOGINS;

/** Logins that an installation can be given: those of the services, and the one that backups are read with. */
export type InstallationLogin = ServiceLogin | 'backup';

const GROUPS: Readonly<Record<InstallationLogin, string>> = {
  ...(Object.fromEntries(Object.entries(SERVICE_LOGINS).map(([name, { group }]) => [name, group])) as Record<
    ServiceLogin,
    string
  >),
  backup: BACKUP_ROLE,
};

/** Begins what is written down of a login: whose it is. The name of its database follows. tools/local reads it, too. */
const MARK = 'Login of the database ';
const WRONG_PASSWORD = '28P01';
const INSUFFICIENT_PRIVILEGE = '42501';

/** A login that another database of the cluster works with: its password is not ours to change. */
export class ForeignLoginError extends Error {
  constructor(
    readonly role: string,
    readonly database: string,
  ) {
    super(
      `The role ${role} is a login of the database ${database}, and its password is another one. ` +
        'Name another role in the URL of this installation, or give it that password.',
    );
    this.name = 'ForeignLoginError';
  }
}

/** The owner may not hand on the rights of a group. From Postgres 16 on that takes more than the right to create roles. */
export class GroupNotOursError extends Error {
  constructor(owner: string, group: string, options: ErrorOptions) {
    const groups = group === BACKUP_ROLE ? group : GROUP_ROLES.join(', ');
    super(
      `${owner} may not give logins the rights of ${group}, which another role of this server made. ` +
        `Have that role or a superuser run "GRANT ${groups} TO ${escapeIdentifier(owner)} WITH ADMIN OPTION", and run this again.`,
      options,
    );
    this.name = 'GroupNotOursError';
  }
}

interface Login {
  readonly url: string;
  readonly role: string;
  readonly password: string;
  readonly group: string;
}

/**
 * Makes the login roles of an installation, each with a fresh random password. Where another database of the cluster
 * has a login of the usual name, the name gets an ending of its own.
 * @param url - Postgres URL of a role that may create roles
 * @returns the URL each service connects with; passwords stand nowhere else
 */
export async function createServiceLogins(url: string): Promise<Record<ServiceLogin, string>> {
  return asOwner(url, async (client, database) => {
    const urls = {} as Record<ServiceLogin, string>;
    for (const [name, { role, group }] of Object.entries(SERVICE_LOGINS)) {
      const isForeign = (await ownerOf(client, role, group, database)) !== undefined;
      const login = new URL(url);
      login.username = isForeign ? `${role}_${shortened(database)}` : role;
      login.password = randomBytes(24).toString('base64url');
      urls[name as ServiceLogin] = login.toString();
      await ensureLogin(client, database, { ...credentialsOf(name, urls[name as ServiceLogin]), group });
    }
    return urls;
  });
}

/**
 * Makes sure that each service can connect with the URL it was given: the role exists, has that password and the
 * rights of its service, and no more. Running it again changes nothing, not even the stored form of a password; a new
 * password or role name is taken over, which is how credentials are rotated. A role that is no longer named stays until it is dropped.
 * @param url - Postgres URL of a role that may create roles
 * @param logins - Postgres URLs with user and password, by service; services left out are left alone
 * @throws RangeError naming the service (never the URL) whose URL lacks a user or a password, or names a group role
 * @throws ForeignLoginError where a role is the login of another database of the cluster
 * @throws GroupNotOursError where another owner of the cluster made the groups and did not let this one hand them on
 */
export async function ensureServiceLogins(
  url: string,
  logins: Partial<Record<InstallationLogin, string>>,
): Promise<void> {
  const wanted = Object.entries(logins).map(([name, login]) => ({
    ...credentialsOf(name, login),
    group: GROUPS[name as InstallationLogin],
  }));
  await asOwner(url, async (client, database) => {
    for (const login of wanted) await ensureLogin(client, database, login, url);
  });
}

/** @param directUrl - of the owner, where a password may be the one that is set; undefined for a fresh one */
async function ensureLogin(
  client: Client,
  database: string,
  login: Login,
  directUrl?: string,
): Promise<void> {
  const { role, password, group } = login;
  const name = escapeIdentifier(role);
  const owner = await ownerOf(client, role, group, database);
  // One that two installations share on purpose works as it is, and stays as it is.
  if (owner !== undefined && (await isRefused(login.url))) throw new ForeignLoginError(role, owner);
  await client.query(`DO $$ BEGIN
    CREATE ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`);
  if (owner === undefined) {
    // The same password would be stored with another salt, and a pooler that logs in by a copy of the stored one be refused.
    if (directUrl === undefined || !(await isPassword(directUrl, login)))
      await client.query(`ALTER ROLE ${name} PASSWORD ${escapeLiteral(password)}`);
    await client.query(`COMMENT ON ROLE ${name} IS ${escapeLiteral(`${MARK}${database}`)}`);
    // Statements that look each of hundreds of rows up by an index seem dear to the planner, which would compile them each
    // time: who of 500 contacts may be written to took 127 ms and more on Postgres 15, and 24 ms without.
    await client.query(`ALTER ROLE ${name} SET jit = off`);
  }
  await joinGroup(client, role, group);
  // Where it was taken from PUBLIC, as befits a server of several installations.
  const { rows } = await client.query<{ may: boolean }>(
    `SELECT has_database_privilege($1::name, $2::text, 'CONNECT') AS may`,
    [role, database],
  );
  if (!rows[0]?.may) await client.query(`GRANT CONNECT ON DATABASE ${escapeIdentifier(database)} TO ${name}`);
}

async function joinGroup(client: Client, role: string, group: string): Promise<void> {
  try {
    await client.query(`GRANT ${escapeIdentifier(group)} TO ${escapeIdentifier(role)}`);
  } catch (cause) {
    if (!(cause instanceof Error) || !('code' in cause) || cause.code !== INSUFFICIENT_PRIVILEGE) throw cause;
    const { rows } = await client.query<{ name: string }>('SELECT current_user AS name');
    throw new GroupNotOursError(rows[0]?.name ?? '', group, { cause });
  }
}

export interface LoginFromElsewhere {
  readonly role: string;
  /** Whose login it is. */
  readonly database: string;
}

/**
 * Logins that other installations on the server were given, and that may connect to this database all the same: they are in
 * the groups that hold the grants here, so that they read and change what is in it.
 * @param client - of any login
 */
export async function loginsFromElsewhere(client: Pick<Client, 'query'>): Promise<LoginFromElsewhere[]> {
  const { rows } = await client.query<LoginFromElsewhere>(
    `SELECT r.rolname AS role, d.datname AS database FROM pg_roles r
       JOIN pg_database d ON shobj_description(r.oid, 'pg_authid') = $1 || d.datname
     WHERE r.rolcanlogin AND d.datname <> current_database()
       AND has_database_privilege(r.oid, current_database(), 'CONNECT')
       AND EXISTS (SELECT FROM pg_roles g WHERE g.rolname = ANY ($2) AND pg_has_role(r.oid, g.oid, 'MEMBER'))
     ORDER BY 1`,
    [MARK, [...GROUP_ROLES, BACKUP_ROLE]],
  );
  return rows;
}

/**
 * @returns the other database whose login a role is; undefined where it is ours, nobody's, or not there. One made
 * before logins were marked is taken for another's where another database has tables that its group may read.
 */
async function ownerOf(
  client: Client,
  role: string,
  group: string,
  database: string,
): Promise<string | undefined> {
  const { rows } = await client.query<{ mark: string | null; other: string | null }>(
    `SELECT substr(shobj_description(r.oid, 'pg_authid'), $2) AS mark,
       (SELECT min(d.datname) FROM pg_shdepend s JOIN pg_database d ON d.oid = s.dbid
        WHERE s.refclassid = 'pg_authid'::regclass AND d.datname <> $3
          AND s.refobjid = (SELECT oid FROM pg_roles WHERE rolname = $4)) AS other
     FROM pg_roles r WHERE r.rolname = $1`,
    [role, MARK.length + 1, database, group],
  );
  const [found] = rows;
  if (!found) return undefined;
  if (found.mark === null) return found.other ?? undefined;
  if (found.mark === database) return undefined;
  // What a database that is gone has left may be taken over.
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [found.mark]);
  return rowCount === 0 ? undefined : found.mark;
}

/** Whether Postgres itself asks for a login's password, and takes this one. */
async function isPassword(directUrl: string, { role, password }: Login): Promise<boolean> {
  const url = new URL(directUrl);
  url.username = encodeURIComponent(role);
  const client = new Client({ connectionString: url.toString(), connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  let isAsked = false;
  // Where Postgres trusts whoever comes, any would do.
  const tell = () => {
    isAsked = true;
    return password;
  };
  Object.assign(client, { password: tell });
  try {
    await client.connect();
    return isAsked;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Whether Postgres refuses a login for its password; any other failure says nothing about whose it is. */
async function isRefused(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === WRONG_PASSWORD;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function asOwner<Result>(
  url: string,
  work: (client: Client, database: string) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 10_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
    return await work(client, rows[0]?.name ?? '');
  } finally {
    await client.end();
  }
}

/** Ten characters that stand for a name: a role's name may have 63 bytes. */
function shortened(database: string): string {
  return createHash('sha256').update(database).digest('hex').slice(0, 10);
}

function credentialsOf(name: string, url: string): Omit<Login, 'group'> {
  const parsed = URL.parse(url);
  if (!parsed?.username || !parsed.password) {
    throw new RangeError(`The URL of ${name} must name a user and a password.`);
  }
  const [role, password] = [decodeURIComponent(parsed.username), decodeURIComponent(parsed.password)];
  if ([...GROUP_ROLES, BACKUP_ROLE].some((group) => group === role))
    throw new RangeError(`The URL of ${name} names ${role}, which holds grants and has no password.`);
  return { url, role, password };
}
