import { Module, type DynamicModule } from '@nestjs/common';
import { SecretBox } from '@outcomes/platform';
import { IngestionModule } from '../ingestion.module';
import { Deliveries } from './deliveries.service';
import { SECRET_BOX, SourceDirectory } from './source-directory.service';
import { SourceOverviews } from './source-overview.service';
import { SourceRepository } from './source.repository';
import { SourceTallies } from './source-tallies.service';

/** Receivers of what outreach tools deliver. It needs PlatformModule and PersistenceModule. */
@Module({})
export class SourcesModule {
  /** @param secretKeys - as SecretBox takes them; empty where no tool signs */
  static register(secretKeys: string): DynamicModule {
    return {
      module: SourcesModule,
      imports: [IngestionModule],
      providers: [
        { provide: SECRET_BOX, useValue: new SecretBox(secretKeys) },
        SourceRepository,
        SourceDirectory,
        SourceTallies,
        SourceOverviews,
        Deliveries,
      ],
      exports: [Deliveries, SourceDirectory, SourceOverviews],
    };
  }
}
