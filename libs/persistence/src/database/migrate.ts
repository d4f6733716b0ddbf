import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { MigrationInterface } from 'typeorm';
import { MIGRATIONS } from './all-migrations';
import { ensureGroupRoles } from '../protection/group-roles';
import { restoreProtection } from '../protection/restore-protection';
import { clientConfig, type DatabaseOptions } from './client-config';
import type * as RunMigrations from './run-migrations';
import { SteadyClient } from './steady-client';

type Migrations = typeof MIGRATIONS;

/** How long a statement of a migration may take, or wait for its turn. */
const MIGRATION_TIMEOUT_MS = 30 * 60_000;
/**
 * One beside the traffic may build an index over everything there is, and nobody waits for it: how long that may take is up
 * to whoever started it, such as the deadline of the Job.
 */
const INDEX_TIMEOUT_MS = 7 * 24 * 3_600_000;
/**
 * How long a migration waits for a lock: everybody who comes after it waits behind it, however harmless. Then it lets
 * them pass, and tries again after a pause.
 */
const LOCK_TIMEOUT_MS = 2_000;
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
  return namesOf(MIGRATIONS);
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
  return asMigrator(url, async (client) => {
    const hasBackupRole = await ensureGroupRoles(client);
    return {
      migrations: await runMigrations(url, MIGRATIONS, client),
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
  await asMigrator(url, async (client) => {
    await ensureGroupRoles(client);
    await runMigrations(url, wanted, client);
  });
}

/** @returns names of those that had not run, in the order in which they ran now */
async function runMigrations(url: string, migrations: Migrations, client: Client): Promise<string[]> {
  const before = await namesThatRan(client);
  const ran = new Set(before);
  if (namesOf(migrations).every((name) => ran.has(name))) return [];
  // Only now: to load the ORM takes longer than everything else where there is nothing to do.
  const { runMissing } = createRequire(__filename)('./run-migrations') as typeof RunMigrations;
  for (const [index, migration] of migrations.entries()) {
    const next = migrations[index + 1];
    if (next && isTransactional(next) === isTransactional(migration)) continue;
    const bounds = isTransactional(migration)
      ? { lockTimeoutMs: LOCK_TIMEOUT_MS }
      : { statementTimeoutMs: INDEX_TIMEOUT_MS };
    const options = { ...connectionTo(url), ...bounds };
    await runMissing(options, migrations.slice(0, index + 1), MIGRATION_TIMEOUT_MS);
  }
  return (await namesThatRan(client)).slice(before.length);
}

function namesOf(migrations: Migrations): string[] {
  return migrations.map((migration) => new migration().name);
}

async function namesThatRan(client: Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string | null }>(
    `SELECT to_regclass('schema_migrations') AS name`,
  );
  if (!tables[0]?.name) return [];
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY id');
  return rows.map(({ name }) => name);
}

/** Without a transaction an index is built beside the traffic: that waits for others, and nobody for it. */
function isTransactional(migration: Migrations[number]): boolean {
  return (new migration() as MigrationInterface).transaction !== false;
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

async function asMigrator<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new SteadyClient(clientConfig(connectionTo(url)));
  try {
    await client.connect();
    await takeLock(client);
    return await work(client);
  } finally {
    await client.query(`SELECT pg_advisory_unlock(hashtext('outcomes-migrate'))`).catch(() => undefined);
    await client.end().catch(() => undefined);
  }
}

/**
 * Asks again and again instead of waiting in Postgres: a statement that waits holds a snapshot, and an index that is
 * built concurrently would wait for that, while it holds the lock that the statement waits for.
 */
async function takeLock(client: Client): Promise<void> {
  const patience = performance.now() + MIGRATION_TIMEOUT_MS;
  for (;;) {
    const { rows } = await client.query<{ isOurs: boolean }>(
      `SELECT pg_try_advisory_lock(hashtext('outcomes-migrate')) AS "isOurs"`,
    );
    if (rows[0]?.isOurs) return;
    if (performance.now() > patience) {
      throw new Error(`another migration has been running for ${MIGRATION_TIMEOUT_MS / 60_000} minutes`);
    }
    await pause(LOCK_POLL_MS);
  }
}
