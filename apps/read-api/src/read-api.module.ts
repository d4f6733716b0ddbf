import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { AuthModule } from '@outcomes/auth';
import { LimitsModule } from '@outcomes/limits';
import { PersistenceModule } from '@outcomes/persistence';
import { ReadModelModule } from '@outcomes/read-model';
import { EnvelopeWriter } from './envelope/envelope-writer.service';
import { HealthController } from './health/health.controller';
import { HealthService } from './health/health.service';
import { QUESTION_CONTROLLERS } from './intelligence/question.controller';
import { PatternsController } from './patterns/patterns.controller';

export const SERVICE_NAME = 'outcomes-read-api';

@Module({})
export class ReadApiModule {
  static register(platform: NonNullable<ModuleMetadata['imports']>[number]): DynamicModule {
    return {
      module: ReadApiModule,
      imports: [
        platform,
        PersistenceModule.register(SERVICE_NAME),
        AuthModule,
        LimitsModule.register({ surface: 'read' }),
        ReadModelModule,
        // Not a global prefix: Nest would then answer for addresses below it only, and Express for all others.
        RouterModule.register([{ path: 'v1', module: ReadApiModule }]),
      ],
      controllers: [HealthController, PatternsController, ...QUESTION_CONTROLLERS],
      providers: [EnvelopeWriter, HealthService],
    };
  }
}
