import type { AdministrativeDetails } from '@outcomes/audit';
import {
  KEY_LIFETIME_DAYS,
  KEY_PURPOSES,
  PERMISSIONS,
  TOOL_NAMES,
  type KeyPurpose,
  type Permission,
  type ToolName,
} from '@outcomes/contracts';
import type { ApiKeyEntity } from '@outcomes/persistence';
import { readNetwork } from '../keys/key-networks';
import { CONTROL, invalidParameter } from './new-company';

const MAX_NETWORKS = 20;

/** What a new key may say of itself. */
export interface NewKey {
  readonly name?: string;
  /** What it is for, which narrows what it may do; for everything where not given. */
  readonly purpose?: KeyPurpose;
  /** All those of its purpose where not given. */
  readonly permissions?: readonly Permission[];
  /** MCP tools that it may call, and nothing else that is read. All, and the read API, where not given. */
  readonly tools?: readonly ToolName[];
  /** Networks from which it may be used, e.g. 203.0.113.0/24; IPv6 up to /64. From everywhere where not given. */
  readonly networks?: readonly string[];
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
  readonly purpose: KeyPurpose | null;
  readonly permissions: readonly string[];
  readonly tools: readonly string[] | null;
  readonly networks: readonly string[] | null;
  readonly burstLimit: number | null;
  readonly monthlyQuota: number | null;
  readonly state: 'active' | 'locked' | 'expired' | 'revoked';
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  /** To the minute or so; null where it was never used. */
  readonly lastUsedAt: Date | null;
}

export function describeKey(row: ApiKeyEntity, now: Date): KeyDescription {
  const { keyId, companyId, name, permissions, tools, networks, burstLimit, monthlyQuota } = row;
  const { createdAt, expiresAt, revokedAt, lastUsedAt } = row;
  return {
    keyId,
    companyId,
    name,
    purpose: row.purpose as KeyPurpose | null,
    permissions,
    tools,
    networks,
    burstLimit,
    monthlyQuota,
    state: stateOf(row, now),
    createdAt,
    expiresAt,
    revokedAt,
    lastUsedAt,
  };
}

function stateOf({ revokedAt, expiresAt, lockedUntil }: ApiKeyEntity, now: Date): KeyDescription['state'] {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt <= now) return 'expired';
  return lockedUntil !== null && lockedUntil > now ? 'locked' : 'active';
}

/** @throws AppError INVALID_PARAMETER naming the field */
export function validatedKey(input: NewKey) {
  const { name = '', burstLimit = null, monthlyQuota = null } = input;
  const { expiresDays = KEY_LIFETIME_DAYS } = input;
  if ([...name].length > 100 || CONTROL.test(name))
    throw invalidParameter('name', 'name has at most 100 characters, and no control characters.');
  for (const [parameter, value] of Object.entries({ burstLimit, monthlyQuota })) {
    const valid = value === null || (Number.isInteger(value) && value >= 1 && value <= 2_147_483_647);
    if (!valid) throw invalidParameter(parameter, `${parameter} is a whole number above 0.`);
  }
  if (!Number.isInteger(expiresDays) || expiresDays < 1 || expiresDays > KEY_LIFETIME_DAYS) {
    throw invalidParameter('expiresDays', `expiresDays is a whole number from 1 to ${KEY_LIFETIME_DAYS}.`);
  }
  return { name, ...validatedBounds(input), burstLimit, monthlyQuota, expiresDays };
}

/** What the administration log keeps of a new key. */
export function recordedDetails(
  { purpose, permissions, tools, networks, burstLimit, monthlyQuota }: ReturnType<typeof validatedKey>,
  expiresAt: Date,
): AdministrativeDetails {
  const bounds = { purpose, permissions, tools, networks };
  return { ...bounds, burst: burstLimit, monthly: monthlyQuota, expires_at: expiresAt.toISOString() };
}

function validatedBounds({ purpose, permissions, tools, networks }: NewKey) {
  const possible: readonly Permission[] = purpose ? KEY_PURPOSES[purpose] : PERMISSIONS;
  const permitted = [...new Set(permissions ?? possible)];
  if (permitted.length === 0)
    throw invalidParameter('permissions', 'permissions names at least one permission.');
  if (!permitted.every((permission) => possible.includes(permission)))
    throw invalidParameter('permissions', `A key for ${purpose} may do ${possible.join(', ')} at most.`);
  return {
    purpose: purpose ?? null,
    permissions: permitted,
    tools: tools ? validatedTools(tools, permitted, purpose) : null,
    networks: networks ? validatedNetworks(networks) : null,
  };
}

function validatedTools(
  tools: readonly string[],
  permitted: readonly Permission[],
  purpose?: KeyPurpose,
): string[] {
  const known: readonly string[] = TOOL_NAMES;
  if (tools.length === 0 || !tools.every((tool) => known.includes(tool)))
    throw invalidParameter('tools', `tools names some of ${known.join(', ')}.`);
  // A key that may write besides would not be bound to its tools.
  if (purpose === 'read' || permitted.some((permission) => permission !== 'analytics_read'))
    throw invalidParameter('tools', 'A key that is bound to tools is one for an agent.');
  return [...new Set(tools)];
}

function validatedNetworks(written: readonly string[]): string[] {
  const networks = written.map((one) => {
    const network = readNetwork(one);
    if (network !== undefined) return network;
    throw invalidParameter(
      'networks',
      'networks are in CIDR form, e.g. 203.0.113.0/24 or 2001:db8::/48; of IPv6 /64 is the narrowest.',
    );
  });
  if (networks.length === 0 || networks.length > MAX_NETWORKS)
    throw invalidParameter('networks', `networks names 1 to ${MAX_NETWORKS} networks.`);
  return [...new Set(networks)];
}
