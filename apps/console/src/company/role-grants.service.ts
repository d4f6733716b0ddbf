import { Inject, Injectable } from '@nestjs/common';
import { People, Sessions, type Session } from '@outcomes/accounts';
import { PERMISSIONS_OF_ROLE, type Role } from '@outcomes/contracts';
import type { Visit } from '../access/visitor.decorator';

/**
 * Gives roles in a company. Whoever may do more than read makes keys, deletes and removes people, and stays when the session
 * that let him in has ended: one that was left open is not enough.
 */
@Injectable()
export class RoleGrants {
  constructor(
    @Inject(People) private readonly people: People,
    @Inject(Sessions) private readonly sessions: Sessions,
  ) {}

  /** @throws AppError RECENT_SIGN_IN_REQUIRED; as `People.invite` does */
  async invite({ scope, role: by, session, deed }: Visit, email: string, role: Role) {
    this.requireRecentFor(role, session);
    return this.people.invite(scope, by, email, role, deed);
  }

  /** @throws AppError RECENT_SIGN_IN_REQUIRED; as `People.setRole` does */
  async change({ scope, role: by, session, deed }: Visit, userId: string, role: Role) {
    this.requireRecentFor(role, session);
    return this.people.setRole(scope, by, userId, role, deed);
  }

  private requireRecentFor(role: Role, session: Session): void {
    if (PERMISSIONS_OF_ROLE[role].some((permission) => permission !== 'read'))
      this.sessions.requireRecent(session);
  }
}
