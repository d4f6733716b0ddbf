import { randomBytes } from 'node:crypto';
import { recordAdministration, type AdministrativeEntry, type Deed } from '@outcomes/audit';
import { AppError } from '@outcomes/contracts';
import { randomBase62, type Clock, type SecretBox } from '@outcomes/platform';
import type { TenantDatabase, TenantScope, TenantTransaction } from '@outcomes/tenancy';
import { isPublicAddress } from '../delivery/public-address';
import { ROTATION_HOURS } from '../delivery/signature';
import { TARGET_FAULTS, targetOf } from '../delivery/target';
import { isWebhookType, PING, WEBHOOK_TYPES } from '../webhook-types';
import { writeMessages } from '../outbox/message.repository';
import * as endpoints from './endpoint.repository';
import type { ListedDelivery, ListedWebhook } from './endpoint.repository';

/** What is shown once; of the secret only the encrypted form is stored. */
export interface CreatedWebhook {
  readonly endpointId: string;
  readonly url: string;
  readonly types: readonly string[];
  /** `whsec_…`, as libraries for Standard Webhooks take it. */
  readonly secret: string;
}

const ID_LENGTH = 22;
const SECRET_BYTES = 32;
const MAX_ENDPOINTS = 10;
const HOUR_MS = 3_600_000;

/** Makes and changes endpoints. The caller has made sure that it may. */
export class WebhookAdministration {
  constructor(
    private readonly database: TenantDatabase,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /**
   * @param types - what it is told of; all where none is given
   * @throws AppError COMPANY_NOT_FOUND; INVALID_PARAMETER for an address that nothing may be sent to, an unknown type, too many endpoints
   */
  async create(
    scope: TenantScope,
    url: string,
    types: readonly string[],
    deed: Deed,
  ): Promise<CreatedWebhook> {
    const target = targetOf(url, isPublicAddress);
    if (typeof target === 'string') throw invalid('url', `${target}: ${TARGET_FAULTS[target]}`);
    const unknown = types.find((type) => !isWebhookType(type));
    if (unknown !== undefined)
      throw invalid(
        'types',
        `There is no type ${unknown}; there are ${Object.keys(WEBHOOK_TYPES).join(', ')}.`,
      );
    const wanted = types.length === 0 ? Object.keys(WEBHOOK_TYPES) : [...new Set(types)];
    const endpointId = `whk_${randomBase62(ID_LENGTH)}`;
    const secret = this.newSecret(endpointId);
    await this.database.transaction(scope, async (transaction) => {
      if (!(await endpoints.hasCompany(transaction))) throw new AppError('COMPANY_NOT_FOUND');
      if ((await endpoints.lockAndCount(transaction)) >= MAX_ENDPOINTS)
        throw invalid('url', `A company has ${MAX_ENDPOINTS} webhooks at most. Remove one first.`);
      await endpoints.insert(transaction, {
        ...{ endpointId, url: target.href, types: wanted },
        ...{ signingSecret: secret.sealed, createdAt: this.clock.now() },
      });
      await this.record(transaction, deed, 'webhook.create', endpointId, {
        host: target.host,
        types: wanted,
      });
    });
    return { endpointId, url: target.href, types: wanted, secret: secret.shown };
  }

  /** Gives an endpoint another secret; for a day the one before signs as well. @throws AppError WEBHOOK_NOT_FOUND */
  async rotate(scope: TenantScope, endpointId: string, deed: Deed): Promise<CreatedWebhook> {
    const secret = this.newSecret(endpointId);
    const until = new Date(this.clock.now().getTime() + ROTATION_HOURS * HOUR_MS);
    const row = await this.change(scope, endpointId, deed, 'webhook.rotate', (transaction) =>
      endpoints.replaceSecret(transaction, endpointId, secret.sealed, until),
    );
    return { endpointId, ...row, secret: secret.shown };
  }

  /** Sends to it again from now on; what it missed is not sent. @throws AppError WEBHOOK_NOT_FOUND */
  async enable(scope: TenantScope, endpointId: string, deed: Deed): Promise<void> {
    await this.change(scope, endpointId, deed, 'webhook.enable', (transaction) =>
      endpoints.enable(transaction, endpointId),
    );
  }

  /** Removes an endpoint, and what waits for it. @throws AppError WEBHOOK_NOT_FOUND */
  async remove(scope: TenantScope, endpointId: string, deed: Deed): Promise<void> {
    await this.change(scope, endpointId, deed, 'webhook.remove', (transaction) =>
      endpoints.remove(transaction, endpointId),
    );
  }

  /**
   * Puts a ping into the outbox, for one endpoint.
   * @returns id of the message
   * @throws AppError WEBHOOK_NOT_FOUND, also where it is disabled
   */
  async ping(scope: TenantScope, endpointId: string): Promise<string> {
    return this.database.transaction(scope, async (transaction) => {
      if (!(await endpoints.isEnabled(transaction, endpointId))) throw new AppError('WEBHOOK_NOT_FOUND');
      const subscription = { endpointId, types: [PING] };
      const [messageId = ''] = await writeMessages(
        transaction,
        [subscription],
        [{ type: PING, data: {} }],
        this.clock.now(),
      );
      return messageId;
    });
  }

  /** The oldest first. */
  async list(scope: TenantScope): Promise<ListedWebhook[]> {
    return this.database.transaction(scope, endpoints.listed);
  }

  /** What was sent to an endpoint in the last 30 days and what waits, the newest first. */
  async deliveries(scope: TenantScope, endpointId: string, limit: number): Promise<ListedDelivery[]> {
    return this.database.transaction(scope, (transaction) =>
      endpoints.deliveriesTo(transaction, endpointId, limit),
    );
  }

  private async change<Changed>(
    scope: TenantScope,
    endpointId: string,
    deed: Deed,
    action: AdministrativeEntry['action'],
    update: (transaction: TenantTransaction) => Promise<Changed | undefined>,
  ): Promise<Changed> {
    return this.database.transaction(scope, async (transaction) => {
      const changed = await update(transaction);
      if (changed === undefined) throw new AppError('WEBHOOK_NOT_FOUND');
      await this.record(transaction, deed, action, endpointId, {});
      return changed;
    });
  }

  private async record(
    transaction: TenantTransaction,
    deed: Deed,
    action: AdministrativeEntry['action'],
    subject: string,
    details: AdministrativeEntry['details'] & object,
  ): Promise<void> {
    await recordAdministration(transaction, {
      ...{ ...deed, action, subject, details },
      occurredAt: this.clock.now(),
    });
  }

  private newSecret(endpointId: string): { readonly shown: string; readonly sealed: Buffer } {
    if (!this.box.hasKey)
      throw invalid(
        'SOURCE_SECRETS_KEY',
        'Set SOURCE_SECRETS_KEY first, here and for analysis-worker: 32 random bytes in base64. What webhooks are signed with is kept encrypted.',
      );
    const shown = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    return { shown, sealed: this.box.seal(shown, endpointId) };
  }
}

function invalid(parameter: string, message: string): AppError {
  return new AppError('INVALID_PARAMETER', { parameter }, { message });
}
