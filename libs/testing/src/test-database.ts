import { randomBytes } from 'node:crypto';
import { Client, Pool, type QueryResultRow } from 'pg';
import { testServerSetting } from './test-servers.config';

export interface TestDatabase {
  /** URL as the owner of everything; migrations and set-up only. */
  readonly ownerUrl: string;
  /** URL of a fresh login role inside a group role, as services have. */
  loginAs(group: string): Promise<string>;
  /** One statement as the owner (row-level security is forced on owners too, superusers excepted). */
  query<Row extends QueryResultRow>(text: string, parameters?: readonly unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/**
 * A database of its own in the cluster that `npm test` started, with the newest schema: a copy of the one that `npm test`
 * migrated.
 */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(`TEMPLATE ${testServerSetting('TEST_TEMPLATE')}`);
}

/**
 * The same with another schema.
 * @param build - makes the schema in the empty database
 */
export function createTestDatabaseWith(build: (ownerUrl: string) => Promise<unknown>): Promise<TestDatabase> {
  return createDatabase('', build);
}

async function createDatabase(
  clause: string,
  build?: (ownerUrl: string) => Promise<unknown>,
): Promise<TestDatabase> {
  const clusterUrl = testServerSetting('TEST_DATABASE_URL');
  const suffix = randomBytes(6).toString('hex');
  const name = `test_${suffix}`;
  // Copying its files takes a seventh of the CPU that copying it page by page through the log of a server without fsync takes.
  await onceAs(clusterUrl, (client) => client.query(`CREATE DATABASE ${name} ${clause} STRATEGY file_copy`));
  const ownerUrl = withPath(clusterUrl, name);
  await build?.(ownerUrl);
  return openTestDatabase(ownerUrl, { suffix, drop: `DROP DATABASE IF EXISTS ${name} WITH (FORCE)` });
}

/**
 * A test database as a suite uses it.
 * @param own - where the suite is the one that made it; others leave it, and its logins, to that one
 */
export async function openTestDatabase(
  ownerUrl: string,
  own?: { readonly suffix: string; readonly drop: string },
): Promise<TestDatabase> {
  const clusterUrl = testServerSetting('TEST_DATABASE_URL');
  const suffix = own?.suffix ?? randomBytes(6).toString('hex');
  // One connection, at which statements that are asked for at once wait for their turn.
  const owner = new Pool({ connectionString: ownerUrl, max: 1, idleTimeoutMillis: 0 });
  // Whoever cuts connections, as dropping the database does, finds this one idle; a statement on its way fails itself.
  owner.on('error', () => undefined);
  (await owner.connect()).release();
  const roles: string[] = [];
  return {
    ownerUrl,
    async loginAs(group) {
      const role = `login_${suffix}_${roles.length}`;
      roles.push(role);
      // On a connection of its own: a test may have a transaction open, or wait for a statement.
      const create = `CREATE ROLE ${role} LOGIN PASSWORD '${suffix}' IN ROLE ${group}`;
      await onceAs(clusterUrl, (client) => client.query(create));
      const url = new URL(ownerUrl);
      url.username = role;
      url.password = suffix;
      return url.toString();
    },
    async query<Row extends QueryResultRow>(text: string, parameters: readonly unknown[] = []) {
      return (await owner.query<Row>(text, [...parameters])).rows;
    },
    async drop() {
      await owner.end();
      if (!own) return;
      await onceAs(clusterUrl, async (client) => {
        await client.query(own.drop);
        for (const role of roles) await client.query(`DROP ROLE IF EXISTS ${role}`);
      });
    },
  };
}

/** The Redis that `npm test` started. */
export function testRedisUrl(): string {
  return testServerSetting('TEST_REDIS_URL');
}

/** A key prefix of one suite alone, so that counters and queues of suites never meet. */
export function testRedisPrefix(): string {
  return `{t${randomBytes(6).toString('hex')}}`;
}

async function onceAs(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function withPath(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
}
