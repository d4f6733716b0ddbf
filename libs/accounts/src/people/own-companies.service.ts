import { Inject, Injectable } from '@nestjs/common';
import { PERMISSIONS_OF_ROLE } from '@outcomes/contracts';
import { companySettings } from '@outcomes/persistence';
import { TenantDatabase } from '@outcomes/tenancy';
import type { Membership, Session } from '../sessions/session.repository';
import { Sessions } from '../sessions/sessions.service';

/** The companies that somebody may enter, by name. Each is read as itself: no login sees them all. */
@Injectable()
export class OwnCompanies {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(Sessions) private readonly sessions: Sessions,
  ) {}

  async of(session: Session) {
    return {
      user: { email: session.email },
      previousVisitAt: session.previousVisitAt?.toISOString() ?? null,
      companies: await Promise.all(
        session.memberships.map((membership) => this.described(session, membership)),
      ),
    };
  }

  private async described(session: Session, { companyId, role }: Membership) {
    const { scope } = this.sessions.enter(session, companyId, 'read');
    const company = await this.database.transaction(scope, companySettings);
    return {
      ...{ companyId, role, permissions: PERMISSIONS_OF_ROLE[role] },
      ...{ name: company?.name ?? companyId, timeZone: company?.timeZone ?? 'UTC' },
    };
  }
}
