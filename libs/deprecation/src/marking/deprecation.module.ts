import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { DEPRECATIONS, type Deprecation } from '@outcomes/contracts';
import { DeprecationGuard } from './deprecation.guard';

/**
 * Headers for what an HTTP service marks with @Deprecated. Import it before every module that brings a guard, so
 * that its own comes first.
 */
@Module({})
export class DeprecationModule {
  /** @param catalogue - other than the one of the interface in tests only; where it is empty there is no guard */
  static register(catalogue: readonly Deprecation[] = DEPRECATIONS): DynamicModule {
    return {
      module: DeprecationModule,
      providers: catalogue.length > 0 ? [{ provide: APP_GUARD, useClass: DeprecationGuard }] : [],
    };
  }
}
