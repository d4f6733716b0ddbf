import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '@outcomes/testing';
import { createPlainlyOwned } from '../../test/plain-owner';
import { bringUp, bringUpTo, migrationNames } from '../database/migrate';

const names = migrationNames();
const upTo = (name: string) => names.slice(0, names.indexOf(name) + 1);
const BEFORE_PROFILES = names.slice(0, names.indexOf('AddResponderCounts1790700000000'));
const LAST = 'ProfileThoseLeftOut1791004400000';

const RESPONDED = 1;
/** Recipient and hash of the address that its answer names. */
const ANSWERS: readonly (readonly [recipient: string, address: string | null])[] = [
  ...Array.from({ length: 2_500 }, (_, n) => [`r${n}`, `h${n}`] as const),
  ['anna', 'ha'],
  ['anna', null],
  ['bert', null],
  ['c{"\\, ', null],
];
const PEOPLE = 2_500 + 3;

describe('people who answered before there were profiles, where row-level security holds the owner', () => {
  const companies = [randomUUID(), randomUUID()];
  let database: TestDatabase;
  let asOwner: string;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    ({ database, asOwner, drop } = await createPlainlyOwned());
    await bringUpTo(asOwner, BEFORE_PROFILES);
    for (const company of companies) {
      await database.query(`INSERT INTO companies (company_id, name) VALUES ($1, 'Example')`, [company]);
      await database.query(
        `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
           streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, recipient_hash)
         SELECT $1, gen_random_uuid(), 1, 0, 2, 0.9, $3, true, '2026-01-05', '2026-01-05', '2026-01-06', '{}',
           answer.id, 't', answer.address
         FROM jsonb_to_recordset($2) AS answer (id text, address text)`,
        [company, JSON.stringify(ANSWERS.map(([id, address]) => ({ id, address }))), RESPONDED],
      );
    }
  });
  afterAll(() => drop());

  const known = () =>
    database.query<{ company: string; person: string; recipients: string[] | null; responses: number }>(
      `SELECT company_id AS company, recipient_hash AS person, recipient_ids AS recipients, responses
       FROM responders ORDER BY company_id, recipient_hash COLLATE "C"`,
    );
  const counts = () =>
    database.query(
      `SELECT company_id AS company, sum(people)::int AS people, sum(responses)::int AS responses
       FROM responder_counts GROUP BY 1 ORDER BY 1`,
    );

  it('have one once all migrations have run, which may be broken off and run again', async () => {
    await bringUpTo(asOwner, upTo('IndexBegunRuns1791004210000'));
    // Whoever answers again is known since.
    await database.query(`UPDATE touches SET position = 3 WHERE company_id = $1 AND recipient_id = 'r7'`, [
      companies[0],
    ]);
    await database.query(`
      CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken off'; END $$;
      CREATE TRIGGER break_off BEFORE INSERT ON responders FOR EACH ROW
        WHEN (NEW.recipient_hash = 'h2400') EXECUTE FUNCTION break_off()`);
    await expect(bringUpTo(asOwner, upTo(LAST))).rejects.toThrow('broken off');
    await database.query('DROP TRIGGER break_off ON responders; DROP FUNCTION break_off()');
    await bringUp(asOwner);
    const people = await known();
    for (const company of companies) {
      const own = people.filter((row) => row.company === company);
      expect(own).toHaveLength(PEOPLE);
      expect(own).toContainEqual({ company, person: 'ha', recipients: ['anna'], responses: 2 });
      expect(own.flatMap(({ recipients }) => recipients ?? []).sort()).toEqual(['anna', 'bert', 'c{"\\, ']);
    }
    const counted = { people: PEOPLE, responses: ANSWERS.length };
    expect(await counts()).toEqual(companies.toSorted().map((company) => ({ company, ...counted })));
    const [table] = await database.query(
      `SELECT relforcerowsecurity AS forced FROM pg_class WHERE oid = 'companies'::regclass`,
    );
    expect(table).toEqual({ forced: true });
  });

  it('are left as they are where nobody is missing', async () => {
    const [people, counted] = [await known(), await counts()];
    await database.query(`
      DELETE FROM schema_migrations WHERE name = '${LAST}';
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'changed'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON responders FOR EACH ROW EXECUTE FUNCTION refuse()`);
    expect((await bringUp(asOwner)).migrations).toEqual([LAST]);
    await database.query('DROP TRIGGER refuse ON responders; DROP FUNCTION refuse()');
    expect([await known(), await counts()]).toEqual([people, counted]);
  });
});
