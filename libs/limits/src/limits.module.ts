import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { AuthModule } from '@outcomes/auth';
import { BURST_WINDOW_SECONDS } from '@outcomes/contracts';
import { SERVICE_CONFIG, type ServiceConfig } from '@outcomes/platform';
import { AddressWindows } from './address/address-windows.service';
import { RequestBodies } from './bodies/request-bodies.service';
import { AccessGuard } from './http/access.guard';
import { Admission, SURFACE } from './http/admission.service';
import { Strangers } from './http/strangers.service';
import { LimiterMetrics } from './limiter/limiter-metrics.service';
import { Limiter } from './limiter/limiter.service';
import type { Surface } from './limiter/consumption';
import { UsageLedger } from './usage/usage-ledger.service';
import { UsageRepository } from './usage/usage.repository';

/** Counting and bodies alone, for surfaces that authenticate and answer by themselves (MCP). */
@Module({
  imports: [AuthModule],
  providers: [
    AddressWindows,
    Limiter,
    LimiterMetrics,
    RequestBodies,
    Strangers,
    UsageLedger,
    UsageRepository,
  ],
  exports: [AddressWindows, AuthModule, Limiter, RequestBodies, Strangers],
})
export class LimiterModule {}

/** Authentication and limits in front of every handler of a REST surface. */
@Module({})
export class LimitsModule {
  /** @param options.surface - whose burst window requests consume, and whether X-API-Key is taken */
  static register({ surface }: { readonly surface: Surface }): DynamicModule {
    return {
      module: LimitsModule,
      imports: [
        LimiterModule,
        ThrottlerModule.forRootAsync({
          imports: [LimiterModule],
          inject: [AddressWindows, SERVICE_CONFIG],
          useFactory: (storage: AddressWindows, config: ServiceConfig) => ({
            storage,
            throttlers: [{ ttl: BURST_WINDOW_SECONDS * 1_000, limit: config.ADDRESS_BURST_LIMIT }],
          }),
        }),
      ],
      providers: [
        { provide: SURFACE, useValue: surface },
        Admission,
        { provide: APP_GUARD, useClass: AccessGuard },
      ],
      exports: [Admission, LimiterModule],
    };
  }
}
