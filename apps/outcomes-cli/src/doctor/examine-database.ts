import {
  BACKUP_ROLE,
  GROUP_ROLES,
  loginsFromElsewhere,
  migrationNames,
  protectionFaults,
} from '@outcomes/persistence';
import type { Client } from 'pg';
import { connectedLogin } from '../installation/connected-login.repository';
import { failureLine } from '../output/cli-failure';
import { fault, ok, unknown, type Finding } from './finding';

const OLDEST_POSTGRES = 150_000;
/** What services take for the same time; see MAX_CLOCK_SKEW_MS. */
const MAX_SKEW_MS = 300_000;
/** How many faults of one kind are told; the rest is counted. */
const TOLD = 5;

const MIGRATE = 'run "outcomes migrate" as the owner';

/**
 * What is true of the database whoever looks at it. One finding per check, in a fixed order.
 * @param logins - names of the logins that are meant to work here, also where they are those of another database
 */
export async function examineDatabase(client: Client, logins: readonly string[]): Promise<Finding[]> {
  return [
    await versionFinding(client),
    await primaryFinding(client),
    await clockFinding(client),
    await migrationFinding(client),
    await connectionFinding(client),
    await roleFinding(client),
    await neighbourFinding(client, logins),
    await protectionFinding(client),
    await backupFinding(client),
  ];
}

async function versionFinding(client: Client): Promise<Finding> {
  const { rows } = await client.query<{ value: string }>(
    `SELECT current_setting('server_version_num') AS value`,
  );
  const number = Number(rows[0]?.value ?? 0);
  const shown = `version ${Math.floor(number / 10_000)}.${number % 10_000}`;
  return number >= OLDEST_POSTGRES
    ? ok('postgres', shown)
    : fault('postgres', `${shown}; 15 or newer is needed`);
}

async function primaryFinding(client: Client): Promise<Finding> {
  const { rows } = await client.query<{ isStandby: boolean; isReadOnly: boolean }>(
    `SELECT pg_is_in_recovery() AS "isStandby",
       current_setting('default_transaction_read_only')::boolean AS "isReadOnly"`,
  );
  const [found] = rows;
  if (found?.isStandby)
    return fault('primary', 'this is a standby and read-only; set DATABASE_URL to the primary');
  if (found?.isReadOnly)
    return fault('primary', 'read-only: default_transaction_read_only is on; services answer 503');
  return ok('primary', 'accepts writes');
}

async function clockFinding(client: Client): Promise<Finding> {
  const before = Date.now();
  const { rows } = await client.query<{ now: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
  );
  const skewMs = (before + Date.now()) / 2 - (rows[0]?.now ?? Number.NaN);
  const shown = `this machine is ${Math.abs(skewMs / 1_000).toFixed(1)} s ${skewMs < 0 ? 'behind' : 'ahead of'} Postgres`;
  return Math.abs(skewMs) <= MAX_SKEW_MS
    ? ok('clock', shown)
    : fault('clock', `${shown}; services refuse to work with such a clock: correct it`);
}

async function migrationFinding(client: Client): Promise<Finding> {
  const known = migrationNames();
  try {
    const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations');
    const ran = new Set(rows.map(({ name }) => name));
    const missing = known.filter((name) => !ran.has(name));
    if (missing.length > 0) return fault('migrations', `missing: ${missing.join(', ')}; ${MIGRATE}`);
    const newer = ran.size - known.length;
    return ok(
      'migrations',
      `${known.length} of ${known.length} have run${newer > 0 ? `, and ${newer} of a newer version` : ''}`,
    );
  } catch (error) {
    return fault('migrations', `cannot be read (${failureLine(error)}); ${MIGRATE}`);
  }
}

/** Whoever passes row-level security sees an installation in order where nobody else does; others see no companies. */
async function connectionFinding(client: Client): Promise<Finding> {
  const { name, passes, ownsTables, administers } = await connectedLogin(client);
  const advice = 'set DATABASE_URL to the login of the command line, with which the doctor is to be run';
  if (passes) return fault('connection', `${name} bypasses row-level security; ${advice}`);
  if (ownsTables) return fault('connection', `${name} is the owner of the tables; ${advice}`);
  if (!administers) return fault('connection', `${name} sees no companies; ${advice}`);
  return ok('connection', `as ${name}, subject to row-level security`);
}

/** Those who may log in and have the rights of a service, by whatever name. */
async function roleFinding(client: Client): Promise<Finding> {
  const { rows } = await client.query<{ name: string; why: string | null }>(
    `SELECT r.rolname AS name, CASE
         WHEN r.rolsuper THEN 'is a superuser'
         WHEN r.rolbypassrls THEN 'has BYPASSRLS'
         WHEN r.rolcreaterole THEN 'may create roles'
         WHEN EXISTS (SELECT FROM pg_roles b WHERE (b.rolsuper OR b.rolbypassrls) AND pg_has_role(r.oid, b.oid, 'MEMBER'))
           THEN 'may become ' || (SELECT min(b.rolname) FROM pg_roles b
             WHERE (b.rolsuper OR b.rolbypassrls) AND pg_has_role(r.oid, b.oid, 'MEMBER'))
         WHEN EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
           AND c.relkind IN ('r', 'p') AND pg_has_role(r.oid, c.relowner, 'MEMBER')) THEN 'is or may become the owner of tables'
       END AS why
     FROM pg_roles r
     WHERE r.rolcanlogin AND CASE WHEN r.rolsuper
       THEN EXISTS (SELECT FROM pg_auth_members m JOIN pg_roles g ON g.oid = m.roleid
         WHERE m.member = r.oid AND g.rolname = ANY ($1) AND r.oid <> 10)
       ELSE EXISTS (SELECT FROM pg_roles g WHERE g.rolname = ANY ($1) AND pg_has_role(r.oid, g.oid, 'USAGE')) END
     ORDER BY 1`,
    [GROUP_ROLES],
  );
  const faulty = rows.filter(({ why }) => why !== null).map(({ name, why }) => `${name} ${why}`);
  if (rows.length === 0)
    return fault(
      'roles',
      'no login has the rights of a service; run "outcomes migrate --logins" as the owner',
    );
  return faulty.length === 0
    ? ok('roles', `${rows.length} service logins, none of which can bypass row-level security`)
    : fault('roles', `${told(faulty)}: can bypass row-level security; revoke that`);
}

/** Groups are the same in all databases of a server; what keeps installations apart is who may connect. */
async function neighbourFinding(client: Client, logins: readonly string[]): Promise<Finding> {
  const check = 'neighbours';
  const found = (await loginsFromElsewhere(client)).filter(({ role }) => !logins.includes(role));
  if (found.length === 0) return ok(check, 'no login of another installation may connect to this database');
  const { rows } = await client.query<{ name: string }>('SELECT quote_ident(current_database()) AS name');
  const name = rows[0]?.name;
  return fault(
    check,
    `${told(found.map(({ role, database }) => `${role} of ${database}`))}: may connect, with the rights of a service here; ` +
      `run as the owner "GRANT CONNECT ON DATABASE ${name} TO" each login of this installation, then ` +
      `"REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC"`,
  );
}

async function protectionFinding(client: Client): Promise<Finding> {
  const check = 'protection';
  const faults = await protectionFaults(client);
  const wanting = faults.filter(({ fix }) => fix.length > 0).map(({ what }) => what);
  const others = faults.filter(({ fix }) => fix.length === 0).map(({ what }) => what);
  if (wanting.length > 0) return fault(check, `${told([...wanting, ...others])}; ${MIGRATE} to restore them`);
  if (others.length > 0)
    return fault(check, `${told(others)}; not created by this service: find out by whom, and undo it`);
  return ok(check, 'row-level security, policies and grants are those of the schema');
}

async function backupFinding(client: Client): Promise<Finding> {
  const { rows } = await client.query<{ bypasses: boolean; isMore: boolean; members: number }>(
    `SELECT rolbypassrls AS bypasses, rolcanlogin OR rolsuper OR rolcreaterole OR rolcreatedb AS "isMore",
       (SELECT count(*)::int FROM pg_roles m WHERE m.rolcanlogin AND NOT m.rolsuper
         AND pg_has_role(m.oid, r.oid, 'MEMBER')) AS members
     FROM pg_roles r WHERE rolname = $1`,
    [BACKUP_ROLE],
  );
  const [role] = rows;
  if (!role?.bypasses)
    return unknown(
      'backup role',
      `none: only a superuser can back up; ${MIGRATE}, which says how to create it`,
    );
  return role.isMore
    ? fault('backup role', `${BACKUP_ROLE} may do more than read; revoke LOGIN, CREATEROLE and CREATEDB`)
    : ok('backup role', `${role.members} logins can read backups through it`);
}

function told(faults: readonly string[]): string {
  const more = faults.length - TOLD;
  return `${faults.slice(0, TOLD).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
