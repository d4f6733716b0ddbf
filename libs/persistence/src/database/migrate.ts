import { setTimeout as pause } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';
import { createDataSource } from './data-source';

/** A migration may build an index over everything there is. */
const MIGRATION_TIMEOUT_MS = 30 * 60_000;
/** How often it is asked whether another migration is over. */
const LOCK_POLL_MS = 100;

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
    await takeLock(lock);
    const ran = await dataSource.runMigrations();
    return ran.map((migration) => migration.name);
  } finally {
    await lock.query(`SELECT pg_advisory_unlock(hashtext('outcomes-migrate'))`).catch(() => undefined);
    await lock.release();
    await dataSource.destroy();
  }
}

/**
 * Asks again and again instead of waiting in Postgres: a statement that waits holds a snapshot, and an index that is
 * built concurrently would wait for that, while it holds the lock that the statement waits for.
 */
async function takeLock(runner: QueryRunner): Promise<void> {
  const patience = performance.now() + MIGRATION_TIMEOUT_MS;
  for (;;) {
    const [row] = (await runner.query(
      `SELECT pg_try_advisory_lock(hashtext('outcomes-migrate')) AS "isOurs"`,
    )) as readonly { readonly isOurs: boolean }[];
    if (row?.isOurs) return;
    if (performance.now() > patience) {
      throw new Error(`another migration has been running for ${MIGRATION_TIMEOUT_MS / 60_000} minutes`);
    }
    await pause(LOCK_POLL_MS);
  }
}
