import type { Role } from '@outcomes/contracts';
import type { TenantDatabase } from '@outcomes/tenancy';
import { mintSystemScope, type SystemTransaction } from '@outcomes/tenancy/system';

/** A use is noted at most so often. */
const NOTE_MS = 60_000;
/** Who was away longer than this comes for another visit, signed in anew or not. */
const VISIT_GAP_MS = 6 * 3_600_000;

export interface Membership {
  readonly companyId: string;
  readonly role: Role;
}

/** Who is signed in, and what he is where, as it stands at this request. */
export interface Session {
  readonly userId: string;
  readonly email: string;
  readonly signedInAt: Date;
  /** When the visit before this one ended; null on a first visit. */
  readonly previousVisitAt: Date | null;
  readonly memberships: readonly Membership[];
}

/** Sessions that were used or begun before have ended. */
export interface SessionBounds {
  readonly idleSince: Date;
  readonly signedInSince: Date;
}

export interface NewSession {
  readonly userId: string;
  readonly fingerprint: Buffer;
  /** Hash of the password that was verified; undefined where none was. */
  readonly password?: string;
  /** When the person was authenticated, where that was not now. */
  readonly signedInAt?: Date;
}

/**
 * Begins a session, and lets go of those of the same user that have ended.
 * @returns false where the password is another one by now
 */
export async function startSession(
  database: TenantDatabase,
  { userId, fingerprint, password, signedInAt }: NewSession,
  now: Date,
  { idleSince, signedInSince }: SessionBounds,
): Promise<boolean> {
  return database.unscoped(mintSystemScope({ 'app.user_id': userId }), async (transaction) => {
    const { client } = transaction;
    // A change of the password that is under way is waited for: it ends the sessions that it sees. It locks the user first
    // and sessions then, and so does this.
    const { rowCount } = await client.query(
      `INSERT INTO user_sessions (session_sha256, user_id, signed_in_at, last_used_at)
       SELECT $1::bytea, user_id, $5::timestamptz, $3::timestamptz FROM users
       WHERE user_id = $2 AND ($4::text IS NULL OR password = $4) FOR UPDATE`,
      [fingerprint, userId, now, password ?? null, signedInAt ?? now],
    );
    if (rowCount === 0) return false;
    await client.query(
      'DELETE FROM user_sessions WHERE user_id = $1 AND (last_used_at < $2 OR signed_in_at < $3)',
      [userId, idleSince, signedInSince],
    );
    await noteVisit(transaction, userId, now);
    return true;
  });
}

/** Finds a session, and notes its use. @returns undefined where there is none, or where it has ended */
export async function findSession(
  database: TenantDatabase,
  fingerprint: Buffer,
  now: Date,
  { idleSince, signedInSince }: SessionBounds,
): Promise<Session | undefined> {
  const scope = mintSystemScope({ 'app.session': fingerprint.toString('hex') });
  return database.unscoped(scope, async (transaction) => {
    const { client } = transaction;
    const owner = await client.query<{ userId: string; lastUsedAt: Date }>(
      `SELECT set_config('app.user_id', user_id::text, true), user_id AS "userId", last_used_at AS "lastUsedAt"
       FROM user_sessions
       WHERE session_sha256 = $1 AND last_used_at >= $2 AND signed_in_at >= $3`,
      [fingerprint, idleSince, signedInSince],
    );
    const [use] = owner.rows;
    if (use === undefined) return undefined;
    const { userId, lastUsedAt } = use;
    if (now.getTime() - lastUsedAt.getTime() > NOTE_MS) {
      // The user before the session, as everything that locks both.
      await noteVisit(transaction, userId, now);
      await client.query('UPDATE user_sessions SET last_used_at = $2 WHERE session_sha256 = $1', [
        fingerprint,
        now,
      ]);
    }
    const found = await client.query<Omit<Session, 'memberships'>>(
      `SELECT user_id AS "userId", email, signed_in_at AS "signedInAt", previous_visit_at AS "previousVisitAt"
       FROM user_sessions JOIN users USING (user_id) WHERE session_sha256 = $1`,
      [fingerprint],
    );
    const memberships = await client.query<Membership>(
      `SELECT company_id AS "companyId", role FROM memberships WHERE user_id = $1 ORDER BY created_at, company_id`,
      [userId],
    );
    const [who] = found.rows;
    if (!who) return undefined;
    return { ...who, memberships: memberships.rows };
  });
}

export async function endSession(database: TenantDatabase, fingerprint: Buffer): Promise<void> {
  await database.unscoped(mintSystemScope({ 'app.session': fingerprint.toString('hex') }), ({ client }) =>
    client.query('DELETE FROM user_sessions WHERE session_sha256 = $1', [fingerprint]),
  );
}

export async function endSessionsOf(database: TenantDatabase, userId: string): Promise<void> {
  await database.unscoped(mintSystemScope({ 'app.user_id': userId }), ({ client }) =>
    client.query('DELETE FROM user_sessions WHERE user_id = $1', [userId]),
  );
}

/** Outlives the session that the visit was made with. */
async function noteVisit({ client }: SystemTransaction, userId: string, now: Date): Promise<void> {
  await client.query(
    `UPDATE users SET last_seen_at = $2,
       previous_visit_at = CASE WHEN last_seen_at < $3 THEN last_seen_at ELSE previous_visit_at END
     WHERE user_id = $1`,
    [userId, now, new Date(now.getTime() - VISIT_GAP_MS)],
  );
}
