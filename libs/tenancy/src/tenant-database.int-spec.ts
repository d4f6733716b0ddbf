import { randomUUID } from 'node:crypto';
import { AppError } from '@outcomes/contracts';
import { FairTurns } from '@outcomes/platform';
import { createTestDatabaseWith, freePort, waitUntil, type TestDatabase } from '@outcomes/testing';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { mintTenantScope } from './mint';
import { mintSystemScope } from './system';
import { TenantDatabase } from './tenant-database.service';
import type { TenantScope } from './tenant-scope';
import { together } from './together';

const POLICY = `company_id = nullif(current_setting('app.company_id', true), '')::uuid`;

const STATEMENT_TIMEOUT_MS = 300;

/** One table, protected as the schema protects its own. */
async function protectedNotes(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`
    CREATE TABLE notes (company_id uuid NOT NULL, text text NOT NULL);
    ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
    ALTER TABLE notes FORCE ROW LEVEL SECURITY;
    CREATE POLICY own ON notes USING (${POLICY}) WITH CHECK (${POLICY});
    GRANT SELECT, INSERT, DELETE ON notes TO pg_monitor`);
  await client.end();
}

describe('the tenant database', () => {
  const scope = mintTenantScope(randomUUID());
  let database: TestDatabase;
  let dataSource: DataSource;
  let tenants: TenantDatabase;

  beforeAll(async () => {
    database = await createTestDatabaseWith(protectedNotes);
    // Any group role will do here; the project's own belong to the schema, which this library does not know.
    const url = await database.loginAs('pg_monitor');
    dataSource = await new DataSource({
      type: 'postgres',
      url,
      poolSize: 2,
      synchronize: false,
      extra: { pipeline: true, statement_timeout: STATEMENT_TIMEOUT_MS },
    }).initialize();
    tenants = new TenantDatabase(dataSource);
  });
  afterAll(async () => {
    await tenants.onApplicationShutdown();
    await dataSource.destroy();
    await database.drop();
  });

  const write = (text: string) =>
    tenants.transaction(scope, ({ client, companyId }) =>
      client.query('INSERT INTO notes VALUES ($1, $2)', [companyId, text]),
    );
  const stored = async () =>
    (await database.query<{ text: string }>('SELECT text FROM notes ORDER BY text')).map(({ text }) => text);

  it('gives up a connection to a server that takes no writes', async () => {
    const pids = new Set<number>();
    const demoted = () =>
      tenants.transaction(scope, async ({ client, companyId }) => {
        const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        for (const { pid } of rows) pids.add(pid);
        await client.query('SET TRANSACTION READ ONLY');
        await client.query('INSERT INTO notes VALUES ($1, $2)', [companyId, 'lost']);
      });
    for (let attempt = 0; attempt < 4; attempt += 1)
      await expect(demoted()).rejects.toMatchObject({ status: 503, cause: { code: '25006' } });
    expect(pids.size).toBe(4);
    // Mutation: a failure of another kind keeps its connection.
    const kept = new Set<number>();
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const failing = tenants.transaction(scope, async ({ client }) => {
        const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        for (const { pid } of rows) kept.add(pid);
        await client.query('SELECT 1 / 0');
      });
      await expect(failing).rejects.toMatchObject({ status: 500 });
    }
    expect(kept.size).toBeLessThanOrEqual(2);
  });

  it('commits what resolves', async () => {
    await write('kept');
    expect(await stored()).toEqual(['kept']);
  });

  it('passes for unavailable where the lock is not to be had, though the work has begun', async () => {
    const lock = 42;
    let failure: unknown;
    await tenants.exclusive(scope, lock, async () => {
      failure = await tenants
        .exclusive(scope, lock, ({ client, companyId }) =>
          client.query('INSERT INTO notes VALUES ($1, $2)', [companyId, 'locked out']),
        )
        .catch((error: unknown) => error);
    });
    expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await stored()).not.toContain('locked out');
  });

  it('lets nothing that was under way reach the connection after the rollback', async () => {
    const steps: string[] = [];
    const failure = await tenants
      .transaction(scope, async ({ client }) => {
        const severalStatements = async () => {
          for (let at = 0; at < 5; at += 1) {
            await client.query('SELECT 1').catch(() => undefined);
            steps.push('statement');
          }
        };
        await together(client.query('SELECT 1/0'), severalStatements());
      })
      .catch((error: unknown) => steps.push('rolled back') && error);
    expect(failure).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(steps).toEqual([...new Array<string>(5).fill('statement'), 'rolled back']);
  });

  it('reads one state of the database in a snapshot, and writes nothing there', async () => {
    const count = 'SELECT count(*)::int AS notes FROM notes';
    const seen = await tenants.snapshot(scope, async ({ client }) => {
      const before = await client.query<{ notes: number }>(count);
      await write('meanwhile');
      const after = await client.query<{ notes: number }>(count);
      return [before.rows[0]?.notes, after.rows[0]?.notes];
    });
    expect(seen[0]).toBe(seen[1]);
    const refused = tenants.snapshot(scope, ({ client }) => client.query('DELETE FROM notes'));
    await expect(refused).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await database.query(`DELETE FROM notes WHERE text = 'meanwhile'`);
  });

  it('rolls back what rejects, and passes a catalogued error on', async () => {
    const refused = tenants.transaction(scope, async ({ client, companyId }) => {
      await client.query('INSERT INTO notes VALUES ($1, $2)', [companyId, 'lost']);
      throw new AppError('EVENT_NOT_FOUND');
    });
    await expect(refused).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    expect(await stored()).toEqual(['kept']);
  });

  it('gives TypeORM and the bare client the same transaction', async () => {
    await tenants.transaction(scope, async ({ client, manager, companyId }) => {
      await client.query('INSERT INTO notes VALUES ($1, $2)', [companyId, 'inside']);
      expect(await manager.query('SELECT text FROM notes ORDER BY text')).toEqual([
        { text: 'inside' },
        { text: 'kept' },
      ]);
      await client.query(`DELETE FROM notes WHERE text = 'inside'`);
    });
  });

  it('shows one tenant nothing of another, and lets it write nothing there', async () => {
    const other = mintTenantScope(randomUUID());
    const seen = await tenants.transaction(other, ({ client }) => client.query('SELECT 1 FROM notes'));
    expect(seen.rowCount).toBe(0);
    const forged = tenants.transaction(other, ({ client }) =>
      client.query('INSERT INTO notes VALUES ($1, $2)', [scope.companyId, 'forged']),
    );
    await expect(forged).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(await stored()).toEqual(['kept']);
  });

  it('turns a commit that Postgres made a rollback of into an error', async () => {
    const swallowed = tenants.transaction(scope, async ({ client, companyId }) => {
      await client.query('INSERT INTO notes VALUES ($1, $2)', [companyId, 'half']);
      await client.query('SELECT 1 / 0').catch(() => undefined);
    });
    await expect(swallowed).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(await stored()).toEqual(['kept']);
  });

  it('answers 503 while a backend is killed under it, and works again afterwards', async () => {
    const killed = tenants.transaction(scope, async ({ client }) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await database.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      await client.query('SELECT 1');
    });
    await expect(killed).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await write('after');
    expect(await stored()).toEqual(['after', 'kept']);
  });

  describe('reads that share a connection', () => {
    const own = (companyId: string) => ({
      name: 'own-notes',
      text: `SELECT text, pg_backend_pid() AS pid
        FROM set_config('app.company_id', $1, true) AS tenant (setting),
          LATERAL (SELECT text FROM notes WHERE tenant.setting IS NOT NULL ORDER BY text OFFSET 0) AS found`,
      values: [companyId],
    });
    const read = (of: TenantScope) => tenants.read<{ text: string; pid: number }>(of, own(of.companyId));

    it('are told apart by company, however they overlap', async () => {
      const other = mintTenantScope(randomUUID());
      const asked = Array.from({ length: 60 }, (_, n) => (n % 3 === 0 ? scope : other));
      const answers = await Promise.all(asked.map(read));
      expect(answers.map((rows) => rows.length)).toEqual(asked.map((one) => (one === scope ? 2 : 0)));
      expect(new Set(answers.flatMap((rows) => rows.map(({ pid }) => pid))).size).toBe(1);
    });

    it('leave no setting behind for the next', async () => {
      await read(scope);
      const setting = `SELECT nullif(current_setting('app.company_id', true), '') AS company`;
      const [after] = await tenants.read<{ company: string | null }>(mintSystemScope(), {
        ...{ name: 'setting', text: setting, values: [] },
      });
      expect(after?.company).toBeNull();
    });

    it('fail alone', async () => {
      const broken = { name: 'broken', text: 'SELECT 1 / $1::integer', values: [0] };
      const [before, failed, after] = await Promise.allSettled([
        read(scope),
        tenants.read(mintSystemScope(), broken),
        read(scope),
      ]);
      expect([before, after].map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
      expect(failed).toMatchObject({ reason: { code: 'INTERNAL_ERROR' } });
    });

    it('get a new connection where theirs is lost: 503 for what was under way', async () => {
      const [first] = await read(scope);
      const slow = tenants.read(mintSystemScope(), {
        ...{ name: 'slow', text: 'SELECT pg_sleep($1)', values: [30] },
      });
      const lost = expect(slow).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      await waitUntil('the read to be under way', async () => {
        const rows = await database.query(
          `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND query LIKE '%pg_sleep%'`,
          [first?.pid],
        );
        return rows.length > 0;
      });
      await database.query('SELECT pg_terminate_backend($1)', [first?.pid]);
      await lost;
      const [again] = await read(scope);
      expect(again?.pid).not.toBe(first?.pid);
    });

    it('are refused where they name another tenant than their scope', async () => {
      const other = own(randomUUID());
      for (const refused of [tenants.read(scope, other), tenants.statement(scope, other)])
        await expect(refused).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    });

    it('are refused after the end', async () => {
      const ended = new TenantDatabase(dataSource);
      await ended.read(scope, own(scope.companyId));
      await ended.onApplicationShutdown();
      await expect(ended.read(scope, own(scope.companyId))).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
      });
    });
  });

  it('leaves connections to others, whatever one tenant has under way', async () => {
    const [mine, other] = [mintTenantScope(randomUUID()), mintTenantScope(randomUUID())];
    const shared = new TenantDatabase(dataSource, new FairTurns(1, 100));
    let end!: () => void;
    const held = shared.transaction(mine, () => new Promise<void>((resolve) => (end = resolve)));
    const waiting = Array.from({ length: 5 }, () => shared.transaction(mine, () => Promise.resolve()));
    const refused = expect(Promise.any(waiting)).rejects.toMatchObject({
      errors: Array(5).fill(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' })),
    });
    // Mutation: without turns the second of them takes the last connection of the pool.
    expect(await shared.transaction(other, () => Promise.resolve('theirs'))).toBe('theirs');
    await refused;
    end();
    await held;
    expect(await shared.transaction(mine, () => Promise.resolve('again'))).toBe('again');
  });

  it('answers 503 where nobody listens', async () => {
    const nobody = new DataSource({
      type: 'postgres',
      url: `postgres://x@127.0.0.1:${await freePort()}/x`,
      connectTimeoutMS: 500,
    });
    const refused = new TenantDatabase(nobody).transaction(scope, () => Promise.resolve());
    await expect(refused).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
