import { Global, Module, type INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { CLOCK, LOGGER, createLogger } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { ReadModelModule } from '../src/read-model.module';

/** The read model over a database, at a time that stands still. */
export async function openReadModel(database: TenantDatabase, now: string): Promise<INestApplicationContext> {
  @Global()
  @Module({
    providers: [
      { provide: TenantDatabase, useValue: database },
      { provide: CLOCK, useValue: { now: () => new Date(now) } },
      { provide: LOGGER, useValue: createLogger('test', 'silent') },
    ],
    exports: [TenantDatabase, CLOCK, LOGGER],
  })
  class SurroundingsModule {}

  return Test.createTestingModule({ imports: [SurroundingsModule, ReadModelModule] }).compile();
}
