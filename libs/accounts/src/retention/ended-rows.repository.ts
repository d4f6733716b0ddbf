import type { TenantDatabase } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';

const LOCK = `SELECT pg_try_advisory_xact_lock(hashtextextended('account-retention', 0)) AS "isOurs"`;

// Policies let through only what is over by the clock of Postgres too. Invitations are few, and spread over the nodes of a
// cluster, where a part of them could not be asked for.
const STATEMENTS = {
  attempts: `DELETE FROM sign_in_attempts WHERE attempt_sha256 IN (
    SELECT attempt_sha256 FROM sign_in_attempts WHERE began_at < $1 ORDER BY began_at LIMIT $2)`,
  sessions: `DELETE FROM user_sessions WHERE session_sha256 IN (
    SELECT session_sha256 FROM user_sessions WHERE signed_in_at < $1 ORDER BY signed_in_at LIMIT $2)`,
  invitations: 'DELETE FROM invitations WHERE created_at < $1 AND $2::int > 0',
};

export type EndedRows = keyof typeof STATEMENTS;

/**
 * Deletes what was begun or sent before, oldest first, of all companies and users.
 * @param most - how many attempts or sessions at most
 * @returns how many went; 0 while another process is at it
 */
export async function deleteEnded(
  database: TenantDatabase,
  what: EndedRows,
  before: Date,
  most: number,
): Promise<number> {
  return database.unscoped(mintSystemScope({ 'app.sweeps_accounts': 'on' }), async ({ client }) => {
    const { rows } = await client.query<{ isOurs: boolean }>(LOCK);
    if (!rows[0]?.isOurs) return 0;
    const { rowCount } = await client.query(STATEMENTS[what], [before, most]);
    return rowCount ?? 0;
  });
}
