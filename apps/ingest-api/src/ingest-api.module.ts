import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { IngestionModule } from '@outcomes/ingestion';
import { LimitsModule } from '@outcomes/limits';
import { PersistenceModule } from '@outcomes/persistence';
import { EventsController } from './events/events.controller';
import { StatusController } from './status/status.controller';

export const SERVICE_NAME = 'outcomes-ingest-api';

@Module({})
export class IngestApiModule {
  static register(platform: NonNullable<ModuleMetadata['imports']>[number]): DynamicModule {
    return {
      module: IngestApiModule,
      imports: [
        platform,
        PersistenceModule.register(SERVICE_NAME),
        LimitsModule.register({ surface: 'ingest' }),
        IngestionModule,
      ],
      controllers: [EventsController, StatusController],
    };
  }
}
