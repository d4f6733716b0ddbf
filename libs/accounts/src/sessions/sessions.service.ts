import { Inject, Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { AppError, PERMISSIONS_OF_ROLE, RECENT_SIGN_IN_MINUTES } from '@outcomes/contracts';
import { holdersOf, type AccountPermission, type Role } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { fingerprintOf, newSecret } from './secret';

const HOUR_MS = 3_600_000;
const IDLE_MS = 12 * HOUR_MS;
const ABSOLUTE_MS = 7 * 24 * HOUR_MS;
/** A use is noted at most so often. */
const NOTE_MS = 60_000;
/** Who was away longer than this comes for another visit, signed in anew or not. */
const VISIT_GAP_MS = 6 * HOUR_MS;
export const SESSION_SECONDS = ABSOLUTE_MS / 1_000;

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

/** A session within one of the companies that it may enter. */
export interface Entry {
  readonly scope: TenantScope;
  readonly role: Role;
}

interface SessionRow {
  readonly userId: string;
  readonly email: string;
  readonly signedInAt: Date;
  readonly previousVisitAt: Date | null;
}

/** Sessions in Postgres: they outlive Redis, and end everywhere at once. */
@Injectable()
export class Sessions {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
  ) {}

  /**
   * @param earlier - what the browser presented before: it ends, so that nobody is signed in under a cookie that
   * somebody else gave him
   * @returns the cookie
   */
  async start(userId: string, earlier?: string): Promise<string> {
    if (earlier !== undefined) await this.end(earlier);
    const secret = newSecret();
    const now = this.clock.now();
    await this.database.unscoped({ 'app.user_id': userId }, async (client) => {
      await client.query(
        'DELETE FROM user_sessions WHERE user_id = $1 AND (last_used_at < $2 OR signed_in_at < $3)',
        [userId, ...this.bounds(now)],
      );
      await client.query(
        `INSERT INTO user_sessions (session_sha256, user_id, signed_in_at, last_used_at) VALUES ($1, $2, $3, $3)`,
        [fingerprintOf(secret), userId, now],
      );
      await noteVisit(client, userId, now);
    });
    return secret;
  }

  /** @returns undefined where the cookie is of no session, or of one that has ended */
  async find(secret: string): Promise<Session | undefined> {
    const fingerprint = fingerprintOf(secret);
    const now = this.clock.now();
    return this.database.unscoped({ 'app.session': fingerprint.toString('hex') }, async (client) => {
      const owner = await client.query<{ userId: string; lastUsedAt: Date }>(
        `SELECT set_config('app.user_id', user_id::text, true), user_id AS "userId", last_used_at AS "lastUsedAt"
         FROM user_sessions
         WHERE session_sha256 = $1 AND last_used_at >= $2 AND signed_in_at >= $3`,
        [fingerprint, ...this.bounds(now)],
      );
      const [use] = owner.rows;
      if (use === undefined) return undefined;
      const { userId, lastUsedAt } = use;
      if (now.getTime() - lastUsedAt.getTime() > NOTE_MS) {
        await client.query('UPDATE user_sessions SET last_used_at = $2 WHERE session_sha256 = $1', [
          fingerprint,
          now,
        ]);
        await noteVisit(client, userId, now);
      }
      const found = await client.query<SessionRow>(
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

  /** Ending what has ended changes nothing. */
  async end(secret: string): Promise<void> {
    const fingerprint = fingerprintOf(secret);
    await this.database.unscoped({ 'app.session': fingerprint.toString('hex') }, (client) =>
      client.query('DELETE FROM user_sessions WHERE session_sha256 = $1', [fingerprint]),
    );
  }

  /** Signs a person out everywhere. */
  async endAll(userId: string): Promise<void> {
    await this.database.unscoped({ 'app.user_id': userId }, (client) =>
      client.query('DELETE FROM user_sessions WHERE user_id = $1', [userId]),
    );
  }

  /**
   * Enters a company. One that does not exist and one that is somebody else's are refused alike.
   * @throws AppError COMPANY_NOT_FOUND; MISSING_PERMISSION, naming who holds it
   */
  enter({ memberships }: Session, companyId: string, permission: AccountPermission): Entry {
    const membership = memberships.find((candidate) => candidate.companyId === companyId);
    if (!membership) throw new AppError('COMPANY_NOT_FOUND');
    const { role } = membership;
    if (!PERMISSIONS_OF_ROLE[role].includes(permission))
      throw new AppError('MISSING_PERMISSION', { permission, holders: holdersOf(permission) });
    return { scope: mintTenantScope(companyId), role };
  }

  /** @throws AppError RECENT_SIGN_IN_REQUIRED */
  requireRecent({ signedInAt }: Session): void {
    const ageMs = this.clock.now().getTime() - signedInAt.getTime();
    if (ageMs > RECENT_SIGN_IN_MINUTES * 60_000) throw new AppError('RECENT_SIGN_IN_REQUIRED');
  }

  private bounds(now: Date): [idleSince: Date, signedInSince: Date] {
    return [new Date(now.getTime() - IDLE_MS), new Date(now.getTime() - ABSOLUTE_MS)];
  }
}

/** Outlives the session that the visit was made with. */
async function noteVisit(client: PoolClient, userId: string, now: Date): Promise<void> {
  await client.query(
    `UPDATE users SET last_seen_at = $2,
       previous_visit_at = CASE WHEN last_seen_at < $3 THEN last_seen_at ELSE previous_visit_at END
     WHERE user_id = $1`,
    [userId, now, new Date(now.getTime() - VISIT_GAP_MS)],
  );
}
