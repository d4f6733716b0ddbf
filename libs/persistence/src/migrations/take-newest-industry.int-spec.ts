import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '@outcomes/testing';
import { createPlainlyOwned } from '../../test/plain-owner';
import { bringUpTo, migrationNames } from '../database/migrate';

const names = migrationNames();
const LAST = 'TakeNewestIndustry1791004700000';
const BEFORE = names.slice(0, names.indexOf(LAST));
const RESPONDED = 1;

interface Answer {
  readonly id: string;
  readonly address?: string;
  readonly industry: string | null;
  readonly day: string;
}

/** By the alphabet the last industry of each is an older one. */
const ANSWERS: readonly Answer[] = [
  { id: 'anna', address: 'ha', industry: 'software', day: '2026-01-05' },
  { id: 'anna', address: 'ha', industry: 'health', day: '2026-01-07' },
  { id: 'anna', address: 'ha', industry: null, day: '2026-01-09' },
  { id: 'bert', industry: 'retail', day: '2026-01-05' },
  { id: 'bert', industry: 'energy', day: '2026-01-06' },
  // One person under two ids.
  { id: 'carl-1', address: 'hc', industry: 'travel', day: '2026-01-05' },
  { id: 'carl-2', address: 'hc', industry: 'media', day: '2026-01-06' },
  { id: 'dora', address: 'hd', industry: 'law', day: '2026-01-05' },
];

describe('the industry of people whose answers name several, where row-level security holds the owner', () => {
  const companies = [randomUUID(), randomUUID()];
  let database: TestDatabase;
  let asOwner: string;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    ({ database, asOwner, drop } = await createPlainlyOwned());
    await bringUpTo(asOwner, BEFORE);
    for (const company of companies) {
      await database.query(`INSERT INTO companies (company_id, name) VALUES ($1, 'Example')`, [company]);
      await send(company, ANSWERS);
    }
  });
  afterAll(() => drop());

  const send = (company: string | undefined, answers: readonly Answer[]) =>
    database.query(
      `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
         streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, recipient_hash, industry)
       SELECT $1, gen_random_uuid(), 1, 0, 2, 0.9, $3, true, day, day, day, '{}', id, 't', address, industry
       FROM jsonb_to_recordset($2) AS answer (id text, address text, industry text, day date)`,
      [company, JSON.stringify(answers), RESPONDED],
    );
  const known = async (company: string | undefined) => {
    const rows = await database.query<{ industry: string }>(
      'SELECT industry FROM responders WHERE company_id = $1 ORDER BY industry',
      [company],
    );
    return rows.map(({ industry }) => industry);
  };
  const counted = async (company: string | undefined) => {
    const rows = await database.query<{ industry: string }>(
      'SELECT industry FROM responder_counts WHERE company_id = $1 AND people > 0 ORDER BY industry',
      [company],
    );
    return rows.map(({ industry }) => industry);
  };

  it('is that of the newest, from this migration on and for those of before', async () => {
    expect(await known(companies[0])).toEqual(['law', 'retail', 'software', 'travel']);
    await bringUpTo(asOwner, [...BEFORE, LAST]);
    for (const company of companies) {
      expect(await known(company)).toEqual(['energy', 'health', 'law', 'media']);
      expect(await counted(company)).toEqual(await known(company));
    }
    await send(companies[1], [{ id: 'dora', address: 'hd', industry: 'arts', day: '2026-01-08' }]);
    expect(await known(companies[1])).toEqual(['arts', 'energy', 'health', 'media']);
    expect(await known(companies[0])).toEqual(['energy', 'health', 'law', 'media']);
  });
});
