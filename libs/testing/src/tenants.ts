import { createHash, randomUUID } from 'node:crypto';
import type { TestDatabase } from './test-database';

/** A company with a key. */
export interface Tenant {
  readonly companyId: string;
  readonly keyId: string;
  readonly apiKey: string;
}

/** What a key may do, and how much; where nothing is said, as the services have it. */
export interface KeyOptions {
  readonly permissions?: readonly string[];
  /** Requests per window. */
  readonly burst?: number;
  /** Requests per month. */
  readonly monthly?: number;
  /** In sixty days unless given. */
  readonly expiresAt?: Date;
  readonly bounds?: { readonly purpose: string; readonly tools?: readonly string[] };
}

export interface TenantOptions extends KeyOptions {
  readonly name?: string;
}

/** How a suite makes keys: their written form, and what is true of each key unless a test says otherwise. */
export interface KeyMaking extends KeyOptions {
  /** KeyForm of auth; handed in, so that this library imports no sibling. */
  readonly form: { generate(): Omit<Tenant, 'companyId'> & { readonly secret: string } };
}

const SIXTY_DAYS_MS = 60 * 86_400_000;

/** @returns the id of a new company without a key */
export async function plantCompany(
  database: Pick<TestDatabase, 'query'>,
  name = 'A company',
): Promise<string> {
  const companyId = randomUUID();
  await database.query('INSERT INTO companies (company_id, name) VALUES ($1, $2)', [companyId, name]);
  return companyId;
}

/** A new key of a company, valid at once. */
export async function plantKey(
  database: Pick<TestDatabase, 'query'>,
  { form, ...usual }: KeyMaking,
  companyId: string,
  options: KeyOptions = {},
): Promise<Omit<Tenant, 'companyId'>> {
  const { keyId, secret, apiKey } = form.generate();
  const { permissions = [], burst, monthly, expiresAt, bounds } = { ...usual, ...options };
  await database.query(
    `INSERT INTO api_keys (company_id, key_id, secret_sha256, permissions, burst_limit, monthly_quota, expires_at,
       purpose, tools)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[companyId, keyId, createHash('sha256').update(secret).digest(), permissions, burst, monthly],
      ...[expiresAt ?? new Date(Date.now() + SIXTY_DAYS_MS), bounds?.purpose, bounds?.tools],
    ],
  );
  return { keyId, apiKey };
}

/** A new company with a key of its own. */
export async function plantTenant(
  database: Pick<TestDatabase, 'query'>,
  keys: KeyMaking,
  { name, ...options }: TenantOptions = {},
): Promise<Tenant> {
  const companyId = await plantCompany(database, name);
  return { companyId, ...(await plantKey(database, keys, companyId, options)) };
}

/** The header that presents a key. */
export function bearer({ apiKey }: Pick<Tenant, 'apiKey'>): Record<string, string> {
  return { Authorization: `Bearer ${apiKey}` };
}
