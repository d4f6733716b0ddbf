import { Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { AuthModule } from '@outcomes/auth';
import { BURST_WINDOW_SECONDS } from '@outcomes/contracts';
import { SERVICE_CONFIG, type ServiceConfig } from '@outcomes/platform';
import { AddressWindows } from './address/address-windows.service';
import { RequestBodies } from './bodies/request-bodies.service';
import { AccessGuard } from './http/access.guard';
import { Admission } from './http/admission';
import { RequestPipeline } from './http/request-pipeline.service';
import { Strangers } from './http/strangers.service';
import { SURFACE, TenantAdmission } from './http/tenant-admission.service';
import { LimiterMetrics } from './limiter/limiter-metrics.service';
import { Limiter } from './limiter/limiter.service';
import type { Surface } from './limiter/consumption';
import { ConcurrentRequests } from './shares/concurrent-requests.service';
import { PacedRefusals } from './shares/paced-refusals.service';
import { UsageLedger } from './usage/usage-ledger.service';
import { UsageRepository } from './usage/usage.repository';

@Module({ providers: [AddressWindows], exports: [AddressWindows] })
class AddressModule {}

/** Counting, and whom nobody knows. */
@Module({
  imports: [
    AuthModule,
    AddressModule,
    ThrottlerModule.forRootAsync({
      imports: [AddressModule],
      inject: [AddressWindows, SERVICE_CONFIG],
      useFactory: (storage: AddressWindows, config: ServiceConfig) => ({
        storage,
        throttlers: [{ ttl: BURST_WINDOW_SECONDS * 1_000, limit: config.ADDRESS_BURST_LIMIT }],
      }),
    }),
  ],
  providers: [
    ConcurrentRequests,
    Limiter,
    LimiterMetrics,
    PacedRefusals,
    RequestBodies,
    Strangers,
    UsageLedger,
    UsageRepository,
  ],
  exports: [
    AddressModule,
    AuthModule,
    ConcurrentRequests,
    Limiter,
    PacedRefusals,
    RequestBodies,
    Strangers,
    UsageRepository,
  ],
})
export class LimiterModule {}

/**
 * Admission in front of every handler of an app, whoever calls the handler.
 * @param surface - whose burst window requests consume, and whether X-API-Key is taken
 * @param admission - what lets requests in, where they are not for one tenant each
 */
export function pipelineProviders(
  surface: Surface,
  admission: Type<Admission> = TenantAdmission,
): Provider[] {
  return [
    { provide: SURFACE, useValue: surface },
    TenantAdmission,
    { provide: Admission, useClass: admission },
    RequestPipeline,
    { provide: APP_GUARD, useClass: AccessGuard },
  ];
}

/** Admission, limits and bodies in front of every handler of a REST surface. */
@Module({})
export class LimitsModule {
  static register({ surface }: { readonly surface: Surface }): DynamicModule {
    return {
      module: LimitsModule,
      imports: [LimiterModule],
      providers: pipelineProviders(surface),
      exports: [LimiterModule],
    };
  }
}
