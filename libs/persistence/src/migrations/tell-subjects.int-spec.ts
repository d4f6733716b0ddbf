import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '@outcomes/testing';
import { createPlainlyOwned } from '../../test/plain-owner';
import { bringUpTo, migrationNames } from '../database/migrate';

const NAME = 'TellSubjects1791004600000';
const before = migrationNames().slice(0, migrationNames().indexOf(NAME));

describe('companies that were there before subjects were told apart', () => {
  let database: TestDatabase;
  let asOwner: string;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    ({ database, asOwner, drop } = await createPlainlyOwned());
    await bringUpTo(asOwner, before);
  });
  afterAll(() => drop());

  it('are all to be folded once more, also where row-level security holds the owner of the tables', async () => {
    const [walked, unwalked] = [randomUUID(), randomUUID()];
    for (const company of [walked, unwalked])
      await database.query(`INSERT INTO companies (company_id, name) VALUES ($1, 'Example')`, [company]);
    await database.query('INSERT INTO campaign_generations (company_id, generation) VALUES ($1, 4)', [
      walked,
    ]);
    await database.query(`INSERT INTO touch_rebuilds (company_id, after_recipient) VALUES ($1, 'r7')`, [
      walked,
    ]);
    await bringUpTo(asOwner, [...before, NAME]);
    const known = await database.query(
      `SELECT company_id, generation, counts_outcomes, counts_subjects, after_recipient FROM companies
        LEFT JOIN campaign_generations USING (company_id) LEFT JOIN touch_rebuilds USING (company_id)
       ORDER BY generation`,
    );
    const waiting = { counts_outcomes: true, counts_subjects: false, after_recipient: '' };
    expect(known).toEqual([
      { company_id: unwalked, generation: 1, ...waiting },
      { company_id: walked, generation: 4, ...waiting },
    ]);
    const tables = ['campaign_generations', 'campaign_subjects', 'companies', 'touch_rebuilds'];
    const secured = await database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relname = ANY ($1) AND relforcerowsecurity AND relrowsecurity`,
      [tables],
    );
    expect(secured.map(({ name }) => name).sort()).toEqual(tables);
  });
});
