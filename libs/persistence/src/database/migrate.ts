import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError, type Client } from 'pg';
import { QueryFailedError, type MigrationInterface, type QueryRunner } from 'typeorm';
import { ensureGroupRoles } from '../protection/group-roles';
import { restoreProtection } from '../protection/restore-protection';
import { createDataSource, MIGRATIONS, type DatabaseOptions } from './data-source';

type Migrations = typeof MIGRATIONS;

/** A migration may build an index over everything there is. */
const MIGRATION_TIMEOUT_MS = 30 * 60_000;
/**
 * How long a migration waits for a lock: everybody who comes after it waits behind it, however harmless. Then it lets
 * them pass, and tries again after the pause.
 */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_PAUSE_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';
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
  return asMigrator(url, async (runner) => {
    const client = (await runner.connect()) as Client;
    const hasBackupRole = await ensureGroupRoles(client);
    return {
      migrations: await runMigrations(url, MIGRATIONS, runner),
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
  await asMigrator(url, async (runner) => {
    await ensureGroupRoles((await runner.connect()) as Client);
    await runMigrations(url, wanted, runner);
  });
}

/** @returns names of those that had not run, in the order in which they ran now */
async function runMigrations(url: string, migrations: Migrations, runner: QueryRunner): Promise<string[]> {
  const before = await namesThatRan(runner);
  for (const [index, migration] of migrations.entries()) {
    const next = migrations[index + 1];
    if (next && isTransactional(next) === isTransactional(migration)) continue;
    await runUpTo(url, migrations.slice(0, index + 1), isTransactional(migration));
  }
  return (await namesThatRan(runner)).slice(before.length);
}

async function namesThatRan(runner: QueryRunner): Promise<string[]> {
  if (!(await runner.hasTable('schema_migrations'))) return [];
  const rows = (await runner.query('SELECT name FROM schema_migrations ORDER BY id')) as { name: string }[];
  return rows.map(({ name }) => name);
}

/** Without a transaction an index is built beside the traffic: that waits for others, and nobody for it. */
function isTransactional(migration: Migrations[number]): boolean {
  return (new migration() as MigrationInterface).transaction !== false;
}

async function runUpTo(url: string, migrations: Migrations, isHurried: boolean): Promise<void> {
  const patience = performance.now() + MIGRATION_TIMEOUT_MS;
  const dataSource = createDataSource({
    ...connectionTo(url),
    ...(isHurried && { lockTimeoutMs: LOCK_TIMEOUT_MS }),
  }).setOptions({ migrations });
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

function connectionTo(url: string): DatabaseOptions {
  return {
    url,
    applicationName: 'outcomes-migrate',
    poolSize: 1,
    statementTimeoutMs: MIGRATION_TIMEOUT_MS,
    connectTimeoutMs: 5_000,
  };
}

async function asMigrator<Result>(
  url: string,
  work: (runner: QueryRunner) => Promise<Result>,
): Promise<Result> {
  const dataSource = createDataSource(connectionTo(url));
  await dataSource.initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await takeLock(lock);
    return await work(lock);
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
