import { Module, ValidationPipe, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { APP_PIPE, RouterModule } from '@nestjs/core';
import { AuthModule } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import { LimitsModule } from '@outcomes/limits';
import { PersistenceModule } from '@outcomes/persistence';
import { ReadModelModule } from '@outcomes/read-model';
import { EnvelopeWriter } from './envelope/envelope-writer.service';
import { HealthController } from './health/health.controller';
import { HealthService } from './health/health.service';
import { CalibrationController } from './intelligence/calibration.controller';
import { IntelligenceController } from './intelligence/intelligence.controller';
import { PatternsController } from './patterns/patterns.controller';

export const SERVICE_NAME = 'outcomes-read-api';

/** The first fault of a query string, named. A parameter that does not exist is a fault too: a typo must not pass. */
const queryPipe = new ValidationPipe({
  transform: true,
  whitelist: true,
  forbidNonWhitelisted: true,
  stopAtFirstError: true,
  exceptionFactory: ([fault]) => {
    const [kind, message] = Object.entries(fault?.constraints ?? {})[0] ?? [];
    return new AppError(
      'INVALID_PARAMETER',
      { parameter: fault?.property ?? '' },
      { message: kind === 'whitelistValidation' ? 'There is no such parameter here.' : message },
    );
  },
});

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
      controllers: [HealthController, IntelligenceController, CalibrationController, PatternsController],
      providers: [EnvelopeWriter, HealthService, { provide: APP_PIPE, useValue: queryPipe }],
    };
  }
}
