import { AppError, BURST_WINDOW_SECONDS } from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import { startOfMonth, type Month } from './month';

/**
 * Whose window a request consumes. `protocol` is for what MCP takes for free and for what it refuses: it is no call,
 * and still no caller may send without end.
 */
export type Surface = 'read' | 'ingest' | 'protocol';

/** Whose requests are counted: a principal, or an identity that has not chosen its tenant. */
export interface LimitSubject {
  readonly scope: TenantScope | null;
  readonly keyId: string;
  readonly burstLimit: number;
  /** The same for ingest-api; `burstLimit` where not given. */
  readonly ingestBurstLimit?: number;
  readonly monthlyQuota: number;
}

/** Whose windows and month they are: a bootstrap credential has its own for each tenant that it acts for. */
export function subjectNameOf({ scope, keyId }: Pick<LimitSubject, 'scope' | 'keyId'>): string {
  return scope ? `${scope.companyId}:${keyId}` : keyId;
}

/** What is left after a request. */
export interface Consumption {
  /** Requests per window. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetSeconds: number;
  /** RateLimit-Policy, e.g. `200;w=900`. */
  readonly policy: string;
  readonly quotaLimit: number;
  readonly quotaUsed: number;
  /** Seconds until the month ends. */
  readonly quotaResetSeconds: number;
  /** The month that was counted in; a refund goes there. */
  readonly month: Month;
}

/** RateLimit fields of draft-ietf-httpapi-ratelimit-headers-06: structured fields, all of them integers or lists. */
export function burstHeaders(
  state: Pick<Consumption, 'limit' | 'remaining' | 'resetSeconds' | 'policy'>,
): Record<string, string> {
  return {
    'RateLimit-Limit': String(state.limit),
    'RateLimit-Remaining': String(state.remaining),
    'RateLimit-Reset': String(state.resetSeconds),
    'RateLimit-Policy': state.policy,
  };
}

export function quotaHeaders(
  state: Pick<Consumption, 'quotaLimit' | 'quotaUsed' | 'quotaResetSeconds'>,
): Record<string, string> {
  return {
    'X-Quota-Limit': String(state.quotaLimit),
    'X-Quota-Remaining': String(Math.max(0, state.quotaLimit - state.quotaUsed)),
    'X-Quota-Reset': String(state.quotaResetSeconds),
  };
}

export function burstExceeded(state: Consumption): AppError {
  return new AppError(
    'RATE_LIMITED',
    {},
    {
      headers: {
        ...burstHeaders(state),
        ...quotaHeaders(state),
        'Retry-After': String(state.resetSeconds),
      },
    },
  );
}

export function quotaExceeded(state: Consumption): AppError {
  return new AppError(
    'QUOTA_EXCEEDED',
    {
      quotaLimit: state.quotaLimit,
      currentUsage: state.quotaUsed,
      resetAt: startOfMonth(state.month + 1).toISOString(),
    },
    {
      headers: {
        ...burstHeaders(state),
        ...quotaHeaders(state),
        'Retry-After': String(state.quotaResetSeconds),
      },
    },
  );
}

/** @returns RateLimit-Policy for a limit, e.g. `200;w=900` */
export function policyOf(limit: number): string {
  return `${limit};w=${BURST_WINDOW_SECONDS}`;
}

/** RateLimit fields of an address's window. */
export function addressHeaders(limit: number, hits: number, resetSeconds: number): Record<string, string> {
  return burstHeaders({
    limit,
    remaining: Math.max(0, limit - hits),
    resetSeconds,
    policy: policyOf(limit),
  });
}

export function addressExceeded(limit: number, hits: number, resetSeconds: number): AppError {
  const headers = { ...addressHeaders(limit, hits, resetSeconds), 'Retry-After': String(resetSeconds) };
  return new AppError('RATE_LIMITED', {}, { headers });
}
