import { BACKUP_ROLE } from '@outcomes/persistence';
import { Client } from 'pg';
import { CliFailure, failureLine } from '../output/cli-failure';

/**
 * Works as somebody who sees the rows of all companies. With row_security off Postgres refuses a query that policies
 * would take rows from, where otherwise it would leave them out in silence: a backup is whole, or there is none.
 * @param url - Postgres URL of a superuser, or of a login that may take on the role for backups
 * @throws CliFailure where Postgres is away or the login would not see every row
 */
export async function asBackupReader<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect(url);
  try {
    await becomeReader(client);
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: 'outcomes-backup',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // It is told to whoever waits for an answer.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (cause) {
    throw new CliFailure(
      `Postgres is not reachable (${failureLine(cause)}). Check BACKUP_DATABASE_URL or DATABASE_URL.`,
      { cause },
    );
  }
}

async function becomeReader(client: Client): Promise<void> {
  const { rows } = await client.query<{ seesAll: boolean; mayBecome: boolean; user: string }>(
    `SELECT rolsuper OR rolbypassrls AS "seesAll", rolname AS user, coalesce(
       (SELECT pg_has_role(current_user, oid, 'MEMBER') FROM pg_roles WHERE rolname = $1), false) AS "mayBecome"
     FROM pg_roles WHERE rolname = current_user`,
    [BACKUP_ROLE],
  );
  const [role] = rows;
  if (!role?.seesAll && !role?.mayBecome)
    throw new CliFailure(
      `${role?.user ?? 'This login'} sees no rows through row-level security: a backup by it would be empty. Set ` +
        `BACKUP_DATABASE_URL to a login in ${BACKUP_ROLE}; "outcomes migrate --logins" makes one.`,
    );
  if (!role.seesAll) await client.query(`SET ROLE ${BACKUP_ROLE}`);
  await client.query('SET row_security = off');
}
