import { timingSafeEqual } from 'node:crypto';
import {
  DEFAULT_BURST_LIMIT,
  DEFAULT_INGEST_BURST_LIMIT,
  DEFAULT_MONTHLY_QUOTA,
  PERMISSIONS,
  type Permission,
} from '@outcomes/contracts';
import { randomBase62, z } from '@outcomes/platform';
import { UNBOUND, type Identity } from '../authentication/principal';
import { KEY_ID, sha256 } from '../keys/key-form';

const credentialSchema = z.strictObject({
  /** Named in audit rows. It must not look like the id of a self-serve key: both count in the same tables. */
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/)
    .refine((id) => !KEY_ID.test(id), 'must not have the form of a key id (16 letters or digits)'),
  /** SHA-256 of the token, lower-case hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  permissions: z.array(z.enum(PERMISSIONS)).default([...PERMISSIONS]),
  /** Companies it may act for. */
  tenants: z.union([z.literal('*'), z.array(z.uuid().toLowerCase()).min(1)]),
  /** Requests per burst window, for each tenant. */
  burst: z.int().positive().optional(),
  /** Requests per month, for each tenant. */
  monthly: z.int().positive().default(DEFAULT_MONTHLY_QUOTA),
});

const credentialsSchema = z
  .array(credentialSchema)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'ids must differ');

interface BootstrapCredential {
  readonly sha256: Buffer;
  readonly identity: Identity;
}

/** The configured multi-tenant credentials. */
export class BootstrapCredentials {
  private constructor(private readonly credentials: readonly BootstrapCredential[]) {}

  /**
   * @param json - value of BOOTSTRAP_CREDENTIALS
   * @returns the credentials, or what is wrong with them: path and rule, never a value
   */
  static parse(json: string): BootstrapCredentials | { readonly faults: readonly string[] } {
    const parsed = credentialsSchema.safeParse(jsonOf(json));
    if (!parsed.success) {
      return { faults: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) };
    }
    return new BootstrapCredentials(
      parsed.data.map(({ id, sha256, permissions, tenants, burst, monthly }) => ({
        sha256: Buffer.from(sha256, 'hex'),
        identity: Object.freeze<Identity>({
          kind: 'bootstrap',
          keyId: id,
          scope: null,
          tenants,
          permissions,
          bounds: UNBOUND,
          burstLimit: burst ?? DEFAULT_BURST_LIMIT,
          ingestBurstLimit: burst ?? DEFAULT_INGEST_BURST_LIMIT,
          monthlyQuota: monthly,
          expiresAt: null,
        }),
      })),
    );
  }

  /** Compares with every credential in constant time, so that the answer's delay tells nothing. */
  find(token: string): Identity | undefined {
    const presented = sha256(token);
    let found: Identity | undefined;
    for (const credential of this.credentials) {
      if (timingSafeEqual(credential.sha256, presented)) found = credential.identity;
    }
    return found;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface NewBootstrapCredential {
  readonly id: string;
  readonly tenants: '*' | readonly string[];
  readonly permissions?: readonly Permission[];
}

/**
 * Draws a multi-tenant credential. Nothing is stored: it takes effect where its entry is configured.
 * @returns the token, to be shown once, and its entry for BOOTSTRAP_CREDENTIALS; or what is wrong with the input
 */
export function createBootstrapCredential(
  input: NewBootstrapCredential,
): { readonly token: string; readonly config: string } | { readonly faults: readonly string[] } {
  const token = `bootstrap-${randomBase62(43)}`;
  const entry = {
    id: input.id,
    sha256: sha256(token).toString('hex'),
    permissions: input.permissions ?? PERMISSIONS,
    tenants: input.tenants,
  };
  const parsed = credentialSchema.safeParse(entry);
  if (parsed.success) return { token, config: JSON.stringify(entry) };
  return { faults: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) };
}
