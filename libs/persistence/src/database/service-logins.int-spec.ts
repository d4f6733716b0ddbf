import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import { Client } from 'pg';
import { migrateDatabase } from './migrate';
import { createServiceLogins, SERVICE_LOGINS } from './service-logins';

describe('logins of services', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
  });
  afterAll(() => database.drop());

  it('work, bypass nothing, own nothing, and cannot change the schema', async () => {
    const urls = await createServiceLogins(database.ownerUrl);
    for (const [name, { role }] of Object.entries(SERVICE_LOGINS)) {
      const client = new Client({ connectionString: urls[name as keyof typeof urls] });
      await client.connect();
      const { rows } = await client.query<{ user: string; bypass: boolean; super: boolean }>(
        `SELECT current_user AS user, rolbypassrls AS bypass, rolsuper AS super FROM pg_roles
          WHERE rolname = current_user`,
      );
      expect(rows).toEqual([{ user: role, bypass: false, super: false }]);
      for (const statement of [
        'CREATE TABLE mine (id int)',
        'ALTER TABLE companies DISABLE ROW LEVEL SECURITY',
        'SET ROLE postgres',
        'DROP POLICY own_company ON companies',
      ]) {
        await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
      }
      await client.end();
    }
  });
});
