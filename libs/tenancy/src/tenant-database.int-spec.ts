import { randomUUID } from 'node:crypto';
import { AppError } from '@outcomes/contracts';
import { createTestDatabase, freePort, type TestDatabase } from '@outcomes/testing';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { mintTenantScope } from './mint';
import { TenantDatabase } from './tenant-database.service';

const POLICY = `company_id = nullif(current_setting('app.company_id', true), '')::uuid`;

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
    database = await createTestDatabase(protectedNotes);
    // Any group role will do here; the project's own belong to the schema, which this library does not know.
    const url = await database.loginAs('pg_monitor');
    dataSource = await new DataSource({
      type: 'postgres',
      url,
      poolSize: 2,
      synchronize: false,
    }).initialize();
    tenants = new TenantDatabase(dataSource);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const write = (text: string) =>
    tenants.transaction(scope, ({ client, companyId }) =>
      client.query('INSERT INTO notes VALUES ($1, $2)', [companyId, text]),
    );
  const stored = async () =>
    (await database.query<{ text: string }>('SELECT text FROM notes ORDER BY text')).map(({ text }) => text);

  it('commits what resolves', async () => {
    await write('kept');
    expect(await stored()).toEqual(['kept']);
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
