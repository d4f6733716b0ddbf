import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import type { MIGRATIONS } from './all-migrations';
import type { DatabaseOptions } from './client-config';
import { createDataSource } from './data-source';

const LOCK_PAUSE_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs those that have not run yet, again after a pause where one waited too long for a lock.
 * @param patienceMs - for how long it is tried again
 */
export async function runMissing(
  options: DatabaseOptions,
  migrations: typeof MIGRATIONS,
  patienceMs: number,
): Promise<void> {
  const patience = performance.now() + patienceMs;
  const dataSource = createDataSource(options).setOptions({ migrations });
  await dataSource.initialize();
  try {
    for (;;) {
      try {
        await dataSource.runMigrations();
        return;
      } catch (error) {
        if (!isLockFailure(error) || performance.now() > patience) throw error;
        await pause(LOCK_PAUSE_MS);
      }
    }
  } finally {
    await dataSource.destroy();
  }
}

function isLockFailure(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const driverError: unknown = error.driverError;
  return driverError instanceof DatabaseError && driverError.code === LOCK_NOT_AVAILABLE;
}
