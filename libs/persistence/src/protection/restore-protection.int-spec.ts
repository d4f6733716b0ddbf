import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import { Client } from 'pg';
import { bringUp } from '../database/migrate';
import { protectionFaults } from './restore-protection';

describe('the protection of the tables', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const faults = async (url = database.ownerUrl) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await protectionFaults(client)).map(({ what }) => what);
    } finally {
      await client.end();
    }
  };

  it('is the catalogue, as the migrations make it and as every login sees it', async () => {
    expect(await faults()).toEqual([]);
    expect(await faults(await database.loginAs('outcomes_reader'))).toEqual([]);
  });

  it('names every policy and every right of the database', async () => {
    // Mutation: whatever the catalogue did not know would be in excess, and whatever it knew too much would be missing.
    const [{ policies, rights } = { policies: 0, rights: 0 }] = await database.query<{
      policies: number;
      rights: number;
    }>(
      `SELECT (SELECT count(*)::int FROM pg_policies WHERE schemaname = 'public') AS policies,
         (SELECT count(*)::int FROM pg_class CROSS JOIN LATERAL aclexplode(relacl) JOIN pg_roles r ON r.oid = grantee
          WHERE relnamespace = 'public'::regnamespace AND rolname LIKE 'outcomes\\_%') AS rights`,
    );
    await database.query(`DO $$ DECLARE one record; BEGIN
      FOR one IN SELECT tablename, policyname FROM pg_policies WHERE schemaname = 'public' LOOP
        EXECUTE format('DROP POLICY %I ON %I', one.policyname, one.tablename);
      END LOOP;
      FOR one IN SELECT DISTINCT relname, rolname, relkind FROM pg_class CROSS JOIN LATERAL aclexplode(relacl)
        JOIN pg_roles r ON r.oid = grantee
        WHERE relnamespace = 'public'::regnamespace AND rolname LIKE 'outcomes\\_%' LOOP
        EXECUTE format('REVOKE ALL ON %s %I FROM %I', CASE WHEN one.relkind = 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
          one.relname, one.rolname);
      END LOOP;
    END $$`);
    const found = await faults();
    expect(found.filter((what) => what.startsWith('the policy'))).toHaveLength(policies);
    expect(found.filter((what) => what.endsWith('is not granted') && !what.includes('(')).length).toBe(
      rights,
    );
    await bringUp(database.ownerUrl);
    expect(await faults()).toEqual([]);
  });

  it.each([
    ['ALTER TABLE touches NO FORCE ROW LEVEL SECURITY', 'row-level security is not forced on touches'],
    ['ALTER TABLE claims DISABLE ROW LEVEL SECURITY', 'row-level security is not enabled on claims'],
    ['DROP POLICY own_company ON snapshots', 'the policy snapshots.own_company is missing'],
    [
      'ALTER POLICY own_company ON snapshots USING (true)',
      'the policy snapshots.own_company is not the one that was made',
    ],
    [
      'ALTER POLICY schedule ON companies TO PUBLIC',
      'the policy companies.schedule is not the one that was made',
    ],
    ['REVOKE SELECT ON touches FROM outcomes_reader', 'SELECT on touches to outcomes_reader is not granted'],
    [
      'REVOKE SELECT (outcome) ON outcome_events FROM outcomes_reader',
      'SELECT on outcome_events (outcome) to outcomes_reader is not granted',
    ],
    [
      'REVOKE SELECT ON SEQUENCE audit_log_sequence_seq FROM outcomes_worker',
      'SELECT on audit_log_sequence_seq to outcomes_worker is not granted',
    ],
    ['REVOKE SELECT ON touches FROM outcomes_backup', 'SELECT on touches to outcomes_backup is not granted'],
  ])(
    'is found wanting after %s, and put back by a migration that has nothing else to do',
    async (harm, what) => {
      await database.query(harm);
      expect(await faults()).toEqual([what]);
      expect(await bringUp(database.ownerUrl)).toMatchObject({ migrations: [], restored: [what] });
      expect(await faults()).toEqual([]);
    },
  );

  it.each([
    [
      'CREATE POLICY all_of_them ON touches USING (true)',
      'DROP POLICY all_of_them ON touches',
      "the policy touches.all_of_them is nobody's here",
    ],
    [
      'GRANT UPDATE ON audit_log TO outcomes_reader',
      'REVOKE UPDATE ON audit_log FROM outcomes_reader',
      'UPDATE on audit_log to outcomes_reader is granted, and should not be',
    ],
    [
      'GRANT SELECT ON touches TO PUBLIC',
      'REVOKE SELECT ON touches FROM PUBLIC',
      'SELECT on touches to PUBLIC is granted, and should not be',
    ],
  ])('shows what is too much after %s, and leaves it for a person to judge', async (excess, undo, what) => {
    await database.query(excess);
    expect(await bringUp(database.ownerUrl)).toMatchObject({ restored: [] });
    expect(await faults()).toEqual([what]);
    await database.query(undo);
  });

  it('lets those who may take on the role for backups read every row, and write none', async () => {
    await database.query(`INSERT INTO companies (company_id, name) VALUES (gen_random_uuid(), 'Any')`);
    const client = new Client({ connectionString: await database.loginAs('outcomes_backup') });
    await client.connect();
    const count = async () => (await client.query('SELECT FROM companies')).rowCount;
    expect(await count()).toBe(0);
    await client.query('SET ROLE outcomes_backup; SET row_security = off');
    expect(await count()).toBe(1);
    for (const statement of [
      'DELETE FROM companies',
      `UPDATE companies SET name = 'Mine'`,
      'TRUNCATE touches',
      'CREATE TABLE mine (id int)',
      'SET ROLE outcomes_admin',
    ])
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    await client.end();
  });
});
