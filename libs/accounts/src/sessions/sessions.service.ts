import { Inject, Injectable } from '@nestjs/common';
import { AppError, PERMISSIONS_OF_ROLE, RECENT_SIGN_IN_MINUTES } from '@outcomes/contracts';
import { holdersOf, type AccountPermission, type Role } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { fingerprintOf, newSecret } from './secret';
import { endSession, endSessionsOf, findSession, startSession } from './session.repository';
import type { NewSession, Session, SessionBounds } from './session.repository';

const HOUR_MS = 3_600_000;
const IDLE_MS = 12 * HOUR_MS;
const ABSOLUTE_MS = 7 * 24 * HOUR_MS;
/** Sessions that a pod remembers to have found; beyond, all are forgotten at once. */
const MAX_FAMILIAR = 20_000;
export const SESSION_SECONDS = ABSOLUTE_MS / 1_000;

/** A session within one of the companies that it may enter. */
export interface Entry {
  readonly scope: TenantScope;
  readonly role: Role;
}

/** Sessions in Postgres: they outlive Redis, and end everywhere at once. */
@Injectable()
export class Sessions {
  /** By fingerprint, those that this pod found when it looked last. */
  private readonly familiar = new Set<string>();

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
  ) {}

  /**
   * @param earlier - what the browser presented before: it ends, so that nobody is signed in under a cookie that
   * somebody else gave him
   * @param user - with the hash of the password that was verified, or when a provider authenticated the person
   * @returns the cookie
   * @throws AppError SIGN_IN_FAILED where the password was changed meanwhile
   */
  async start(user: Omit<NewSession, 'fingerprint'>, earlier?: string): Promise<string> {
    if (earlier !== undefined) await this.end(earlier);
    const secret = newSecret();
    const now = this.clock.now();
    const session = { ...user, fingerprint: fingerprintOf(secret) };
    if (!(await startSession(this.database, session, now, boundsAt(now))))
      throw new AppError('SIGN_IN_FAILED');
    return secret;
  }

  /** @returns undefined where the cookie is of no session, or of one that has ended */
  async find(secret: string): Promise<Session | undefined> {
    const now = this.clock.now();
    const fingerprint = fingerprintOf(secret);
    const session = await findSession(this.database, fingerprint, now, boundsAt(now));
    if (this.familiar.size >= MAX_FAMILIAR) this.familiar.clear();
    if (session) this.familiar.add(nameOf(fingerprint));
    else this.familiar.delete(nameOf(fingerprint));
    return session;
  }

  /** Whether this pod found the session when it looked last. Without a wait; whether it has ended since, `find` tells. */
  isFamiliar(secret: string): boolean {
    return this.familiar.has(nameOf(fingerprintOf(secret)));
  }

  /** Ending what has ended changes nothing. */
  async end(secret: string): Promise<void> {
    await endSession(this.database, fingerprintOf(secret));
  }

  /** Signs a person out everywhere. */
  async endAll(userId: string): Promise<void> {
    await endSessionsOf(this.database, userId);
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
}

function nameOf(fingerprint: Buffer): string {
  return fingerprint.toString('base64');
}

function boundsAt(now: Date): SessionBounds {
  return {
    idleSince: new Date(now.getTime() - IDLE_MS),
    signedInSince: new Date(now.getTime() - ABSOLUTE_MS),
  };
}
