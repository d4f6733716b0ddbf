import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { BY_THE_SERVICE, recordAdministration, type Deed } from '@outcomes/audit';
import { AppError, DAY_MS, MAX_ACTIVE_KEYS } from '@outcomes/contracts';
import { companyExists } from '@outcomes/persistence';
import { CLOCK, LOGGER, REDIS, SERVICE_CONFIG } from '@outcomes/platform';
import type { Clock, Logger, Redis, ServiceConfig } from '@outcomes/platform';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { KEY_CHANNELS } from '../keys/key-events.service';
import { KEY_ID, KeyForm, sha256 } from '../keys/key-form';
import { countActiveKeys, insertKey, keyExists, keysOf, lockRevocation } from '../keys/key.repository';
import { presentedKey, revoke } from '../keys/key.repository';
import { everyCompany, insertCompany, lockCompany } from './company.repository';
import { contactsWithin, setContactWithin, type KeyContact } from './key-contact.repository';
import { validatedContact } from './key-contacts';
import { describeKey, recordedDetails, validatedKey } from './key-description';
import type { CreatedKey, KeyDescription, NewKey } from './key-description';
import { invalidParameter, validatedCompany } from './new-company';
import type { CompanyDescription, CreatedCompany, NewCompany } from './new-company';

const UNIQUE_VIOLATION = '23505';

/** Creates companies and their keys, lists and revokes them. The caller has made sure that it may. */
@Injectable()
export class KeyAdministration {
  private readonly form: KeyForm;
  private readonly channel: string;

  constructor(
    @Inject(SERVICE_CONFIG) config: ServiceConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
  ) {
    this.form = new KeyForm(config.KEY_PREFIX);
    this.channel = `${config.REDIS_PREFIX}:${KEY_CHANNELS.changed}`;
  }

  /**
   * Creates a company with its first key, both or neither.
   * @throws AppError INVALID_PARAMETER for a name, time zone, portal id or contact that cannot be taken
   */
  async createCompany(input: NewCompany, deed: Deed = BY_THE_SERVICE): Promise<CreatedCompany> {
    const { name, timeZone, portalId } = validatedCompany(input);
    const contact = input.contact === undefined ? null : validatedContact(input.contact);
    const companyId = randomUUID();
    const createdAt = this.clock.now();
    return this.database.transaction(mintTenantScope(companyId), async (transaction) => {
      try {
        await insertCompany(transaction, { name, timeZone, portalId, createdAt });
      } catch (error) {
        throw isUniqueViolation(error)
          ? invalidParameter('portalId', 'Another company has this portal id.')
          : error;
      }
      if (contact !== null) await setContactWithin(transaction, null, contact, createdAt);
      await recordAdministration(transaction, {
        ...{ ...deed, action: 'company.create', subject: null, occurredAt: createdAt },
        details: { time_zone: timeZone, has_portal: portalId !== null, has_contact: contact !== null },
      });
      return { companyId, name, ...(await this.createKeyWithin(transaction, {}, deed)) };
    });
  }

  /** Every company, oldest first. Only the administrators' database role sees them all. */
  async listCompanies(): Promise<CompanyDescription[]> {
    const rows = await everyCompany(this.database);
    return rows.map(({ companyId, name, timeZone, portalId, createdAt }) => ({
      companyId,
      name,
      timeZone,
      portalId,
      createdAt,
    }));
  }

  /**
   * Creates a key. Its text is returned once and stored nowhere.
   * @throws AppError KEY_LIMIT_REACHED at three active keys, COMPANY_NOT_FOUND, INVALID_PARAMETER
   */
  async createKey(scope: TenantScope, input: NewKey = {}, deed: Deed = BY_THE_SERVICE): Promise<CreatedKey> {
    return this.database.transaction(scope, (transaction) => this.createKeyWithin(transaction, input, deed));
  }

  private async createKeyWithin(
    transaction: TenantTransaction,
    input: NewKey,
    deed: Deed,
  ): Promise<CreatedKey> {
    const fields = validatedKey(input);
    const contact = input.contact === undefined ? null : validatedContact(input.contact);
    // Everybody who creates a key of this company queues here, so that the count below is true until commit.
    if (!(await lockCompany(transaction))) throw new AppError('COMPANY_NOT_FOUND');
    const now = this.clock.now();
    if ((await countActiveKeys(transaction, now)) >= MAX_ACTIVE_KEYS) throw new AppError('KEY_LIMIT_REACHED');
    const { keyId, secret, apiKey } = this.form.generate();
    const expiresAt = new Date(now.getTime() + fields.expiresDays * DAY_MS);
    await insertKey(transaction, {
      keyId,
      secretSha256: sha256(secret),
      name: fields.name,
      purpose: fields.purpose,
      permissions: fields.permissions,
      tools: fields.tools,
      networks: fields.networks,
      burstLimit: fields.burstLimit,
      monthlyQuota: fields.monthlyQuota,
      createdAt: now,
      expiresAt,
    });
    if (contact !== null) await setContactWithin(transaction, keyId, contact, now);
    await recordAdministration(transaction, {
      ...{ ...deed, action: 'key.create', subject: keyId, occurredAt: now },
      details: recordedDetails(fields, expiresAt),
    });
    return { keyId, apiKey, expiresAt };
  }

  /** A company's keys, newest first, revoked and expired ones included. */
  async listKeys(scope: TenantScope): Promise<KeyDescription[]> {
    const rows = await this.database.transaction(scope, keysOf);
    const now = this.clock.now();
    return rows.map((row) => describeKey(row, now));
  }

  /** Contacts of a company and of its keys. */
  async listContacts(scope: TenantScope): Promise<KeyContact[]> {
    return this.database.transaction(scope, contactsWithin);
  }

  /**
   * Sets whom to tell what concerns one key, or all keys of a company that have no contact of their own.
   * @param email - null for nobody
   * @throws AppError COMPANY_NOT_FOUND, KEY_NOT_FOUND (also for another company's key), INVALID_PARAMETER
   */
  async setContact(
    scope: TenantScope,
    keyId: string | null,
    email: string | null,
    deed: Deed = BY_THE_SERVICE,
  ): Promise<void> {
    const contact = email === null ? null : validatedContact(email);
    await this.database.transaction(scope, async (transaction) => {
      const isThere = await (keyId === null ? companyExists(transaction) : keyExists(transaction, keyId));
      if (!isThere) throw new AppError(keyId === null ? 'COMPANY_NOT_FOUND' : 'KEY_NOT_FOUND');
      const now = this.clock.now();
      await setContactWithin(transaction, keyId, contact, now);
      // Whose address it is is personal data, which goes with its row; this log stays.
      const action = contact === null ? 'contact.remove' : 'contact.set';
      await recordAdministration(transaction, { ...deed, action, subject: keyId, occurredAt: now });
    });
  }

  /**
   * Ends a key for good and tells every pod. Ending it again changes nothing.
   * @param within - the company it must belong to; without it the key is found by its id alone (command line)
   * @throws AppError KEY_NOT_FOUND, also for another company's key
   */
  async revokeKey(
    keyId: string,
    within?: TenantScope,
    deed: Deed = BY_THE_SERVICE,
  ): Promise<{ keyId: string; revokedAt: Date }> {
    if (!KEY_ID.test(keyId)) throw new AppError('KEY_NOT_FOUND');
    const scope = within ?? (await this.ownerOf(keyId));
    const revokedAt = await this.database.transaction(scope, async (transaction) => {
      const earlier = await lockRevocation(transaction, keyId);
      if (earlier === undefined) throw new AppError('KEY_NOT_FOUND');
      if (earlier !== null) return earlier;
      const now = this.clock.now();
      await revoke(transaction, keyId, now);
      await recordAdministration(transaction, {
        ...{ ...deed, action: 'key.revoke', subject: keyId, occurredAt: now },
      });
      return now;
    });
    await this.tellPods(keyId);
    return { keyId, revokedAt };
  }

  private async ownerOf(keyId: string): Promise<TenantScope> {
    const row = await presentedKey(this.database, keyId);
    if (!row) throw new AppError('KEY_NOT_FOUND');
    return mintTenantScope(row.companyId);
  }

  /** A lost message is no failure: every pod reads the key again within ten seconds. */
  private async tellPods(keyId: string): Promise<void> {
    try {
      await this.redis.publish(this.channel, keyId);
    } catch (error) {
      this.logger.warn({ err: error, keyId }, 'a revocation could not be announced');
    }
  }
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}
