import { Inject, Injectable } from '@nestjs/common';
import {
  DEFAULT_BURST_LIMIT,
  DEFAULT_INGEST_BURST_LIMIT,
  DEFAULT_MONTHLY_QUOTA,
  AppError,
  KEY_PURPOSES,
  PERMISSIONS,
  type KeyPurpose,
} from '@outcomes/contracts';
import type { ApiKeyEntity } from '@outcomes/persistence';
import { atMost } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { LRUCache } from 'lru-cache';
import type { Identity } from '../authentication/principal';
import { KeyEvents } from './key-events.service';
import { KeyNetworks } from './key-networks';
import { presentedKey } from './key.repository';

/** How long a pod may go on believing what it read, where the message of a change was lost. */
const CACHE_TTL_MS = 10_000;
/** How exactly; asking the clock for each look would cost as much as the look. */
const EXACTNESS_MS = 20;
const MAX_KNOWN = 20_000;
/** Unknown ids have a place of their own, so that a flood of them pushes no real key out. */
const MAX_UNKNOWN = 5_000;

/** A key as stored, with the identity it proves. */
export interface StoredKey {
  readonly identity: Identity;
  readonly secretSha256: Buffer;
  /** From where it may be used; null: from everywhere. */
  readonly networks: KeyNetworks | null;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly lockedUntil: Date | null;
}

/**
 * Finds presented keys by their public id, before any tenant is known: one look-up per key, pod and ten
 * seconds. Entries are by key id alone and hold no secret, so guessing secrets cannot grow the cache.
 */
@Injectable()
export class KeyDirectory {
  private readonly known = new LRUCache<string, StoredKey>({
    ...atMost(MAX_KNOWN),
    ttl: CACHE_TTL_MS,
    ttlResolution: EXACTNESS_MS,
  });
  private readonly unknown = new LRUCache<string, true>({
    ...atMost(MAX_UNKNOWN),
    ttl: CACHE_TTL_MS,
    ttlResolution: EXACTNESS_MS,
  });
  /** Ids that were found once, whatever became of the keys since. */
  private readonly familiar = new LRUCache<string, true>(atMost(MAX_KNOWN));
  private readonly underWay = new Map<string, Promise<StoredKey | undefined>>();

  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(KeyEvents) events: KeyEvents,
  ) {
    events.on('changed', (keyId) => this.invalidate(keyId));
    events.onDisconnect(() => this.invalidateAll());
  }

  /** The key where it was read lately: no wait, no I/O. */
  getCached(keyId: string): StoredKey | undefined {
    return this.known.get(keyId);
  }

  /** Whether a key with this id was ever found here: then finding it again costs a read in ten seconds at most. */
  isFamiliar(keyId: string): boolean {
    return this.familiar.has(keyId);
  }

  /** @returns the key, or undefined where no key has this id */
  async find(keyId: string): Promise<StoredKey | undefined> {
    const known = this.getCached(keyId);
    if (known) return known;
    if (this.unknown.has(keyId)) return undefined;
    return this.underWay.get(keyId) ?? this.lookUp(keyId);
  }

  /** Drops what is believed of a key, also what a look-up under way is about to say. */
  invalidate(keyId: string): void {
    this.known.delete(keyId);
    this.unknown.delete(keyId);
    this.underWay.delete(keyId);
  }

  private invalidateAll(): void {
    this.known.clear();
    this.unknown.clear();
    this.underWay.clear();
  }

  private async lookUp(keyId: string): Promise<StoredKey | undefined> {
    const reading = this.read(keyId);
    this.underWay.set(keyId, reading);
    try {
      const key = await reading;
      if (key) this.familiar.set(keyId, true);
      // Forgotten meanwhile: what was read may be older than the change.
      if (this.underWay.get(keyId) !== reading) return key;
      if (key) this.known.set(keyId, key);
      else this.unknown.set(keyId, true);
      return key;
    } finally {
      if (this.underWay.get(keyId) === reading) this.underWay.delete(keyId);
    }
  }

  private async read(keyId: string): Promise<StoredKey | undefined> {
    const row = await presentedKey(this.database, keyId);
    return row ? storedKey(row) : undefined;
  }
}

function storedKey(row: ApiKeyEntity): StoredKey {
  return {
    identity: Object.freeze<Identity>({
      kind: 'self_serve',
      keyId: row.keyId,
      scope: mintTenantScope(row.companyId),
      tenants: [],
      permissions: PERMISSIONS.filter((permission) => row.permissions.includes(permission)),
      bounds: { purpose: purposeOf(row.purpose), tools: row.tools },
      burstLimit: row.burstLimit ?? DEFAULT_BURST_LIMIT,
      ingestBurstLimit: row.burstLimit ?? DEFAULT_INGEST_BURST_LIMIT,
      monthlyQuota: row.monthlyQuota ?? DEFAULT_MONTHLY_QUOTA,
      expiresAt: row.expiresAt,
    }),
    secretSha256: row.secretSha256,
    networks: row.networks && new KeyNetworks(row.networks),
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
    lockedUntil: row.lockedUntil,
  };
}

/** @throws AppError INTERNAL_ERROR where a later version narrowed the key in a way that this one does not know */
function purposeOf(stored: string | null): KeyPurpose | null {
  if (stored !== null && !Object.hasOwn(KEY_PURPOSES, stored))
    throw new AppError('INTERNAL_ERROR', {}, { cause: 'a key has an unknown purpose' });
  return stored as KeyPurpose | null;
}
