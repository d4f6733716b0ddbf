import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import { protectionFaults } from '../../test/protection-faults';

const SETTING = `nullif(current_setting('app.company_id', true), '')::uuid`;
const SECURE = 'ALTER TABLE planted ENABLE ROW LEVEL SECURITY; ALTER TABLE planted FORCE ROW LEVEL SECURITY';

describe('row-level security', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('covers every table that has a company_id, and no service role can step around it', async () => {
    expect(await protectionFaults(database)).toEqual([]);
  });

  it('covers every table there is but the list of migrations', async () => {
    const tables = await database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'public' AND relkind IN ('r', 'p') AND NOT relrowsecurity`,
    );
    expect(tables.map(({ name }) => name)).toEqual(['schema_migrations']);
  });

  it.each([
    ['without any', ''],
    ['that is not forced', 'ALTER TABLE planted ENABLE ROW LEVEL SECURITY'],
    ['without a policy', SECURE],
    [
      'whose policy checks no writes',
      `${SECURE}; CREATE POLICY p ON planted USING (company_id = ${SETTING})`,
    ],
    [
      'whose policy shows all',
      `${SECURE}; CREATE POLICY p ON planted USING (true) WITH CHECK (company_id = ${SETTING})`,
    ],
    [
      'whose policy takes all',
      `${SECURE}; CREATE POLICY p ON planted USING (company_id = ${SETTING}) WITH CHECK (true)`,
    ],
    [
      'that is owned by a service',
      `${SECURE}; CREATE POLICY p ON planted USING (company_id = ${SETTING}) WITH CHECK (company_id = ${SETTING});
       ALTER TABLE planted OWNER TO outcomes_worker`,
    ],
  ])('a table %s is found', async (_what, protection) => {
    await database.query(`CREATE TABLE planted (company_id uuid, text text); ${protection}`);
    expect((await protectionFaults(database)).join()).toContain('planted');
    await database.query('DROP TABLE planted');
  });

  it('leaves no index unused: none is over an expression that might tell of a row before its policy is looked at', async () => {
    const unused = async () => {
      const found = await database.query<{ index: string }>(
        `SELECT indexrelid::regclass::text AS index FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
         WHERE relnamespace = 'public'::regnamespace AND relrowsecurity AND indexprs IS NOT NULL ORDER BY 1`,
      );
      return found.map(({ index }) => index);
    };
    expect(await unused()).toEqual([]);
    await database.query(
      `CREATE INDEX planted ON workflow_decisions (company_id, ((result::jsonb) ->> 'action'))`,
    );
    expect(await unused()).toEqual(['planted']);
    await database.query('DROP INDEX planted');
  });

  it('a view over tenants is found: it would read with the rights of its owner', async () => {
    await database.query('CREATE VIEW planted AS SELECT company_id FROM touches');
    expect((await protectionFaults(database)).join()).toContain('planted');
    await database.query('DROP VIEW planted');
  });
});
