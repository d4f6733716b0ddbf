import type { Permission } from '../access/permissions';

export const DEPENDENCY_STATES = ['operational', 'degraded'] as const;
type DependencyState = (typeof DEPENDENCY_STATES)[number];

/** `data` of GET /health. */
export interface HealthData {
  readonly status: 'healthy';
  readonly service: string;
  readonly version: string;
  readonly timestamp: string;
  readonly authentication: {
    readonly companyId: string;
    readonly portalId: string | null;
    readonly permissions: readonly Permission[];
    readonly authenticated: true;
  };
  readonly rateLimiting: {
    readonly remaining: number | null;
    readonly windowMinutes: number;
    readonly maxRequests: number;
  };
  readonly services: {
    readonly database: DependencyState;
    readonly rateLimit: DependencyState;
    readonly audit: DependencyState;
  };
  readonly environment: { readonly stage: string; readonly region: string };
}
