import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '@outcomes/auth';
import { API_VERSION, BURST_WINDOW_SECONDS, type HealthData } from '@outcomes/contracts';
import { Limiter } from '@outcomes/limits';
import { CLOCK, SERVICE_CONFIG, type Clock, type ServiceConfig } from '@outcomes/platform';
import { DependencyStatusRepository } from '@outcomes/read-model';

/** What a caller may know of the service: who it is here, what it has left, and what works. */
@Injectable()
export class HealthService {
  constructor(
    @Inject(DependencyStatusRepository) private readonly dependencies: DependencyStatusRepository,
    @Inject(Limiter) private readonly limiter: Limiter,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SERVICE_CONFIG) private readonly config: ServiceConfig,
  ) {}

  /** @param remaining - requests left in the caller's burst window */
  async describe(caller: Principal, remaining: number): Promise<HealthData> {
    const { database, audit } = await this.dependencies.find(caller.scope);
    return {
      status: 'healthy',
      service: 'outcomes-read-api',
      version: API_VERSION,
      timestamp: this.clock.now().toISOString(),
      authentication: {
        companyId: caller.companyId,
        portalId: caller.portalId,
        permissions: caller.permissions,
        authenticated: true,
      },
      rateLimiting: {
        remaining,
        windowMinutes: BURST_WINDOW_SECONDS / 60,
        maxRequests: caller.burstLimit,
      },
      services: { database, rateLimit: this.limiter.state, audit },
      environment: { stage: this.config.STAGE, region: this.config.REGION },
    };
  }
}
