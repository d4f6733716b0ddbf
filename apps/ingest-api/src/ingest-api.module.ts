import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { IngestionModule, SourcesModule } from '@outcomes/ingestion';
import { LimitsModule } from '@outcomes/limits';
import { PersistenceModule } from '@outcomes/persistence';
import { EventsController } from './events/events.controller';
import { DeliveryReception } from './sources/delivery-reception.service';
import { SourcesController } from './sources/sources.controller';
import { StatusController } from './status/status.controller';

export const SERVICE_NAME = 'outcomes-ingest-api';

@Module({})
export class IngestApiModule {
  /** @param secretKeys - what secrets of sources are kept under (SOURCE_SECRETS_KEY) */
  static register(
    platform: NonNullable<ModuleMetadata['imports']>[number],
    secretKeys: string,
  ): DynamicModule {
    return {
      module: IngestApiModule,
      imports: [
        platform,
        PersistenceModule.register(SERVICE_NAME),
        LimitsModule.register({ surface: 'ingest' }),
        IngestionModule,
        SourcesModule.register(secretKeys),
      ],
      controllers: [EventsController, SourcesController, StatusController],
      providers: [DeliveryReception],
    };
  }
}
