import { createDataSource } from './data-source';

/** A migration may build an index over everything there is. */
const MIGRATION_TIMEOUT_MS = 30 * 60_000;

/**
 * Brings a database to the newest schema, as its owner.
 * @param url - Postgres URL of a role that may create tables and roles
 * @returns names of the migrations that ran now; empty where there was nothing to do
 *
 * An advisory lock makes concurrent calls wait for one another instead of colliding.
 */
export async function migrateDatabase(url: string): Promise<string[]> {
  const dataSource = createDataSource({
    url,
    applicationName: 'outcomes-migrate',
    poolSize: 2,
    statementTimeoutMs: MIGRATION_TIMEOUT_MS,
    connectTimeoutMs: 5_000,
  });
  await dataSource.initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query(`SELECT pg_advisory_lock(hashtext('outcomes-migrate'))`);
    const ran = await dataSource.runMigrations();
    return ran.map((migration) => migration.name);
  } finally {
    await lock.query(`SELECT pg_advisory_unlock(hashtext('outcomes-migrate'))`).catch(() => undefined);
    await lock.release();
    await dataSource.destroy();
  }
}
