import { KEY_LIFETIME_DAYS, PERMISSIONS, type Permission } from '@outcomes/contracts';
import type { ApiKeyEntity } from '@outcomes/persistence';
import { invalidParameter } from './new-company';

/** What a new key may say of itself. */
export interface NewKey {
  readonly name?: string;
  /** All three where not given. */
  readonly permissions?: readonly Permission[];
  /** Requests per burst window; the service's default where not given. */
  readonly burstLimit?: number;
  /** Requests per UTC month; the service's default where not given. */
  readonly monthlyQuota?: number;
  /** Life in days, 1 to 90. */
  readonly expiresDays?: number;
  /** E-mail address of whoever is told what concerns this key; the company's where not given. */
  readonly contact?: string;
}

export interface CreatedKey {
  readonly keyId: string;
  /** The whole key. Show it once, store it nowhere. */
  readonly apiKey: string;
  readonly expiresAt: Date;
}

/** A key as lists show it. */
export interface KeyDescription {
  readonly keyId: string;
  readonly companyId: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly burstLimit: number | null;
  readonly monthlyQuota: number | null;
  readonly state: 'active' | 'locked' | 'expired' | 'revoked';
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

export function describeKey(row: ApiKeyEntity, now: Date): KeyDescription {
  const { keyId, companyId, name, permissions, burstLimit, monthlyQuota } = row;
  const { createdAt, expiresAt, revokedAt } = row;
  return {
    keyId,
    companyId,
    name,
    permissions,
    burstLimit,
    monthlyQuota,
    state: stateOf(row, now),
    createdAt,
    expiresAt,
    revokedAt,
  };
}

function stateOf({ revokedAt, expiresAt, lockedUntil }: ApiKeyEntity, now: Date): KeyDescription['state'] {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt <= now) return 'expired';
  return lockedUntil !== null && lockedUntil > now ? 'locked' : 'active';
}

/** @throws AppError INVALID_PARAMETER naming the field */
export function validatedKey(input: NewKey) {
  const { name = '', permissions = PERMISSIONS, burstLimit = null, monthlyQuota = null } = input;
  const { expiresDays = KEY_LIFETIME_DAYS } = input;
  if ([...name].length > 100) throw invalidParameter('name', 'name has at most 100 characters.');
  if (permissions.length === 0)
    throw invalidParameter('permissions', 'permissions names at least one permission.');
  for (const [parameter, value] of Object.entries({ burstLimit, monthlyQuota })) {
    const valid = value === null || (Number.isInteger(value) && value >= 1 && value <= 2_147_483_647);
    if (!valid) throw invalidParameter(parameter, `${parameter} is a whole number above 0.`);
  }
  if (!Number.isInteger(expiresDays) || expiresDays < 1 || expiresDays > KEY_LIFETIME_DAYS) {
    throw invalidParameter('expiresDays', `expiresDays is a whole number from 1 to ${KEY_LIFETIME_DAYS}.`);
  }
  return { name, permissions: [...new Set(permissions)], burstLimit, monthlyQuota, expiresDays };
}
