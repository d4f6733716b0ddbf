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
import type { TenantTransaction } from './transactions';

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
    // The one note of this tenant, and none of another.
    expect(seen).toEqual([1, 1]);
    const foreign = tenants.snapshot(mintTenantScope(randomUUID()), ({ client }) =>
      client.query<{ notes: number }>(count),
    );
    expect((await foreign).rows).toEqual([{ notes: 0 }]);
    let pid: number | undefined;
    const pidIn = async ({ client }: TenantTransaction) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      return rows[0]?.pid;
    };
    const refused = tenants.snapshot(scope, async (transaction) => {
      pid = await pidIn(transaction);
      await transaction.client.query('DELETE FROM notes');
    });
    await expect(refused).rejects.toMatchObject({ code: 'INTERNAL_ERROR', cause: { code: '25006' } });
    // It is our fault and not the server's: the connection stays.
    const alive = await database.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid]);
    expect(alive).toHaveLength(1);
    const other = tenants.snapshot(scope, ({ client }) => client.query('SELECT 1 / 0'));
    await expect(other).rejects.toMatchObject({ code: 'INTERNAL_ERROR', cause: { code: '22012' } });
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
      for (const refused of [() => tenants.read(scope, other), () => tenants.statement(scope, other)])
        await expect(refused()).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
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

  describe('with a lock', () => {
    it('is alone with it in its class and tenant, and with nothing else', async () => {
      const others: [TenantScope, number][] = [
        [scope, 43],
        [mintTenantScope(randomUUID()), 42],
      ];
      await tenants.exclusive(scope, 42, async () => {
        for (const [of, lock] of others)
          expect(await tenants.exclusive(of, lock, () => Promise.resolve('had'))).toBe('had');
      });
      expect(await tenants.exclusive(scope, 42, () => Promise.resolve('had again'))).toBe('had again');
    });

    it('sees its tenant alone, and looks rows up by their keys with one plan, to its end', async () => {
      const shown = (names: readonly string[]) =>
        `SELECT array[${names.map((name) => `current_setting('${name}', true)`).join(', ')}] AS settings`;
      const query = shown(['app.company_id', 'enable_seqscan', 'plan_cache_mode']);
      const settingsIn = async ({ client }: Pick<TenantTransaction, 'client'>) =>
        (await client.query<{ settings: string[] }>(query)).rows[0]?.settings;
      expect(await tenants.exclusive(scope, 42, settingsIn)).toEqual([
        ...[scope.companyId, 'off', 'force_generic_plan'],
      ]);
      // Of the two connections of the pool, whichever it was.
      for (let n = 0; n < 4; n += 1)
        expect(await tenants.unscoped(mintSystemScope(), settingsIn)).toEqual(['', 'on', 'auto']);
    });

    it('fails with what it sent, where that failed long before the work ends', async () => {
      const unheard = jest.fn();
      process.on('unhandledRejection', unheard);
      const failing = tenants.exclusive(scope, 42, async ({ client }, commitWith) => {
        commitWith(client.query('SELECT 1 / 0'));
        await client.query('SELECT 1').catch(() => undefined);
        await new Promise(setImmediate);
      });
      await expect(failing).rejects.toMatchObject({ cause: { code: '22012' } });
      process.off('unhandledRejection', unheard);
      // Mutation: a failure that nobody hears for a moment ends the process.
      expect(unheard).not.toHaveBeenCalled();
    });

    it('commits what it sent and did not wait for, or nothing', async () => {
      const insert = 'INSERT INTO notes VALUES ($1, $2)';
      const send = (texts: readonly string[], broken: boolean) =>
        tenants.exclusive(scope, 42, ({ client, companyId }, commitWith) => {
          for (const text of texts) commitWith(client.query(insert, [companyId, text]));
          if (broken) commitWith(client.query('SELECT 1 / 0'));
          return Promise.resolve('sent');
        });
      await expect(send(['half'], true)).rejects.toMatchObject({
        ...{ code: 'INTERNAL_ERROR', cause: { code: '22012' } },
      });
      expect(await stored()).not.toContain('half');
      expect(await send(['one', 'two'], false)).toBe('sent');
      expect(await stored()).toEqual(expect.arrayContaining(['one', 'two']));
      await database.query(`DELETE FROM notes WHERE text IN ('one', 'two')`);
    });
  });

  it('tells Postgres what a system scope says, to the letter, and for its transaction alone', async () => {
    const said = `O'Brien\\'; DROP TABLE notes; --`;
    const settings = { 'app.key_id': said, 'app.portal_id': 'p-1' };
    const query = `SELECT current_setting('app.key_id', true) AS key, current_setting('app.portal_id', true) AS portal`;
    const [within] = await tenants.unscoped(
      mintSystemScope(settings),
      async ({ client, manager, ...scope }) => {
        expect(scope).toEqual({ settings });
        expect(await manager.query(query)).toEqual([{ key: said, portal: 'p-1' }]);
        return (await client.query(query)).rows;
      },
    );
    expect(within).toEqual({ key: said, portal: 'p-1' });
    for (let n = 0; n < 4; n += 1)
      await tenants.unscoped(mintSystemScope(), async ({ client }) =>
        expect((await client.query<{ key: string }>(query)).rows[0]?.key || null).toBeNull(),
      );
  });

  it('runs one statement in a transaction of its own', async () => {
    const insert = {
      name: 'insert-note',
      text: `WITH tenant AS (SELECT set_config('app.company_id', $1, true) AS setting)
        INSERT INTO notes SELECT setting::uuid, $2 FROM tenant RETURNING text`,
      values: [scope.companyId, 'at once'],
    };
    expect(await tenants.statement(scope, insert)).toEqual([{ text: 'at once' }]);
    expect(await stored()).toContain('at once');
    await database.query(`DELETE FROM notes WHERE text = 'at once'`);
    const failing = tenants.statement(mintSystemScope(), {
      name: 'fails',
      text: 'SELECT 1 / $1::int',
      values: [0],
    });
    await expect(failing).rejects.toMatchObject({ code: 'INTERNAL_ERROR', cause: { code: '22012' } });
  });

  it('hears what transactions tell with their commit, and of a pooler nothing', async () => {
    const heard: string[] = [];
    const on = { message: (payload: string) => heard.push(payload), gap: () => {} };
    const channel = tenants.listen('news', on);
    await waitUntil('the channel to be heard', () => channel.isHeard);
    await tenants.transaction(scope, ({ client }) => client.query(`NOTIFY news, 'told'`));
    await waitUntil('the message', () => heard.length > 0);
    expect(heard).toEqual(['told']);
    channel.stop();
    const { options } = (dataSource.driver as unknown as { master: { options: Record<string, unknown> } })
      .master;
    options['isPooled'] = true;
    const connected = jest.spyOn(Client.prototype, 'connect');
    tenants.listen('news', on).stop();
    expect(connected).not.toHaveBeenCalled();
    delete options['isPooled'];
    tenants.listen('news', on).stop();
    expect(connected).toHaveBeenCalledTimes(1);
    jest.restoreAllMocks();
  });

  it('reads from a replica where there is one that is young enough, and ends its connection', async () => {
    const replica = {
      config: { connectionString: database.ownerUrl, application_name: 'replica' },
      maxAgeMs: 60_000,
    };
    const replicated = new TenantDatabase(dataSource, undefined, replica);
    const connections = () =>
      database.query<{ query: string }>(
        `SELECT query FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'replica'`,
      );
    replicated.onModuleInit();
    await waitUntil('the replica to be asked', async () =>
      (await connections()).some(({ query }) => query.includes('pg_last_wal_replay_lsn')),
    );
    // It is no standby, so the primary answers.
    const who = { name: 'who', text: `SELECT current_setting('application_name') AS name`, values: [] };
    expect(await replicated.read(mintSystemScope(), who)).not.toEqual([{ name: 'replica' }]);
    await replicated.onApplicationShutdown();
    await waitUntil('the connection to end', async () => (await connections()).length === 0);
  });

  it('answers 503 where nobody listens', async () => {
    const nobody = new DataSource({
      type: 'postgres',
      url: `postgres://x@127.0.0.1:${await freePort()}/x`,
      connectTimeoutMS: 500,
    });
    const away = new TenantDatabase(nobody);
    away.onModuleInit();
    const query = { name: 'one', text: 'SELECT 1', values: [] };
    for (const refused of [
      () => away.transaction(scope, () => Promise.resolve()),
      () => away.unscoped(mintSystemScope(), () => Promise.resolve()),
      () => away.statement(mintSystemScope(), query),
      () => away.read(mintSystemScope(), query),
    ])
      await expect(refused()).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        headers: { 'Retry-After': '2' },
      });
    const channel = away.listen('news', { message: () => {}, gap: () => {} });
    expect(channel.isHeard).toBe(false);
    channel.stop();
    await away.onApplicationShutdown();
  });
});
