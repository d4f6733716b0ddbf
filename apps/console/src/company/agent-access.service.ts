import { Inject, Injectable } from '@nestjs/common';
import { Sessions } from '@outcomes/accounts';
import { KeyAdministration, type NewKey } from '@outcomes/auth';
import { KEY_LIFETIME_DAYS, MAX_ACTIVE_KEYS } from '@outcomes/contracts';
import { CONSOLE_CONFIG, type ConsoleConfig } from '../console.config';
import type { Visit } from '../access/visitor.decorator';

/** Keys of a company, as whoever holds manage_billing sees and makes them. */
@Injectable()
export class AgentAccess {
  constructor(
    @Inject(KeyAdministration) private readonly keys: KeyAdministration,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(CONSOLE_CONFIG) private readonly config: ConsoleConfig,
  ) {}

  /** No key: their texts are stored nowhere. */
  async describe({ scope }: Visit) {
    const { READ_API_PUBLIC_URL, INGEST_API_PUBLIC_URL, MCP_PUBLIC_URL } = this.config;
    return {
      tenantId: scope.companyId,
      mostActiveKeys: MAX_ACTIVE_KEYS,
      lifetimeDays: KEY_LIFETIME_DAYS,
      addresses: { mcp: MCP_PUBLIC_URL, readApi: READ_API_PUBLIC_URL, ingestApi: INGEST_API_PUBLIC_URL },
      keys: await this.keys.listKeys(scope),
    };
  }

  /** @throws AppError RECENT_SIGN_IN_REQUIRED, KEY_LIMIT_REACHED, INVALID_PARAMETER */
  async create({ scope, session, deed }: Visit, key: NewKey) {
    this.sessions.requireRecent(session);
    return this.keys.createKey(scope, key, deed);
  }

  /** @throws AppError RECENT_SIGN_IN_REQUIRED; KEY_NOT_FOUND, also for another company's key */
  async revoke({ scope, session, deed }: Visit, keyId: string) {
    this.sessions.requireRecent(session);
    return this.keys.revokeKey(keyId, scope, deed);
  }
}
