import { createDataSource } from '@outcomes/persistence';
import { TenantDatabase } from '@outcomes/tenancy';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';

export interface ReadingDatabase {
  readonly owner: TestDatabase;
  /** As the services that read see it: a role that owns nothing and bypasses no policy. */
  readonly reader: TenantDatabase;
  close(): Promise<void>;
}

/**
 * A fresh database, and the tenant database over it as a reading service has it.
 * @param timeZone - of the sessions of readers, where days of theirs must not be those of UTC
 */
export async function openReadingDatabase(timeZone?: string): Promise<ReadingDatabase> {
  const owner = await createTestDatabase();
  if (timeZone !== undefined)
    await owner.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone TO ''${timeZone}''', current_database()); END $$`,
    );
  const dataSource = createDataSource({
    url: await owner.loginAs('outcomes_reader'),
    applicationName: 'read-model-test',
    poolSize: 2,
    statementTimeoutMs: 5_000,
    // On a busy machine a connection takes seconds, which is no finding.
    connectTimeoutMs: 20_000,
  });
  await dataSource.initialize();
  const reader = new TenantDatabase(dataSource);
  return {
    owner,
    reader,
    async close() {
      await reader.onApplicationShutdown();
      await dataSource.destroy();
      await owner.drop();
    },
  };
}
