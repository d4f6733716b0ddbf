import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { AuthModule } from '@outcomes/auth';
import { BURST_WINDOW_SECONDS, DEFAULT_BURST_LIMIT } from '@outcomes/contracts';
import { AddressWindows } from './address/address-windows.service';
import { AccessGuard, SURFACE } from './http/access.guard';
import { Limiter } from './limiter/limiter.service';
import type { Surface } from './limiter/consumption';
import { UsageLedger } from './usage/usage-ledger.service';
import { UsageRepository } from './usage/usage.repository';

/** Counting alone, for surfaces that authenticate and answer by themselves (MCP). */
@Module({
  providers: [AddressWindows, Limiter, UsageLedger, UsageRepository],
  exports: [AddressWindows, Limiter],
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
        AuthModule,
        LimiterModule,
        ThrottlerModule.forRootAsync({
          imports: [LimiterModule],
          inject: [AddressWindows],
          useFactory: (storage: AddressWindows) => ({
            storage,
            throttlers: [{ ttl: BURST_WINDOW_SECONDS * 1_000, limit: DEFAULT_BURST_LIMIT }],
          }),
        }),
      ],
      providers: [
        { provide: SURFACE, useValue: surface },
        { provide: APP_GUARD, useClass: AccessGuard },
      ],
      exports: [AuthModule, LimiterModule],
    };
  }
}
