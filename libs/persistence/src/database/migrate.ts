import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { ensureGroupRoles } from '../protection/group-roles';
import { restoreProtection } from '../protection/restore-protection';
import { createDataSource, MIGRATIONS } from './data-source';

/** A migration may build an index over everything there is. */
const MIGRATION_TIMEOUT_MS = 30 * 60_000;
/** How often it is asked whether another migration is over. */
const LOCK_POLL_MS = 100;

export interface Migrated {
  /** Names of the migrations that ran now. */
  readonly migrations: readonly string[];
  /** Roles, grants, policies and row-level security that were missing or changed, in words. */
  readonly restored: readonly string[];
  /** Whether the cluster has the role that backups read with; see BACKUP_ROLE. */
  readonly hasBackupRole: boolean;
}

/** @returns names of all migrations, the first one first */
export function migrationNames(): string[] {
  return MIGRATIONS.map((migration) => new migration().name);
}

/**
 * Brings a database to the newest schema, as its owner.
 * @param url - Postgres URL of a role that may create tables and roles
 * @returns names of the migrations that ran now; empty where there was nothing to do
 */
export async function migrateDatabase(url: string): Promise<string[]> {
  return [...(await bringUp(url)).migrations];
}

/**
 * The same, and puts back what is missing of the roles, grants and policies that protect the tables.
 *
 * An advisory lock makes concurrent calls wait for one another instead of colliding.
 */
export async function bringUp(url: string): Promise<Migrated> {
  return asMigrator(url, MIGRATIONS, async (dataSource, runner) => {
    const client = (await runner.connect()) as Client;
    const hasBackupRole = await ensureGroupRoles(client);
    const ran = await dataSource.runMigrations();
    return {
      migrations: ran.map((migration) => migration.name),
      restored: await restoreProtection(client),
      hasBackupRole,
    };
  });
}

/**
 * Makes the schema of an earlier version in an empty database, for data that was taken from one.
 * @param names - of all migrations that had run there
 */
export async function bringUpTo(url: string, names: readonly string[]): Promise<void> {
  const wanted = MIGRATIONS.filter((migration) => names.includes(new migration().name));
  await asMigrator(url, wanted, async (dataSource, runner) => {
    await ensureGroupRoles((await runner.connect()) as Client);
    await dataSource.runMigrations();
  });
}

async function asMigrator<Result>(
  url: string,
  migrations: typeof MIGRATIONS,
  work: (dataSource: DataSource, runner: QueryRunner) => Promise<Result>,
): Promise<Result> {
  const dataSource = createDataSource({
    url,
    applicationName: 'outcomes-migrate',
    poolSize: 2,
    statementTimeoutMs: MIGRATION_TIMEOUT_MS,
    connectTimeoutMs: 5_000,
  }).setOptions({ migrations });
  await dataSource.initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await takeLock(lock);
    return await work(dataSource, lock);
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
