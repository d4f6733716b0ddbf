import { randomBytes } from 'node:crypto';
import { createTestDatabaseWith, type TestDatabase } from '@outcomes/testing';

/** A database without tables whose owner may make roles and is no superuser, so that row-level security holds it. */
export interface PlainlyOwned {
  readonly database: TestDatabase;
  /** Postgres URL of the owner. */
  readonly asOwner: string;
  /** Drops the database and its owner. */
  drop(): Promise<void>;
}

export async function createPlainlyOwned(): Promise<PlainlyOwned> {
  const owner = `owner_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  let asOwner = '';
  const database = await createTestDatabaseWith(async (url) => {
    asOwner = Object.assign(new URL(url), { username: owner, password }).toString();
  });
  await database.query(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD '${password}'`);
  await database.query(`ALTER DATABASE ${new URL(database.ownerUrl).pathname.slice(1)} OWNER TO ${owner}`);
  return {
    ...{ database, asOwner },
    async drop() {
      await database.query(`REASSIGN OWNED BY ${owner} TO CURRENT_USER`);
      await database.query(`DROP OWNED BY ${owner}; DROP ROLE ${owner}`);
      await database.drop();
    },
  };
}
