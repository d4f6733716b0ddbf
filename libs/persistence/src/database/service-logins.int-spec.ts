import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import { Client } from 'pg';
import {
  createServiceLogins,
  ensureServiceLogins,
  ForeignLoginError,
  GroupNotOursError,
  SERVICE_LOGINS,
} from './service-logins';

describe('logins of services', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
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
      expect((await client.query('SHOW jit')).rows).toEqual([{ jit: 'off' }]);
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

  it('take over a new password and a new name, and keep what is not named', async () => {
    const before = await createServiceLogins(database.ownerUrl);
    const renamed = new URL(before.readApi);
    renamed.username = `reader_${randomUUID().slice(0, 8)}`;
    renamed.password = "it's: a new/one";
    const repassworded = new URL(before.ingestApi);
    repassworded.password = 'another';
    const logins = { readApi: renamed.toString(), ingestApi: repassworded.toString() };
    await ensureServiceLogins(database.ownerUrl, logins);
    await ensureServiceLogins(database.ownerUrl, logins);
    for (const url of [before.readApi, logins.readApi, logins.ingestApi, before.cli]) {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query('SELECT count(*) FROM companies');
      await client.end();
    }
    await expect(new Client({ connectionString: before.ingestApi }).connect()).rejects.toMatchObject({
      code: '28P01',
    });
    await database.query(`REVOKE outcomes_reader FROM "${renamed.username}"`);
    await database.query(`DROP ROLE "${renamed.username}"`);
  });

  it('keep the stored form of a password that is still the same, by which a pooler may log in', async () => {
    const { readApi } = await createServiceLogins(database.ownerUrl);
    const stored = async () => {
      const [row] = await database.query<{ verifier: string }>(
        `SELECT rolpassword AS verifier FROM pg_authid WHERE rolname = 'outcomes_read_api'`,
      );
      return row?.verifier;
    };
    const before = await stored();
    await ensureServiceLogins(database.ownerUrl, { readApi });
    expect(await stored()).toBe(before);
    const changed = new URL(readApi);
    changed.password = 'another';
    await ensureServiceLogins(database.ownerUrl, { readApi: changed.toString() });
    expect(await stored()).not.toBe(before);
    const client = new Client({ connectionString: changed.toString() });
    await client.connect();
    await client.end();
  });

  it('may connect to their database also where nobody else may', async () => {
    const own = await createTestDatabase();
    const name = new URL(own.ownerUrl).pathname.slice(1);
    const login = new URL(own.ownerUrl);
    Object.assign(login, { username: `reader_${randomUUID().slice(0, 8)}`, password: 'secret' });
    try {
      await own.query(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`);
      await ensureServiceLogins(own.ownerUrl, { readApi: login.toString() });
      const client = new Client({ connectionString: login.toString() });
      await client.connect();
      await client.end();
    } finally {
      await own.query(`DROP OWNED BY ${login.username}; DROP ROLE ${login.username}`);
      await own.drop();
    }
  });

  describe('of an owner who did not make the groups', () => {
    const owner = `Owner_${randomUUID().slice(0, 8)}`;
    let own: TestDatabase;
    let asOwner: URL;
    let readApi: string;

    beforeAll(async () => {
      own = await createTestDatabase();
      await own.query(`CREATE ROLE "${owner}" LOGIN CREATEROLE PASSWORD 'secret'`);
      asOwner = new URL(own.ownerUrl);
      Object.assign(asOwner, { username: owner, password: 'secret' });
      const login = new URL(own.ownerUrl);
      Object.assign(login, { username: `reader_${randomUUID().slice(0, 8)}`, password: 'secret' });
      readApi = login.toString();
    });
    afterAll(async () => {
      const { username } = new URL(readApi);
      await own.query(`DROP ROLE IF EXISTS "${username}"; DROP OWNED BY "${owner}"; DROP ROLE "${owner}"`);
      await own.drop();
    });

    it('are refused with the statement that lets it hand them on, which is enough', async () => {
      const [server] = await own.query<{ version: number }>(
        `SELECT current_setting('server_version_num')::int AS version`,
      );
      const failure: unknown = await ensureServiceLogins(asOwner.toString(), { readApi }).catch(
        (error: unknown) => error,
      );
      // Before 16 the right to create roles was enough.
      if ((server?.version ?? 0) < 160_000) return expect(failure).toBeUndefined();
      expect(failure).toBeInstanceOf(GroupNotOursError);
      const [, statement] = /run "(GRANT .* WITH ADMIN OPTION)"/.exec(String(failure)) ?? [];
      await own.query(statement ?? '');
      await ensureServiceLogins(asOwner.toString(), { readApi });
      const client = new Client({ connectionString: readApi });
      await client.connect();
      await client.query('SELECT count(*) FROM companies');
      await client.end();
    });
  });

  describe('of another database of the cluster', () => {
    let other: TestDatabase;
    beforeAll(async () => {
      other = await createTestDatabase();
    });
    afterAll(() => other.drop());

    const answers = async (url: string) => {
      const client = new Client({ connectionString: url });
      try {
        await client.connect();
        return (await client.query<{ user: string }>('SELECT current_user AS user')).rows[0]?.user;
      } finally {
        await client.end();
      }
    };
    const foreignTo = (url: string, to: TestDatabase, password: string) => {
      const changed = new URL(url);
      changed.pathname = new URL(to.ownerUrl).pathname;
      changed.password = password;
      return changed.toString();
    };

    it('keep their passwords, and a second installation gets names of its own', async () => {
      const first = await createServiceLogins(database.ownerUrl);
      const second = await createServiceLogins(other.ownerUrl);
      for (const [name, { role }] of Object.entries(SERVICE_LOGINS)) {
        expect(await answers(first[name as keyof typeof first])).toBe(role);
        expect(await answers(second[name as keyof typeof second])).toMatch(
          new RegExp(`^${role}_[0-9a-f]{10}$`),
        );
      }
      for (const url of Object.values(second)) await other.query(`DROP ROLE "${new URL(url).username}"`);
    });

    it('are never reset, and shared by whoever knows the password', async () => {
      const first = await createServiceLogins(database.ownerUrl);
      const readApi = foreignTo(first.readApi, other, 'of-staging');
      await expect(ensureServiceLogins(other.ownerUrl, { readApi })).rejects.toThrow(ForeignLoginError);
      expect(await answers(first.readApi)).toBe('outcomes_read_api');
      const shared = foreignTo(first.readApi, other, decodeURIComponent(new URL(first.readApi).password));
      await ensureServiceLogins(other.ownerUrl, { readApi: shared });
      expect(await answers(first.readApi)).toBe('outcomes_read_api');
      expect(await answers(shared)).toBe('outcomes_read_api');
    });

    it('are known without a mark by the tables that their group may read elsewhere', async () => {
      const first = await createServiceLogins(database.ownerUrl);
      await database.query('COMMENT ON ROLE outcomes_read_api IS NULL');
      const readApi = foreignTo(first.readApi, other, 'of-staging');
      await expect(ensureServiceLogins(other.ownerUrl, { readApi })).rejects.toThrow(ForeignLoginError);
      expect(await answers(first.readApi)).toBe('outcomes_read_api');
      await database.query(
        `COMMENT ON ROLE outcomes_read_api IS 'Login of the database ${new URL(database.ownerUrl).pathname.slice(1)}'`,
      );
    });

    it('may be taken over once that database is gone', async () => {
      await database.query(`COMMENT ON ROLE outcomes_cli IS 'Login of the database dropped_long_ago'`);
      const { cli } = await createServiceLogins(other.ownerUrl);
      expect(await answers(cli)).toBe('outcomes_cli');
    });
  });

  it('are refused without a user or a password, in words that hold no URL', async () => {
    const url = 'postgres://only-user@db.internal/outcomes';
    await expect(ensureServiceLogins(database.ownerUrl, { cli: url })).rejects.toThrow(
      'The URL of cli must name a user and a password.',
    );
  });
});
