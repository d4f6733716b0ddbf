import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import { clientConfig } from './client-config';
import { SteadyClient } from './steady-client';
import { UnnamedClient } from './unnamed-client';

/** How the server was asked, with a company of none. */
const ASKED = `SELECT query, (SELECT $1::uuid) AS company FROM pg_stat_activity WHERE pid = pg_backend_pid()`;
const NOBODY = '00000000-0000-0000-0000-000000000000';

describe('a connection', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  async function asked(Client: typeof SteadyClient): Promise<string> {
    const options = { applicationName: 'dialect', statementTimeoutMs: 5_000, connectTimeoutMs: 5_000 };
    const client = new Client(clientConfig({ ...options, url: await database.loginAs('outcomes_ingest') }));
    await client.connect();
    try {
      const { rows } = await client.query<{ query: string; company: string }>({
        ...{ name: 'asked', text: ASKED, values: [NOBODY] },
      });
      expect(rows[0]?.company).toBe(NOBODY);
      return rows[0]?.query ?? '';
    } finally {
      await client.end();
    }
  }

  it('to Postgres has statements sent as they are', async () => {
    expect(await asked(SteadyClient)).toBe(ASKED);
  });

  it('to Citus has them sent as Citus reads them, with a pooler in between, too', async () => {
    // What Citus is known by. The extension itself is not on the machine.
    await database.query('SET allow_system_table_mods = on');
    await database.query(
      `INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
       SELECT 99999, 'citus', oid, 11, false, '13.2' FROM pg_roles WHERE rolname = current_user`,
    );
    for (const Client of [SteadyClient, UnnamedClient])
      expect(await asked(Client)).toBe(ASKED.replace('(SELECT $1::uuid)', '$1::uuid'));
  });
});
