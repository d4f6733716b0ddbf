import { randomBytes, randomUUID } from 'node:crypto';
import { createTestDatabaseWith, type TestDatabase } from '@outcomes/testing';
import { bringUpTo, migrationNames } from '../database/migrate';

const NAME = 'TellCountedOutcomes1791003500000';
const before = migrationNames().slice(0, migrationNames().indexOf(NAME));

describe('companies that were there before it was told whether outcomes are counted', () => {
  const owner = `owner_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  let database: TestDatabase;
  let asOwner = '';

  beforeAll(async () => {
    database = await createTestDatabaseWith(async (url) => {
      const changed = new URL(url);
      changed.username = owner;
      changed.password = password;
      asOwner = changed.toString();
    });
    await database.query(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD '${password}'`);
    await database.query(`ALTER DATABASE ${new URL(database.ownerUrl).pathname.slice(1)} OWNER TO ${owner}`);
    await bringUpTo(asOwner, before);
  });
  afterAll(async () => {
    await database.query(`REASSIGN OWNED BY ${owner} TO CURRENT_USER`);
    await database.query(`DROP OWNED BY ${owner}; DROP ROLE ${owner}`);
    await database.drop();
  });

  it('are all to be folded once more, also where row-level security holds the owner of the tables', async () => {
    const [counted, uncounted] = [randomUUID(), randomUUID()];
    for (const company of [counted, uncounted])
      await database.query(`INSERT INTO companies (company_id, name) VALUES ($1, 'Example')`, [company]);
    await database.query('INSERT INTO campaign_generations (company_id, generation) VALUES ($1, 4)', [
      counted,
    ]);
    await database.query(
      `INSERT INTO campaign_outcomes (company_id, campaign, fortnight, counts) VALUES ($1, 1, 1, '')`,
      [counted],
    );
    await database.query(`INSERT INTO touch_rebuilds (company_id, after_recipient) VALUES ($1, 'r7')`, [
      counted,
    ]);
    await bringUpTo(asOwner, [...before, NAME]);
    const known = await database.query(
      `SELECT company_id, generation, counts_outcomes, after_recipient FROM companies
        LEFT JOIN campaign_generations USING (company_id) LEFT JOIN touch_rebuilds USING (company_id)
       ORDER BY generation`,
    );
    const waiting = { counts_outcomes: false, after_recipient: '' };
    expect(known).toEqual([
      { company_id: uncounted, generation: 1, ...waiting },
      { company_id: counted, generation: 4, ...waiting },
    ]);
    expect(await database.query('SELECT FROM campaign_outcomes')).toEqual([]);
    const tables = ['companies', 'campaign_generations', 'touch_rebuilds'];
    const secured = await database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relname = ANY ($1) AND relforcerowsecurity AND relrowsecurity`,
      [tables],
    );
    expect(secured.map(({ name }) => name).sort()).toEqual(tables.toSorted());
  });
});
