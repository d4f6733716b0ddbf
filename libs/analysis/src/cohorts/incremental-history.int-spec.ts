import { DAY_MS, DOCUMENTS } from '@outcomes/contracts';
import { seededRng } from '@outcomes/statistics';
import type { TenantScope } from '@outcomes/tenancy';
import { createTestDatabase, inForm, isFullForm, type TestDatabase } from '@outcomes/testing';
import {
  createCompany,
  FIRST_DAY,
  openAnalysis,
  plannedRows,
  storeProcessedBatch,
  storeRows,
  type AnalysisParts,
} from '../../test/company-fixture';
import { deleteTouches, storeTouches, touchId, type PlannedTouch } from '../../test/touch-fixture';

/** At least as many days as it takes until everything has happened once. */
const HISTORY_DAYS = inForm(124, 135);
/** A bound that tells a hang, and no measure of speed. */
const PATIENCE_MS = 300_000;
/** What may happen to a company between two runs, beside a new day. */
const EVENTS = [
  'nothing',
  'late reply',
  'old reply',
  'erasure',
  'old erasure',
  'import',
  'expiry',
  'quiet',
] as const;

jest.setTimeout(PATIENCE_MS);

describe('a history that is analysed day by day', () => {
  let database: TestDatabase;
  let analysis: AnalysisParts;

  beforeAll(async () => {
    database = await createTestDatabase();
    analysis = await openAnalysis(await database.loginAs('outcomes_worker'));
  });
  afterAll(async () => {
    await analysis.close();
    await database.drop();
  });

  const snapshots = async ({ companyId }: TenantScope) => {
    // History is folded beside the analysis.
    await analysis.backtests.idle();
    const rows = await database.query<{ document: string; body: string }>(
      'SELECT document, body FROM snapshots WHERE company_id = $1 ORDER BY document',
      [companyId],
    );
    return rows.map(({ document, body }) => ({
      document,
      body: withoutWriteTimes(body).replaceAll(companyId, 'company'),
    }));
  };

  const forget = async ({ companyId }: TenantScope) => {
    await database.query('UPDATE cohort_weeks SET digest = NULL, make = NULL WHERE company_id = $1', [
      companyId,
    ]);
    await database.query('DELETE FROM analysis_checkpoints WHERE company_id = $1', [companyId]);
    // With the messages goes what is kept of recipients; it is made anew as they come back.
    const touches = await database.query('DELETE FROM touches WHERE company_id = $1 RETURNING *', [
      companyId,
    ]);
    for (const table of ['responders', 'responder_counts', 'industry_days']) {
      expect(await database.query(`SELECT FROM ${table} WHERE company_id = $1`, [companyId])).toEqual([]);
    }
    await database.query('INSERT INTO touches SELECT * FROM jsonb_populate_recordset(NULL::touches, $1)', [
      JSON.stringify(touches),
    ]);
  };

  /** One more reply in some cohorts that are at least so many days old and have room for it. */
  const reply = (company: TenantScope, from: number, to: number, cohorts: number) =>
    database.query(
      `UPDATE cohort_counts SET replies = replies + 1, level_replies[1] = level_replies[1] + 1,
         reply_delays[3] = coalesce(reply_delays[3], 0) + 1
       WHERE (company_id, sent_day, channel, step_bucket, position) IN (
         SELECT company_id, sent_day, channel, step_bucket, position FROM cohort_counts
         WHERE company_id = $1 AND level_replies[1] < level_touches[1] AND replies < touches
           AND sent_day BETWEEN date '1970-01-01' + $2::int AND date '1970-01-01' + $3::int
         ORDER BY md5(sent_day::text || position::text || channel::text) LIMIT $4)`,
      [company.companyId, from, to, cohorts],
    );

  /** One message that was not answered leaves a cohort of a day. */
  const erase = (company: TenantScope, from: number, to: number) =>
    database.query(
      `UPDATE cohort_counts SET touches = touches - 1, level_touches[1] = level_touches[1] - 1
       WHERE (company_id, sent_day, channel, step_bucket, position) IN (
         SELECT company_id, sent_day, channel, step_bucket, position FROM cohort_counts
         WHERE company_id = $1 AND level_touches[1] > level_replies[1] AND touches > replies + 1
           AND sent_day BETWEEN date '1970-01-01' + $2::int AND date '1970-01-01' + $3::int
           AND touches - 1 >= (SELECT max(level) FROM unnest(level_touches[2:]) AS level)
         ORDER BY sent_day LIMIT 1)`,
      [company.companyId, from, to],
    );

  const happen = async (
    company: TenantScope,
    event: (typeof EVENTS)[number],
    today: number,
    seed: number,
  ) => {
    if (event === 'late reply') await reply(company, today - 30, today, 4);
    if (event === 'old reply') await reply(company, FIRST_DAY, today - 40, 2);
    if (event === 'erasure') await erase(company, today - 10, today);
    if (event === 'old erasure') await erase(company, today - 90, today - 30);
    if (event === 'expiry') {
      await database.query(
        `DELETE FROM cohort_counts WHERE company_id = $1
           AND sent_day = (SELECT min(sent_day) FROM cohort_counts WHERE company_id = $1)`,
        [company.companyId],
      );
    }
    if (event === 'import') {
      const rows = plannedRows({ seed, days: 9, sendsPerDay: 30, firstDay: today - 60 });
      // To people of another position, so that they are cohorts of their own.
      await storeRows(
        database,
        company,
        rows.map((row) => ({ ...row, position: row.position + 4 })),
      );
    }
  };

  /** Days of a company whose reply rate changes on the way, so that the drift verdict comes and the arms forget. */
  const historyOf = (seed: number) => {
    const change = 90;
    const before = plannedRows({ seed, days: change, sendsPerDay: 40, effects: { 'tone.direct': 0.9 } });
    const after = plannedRows({
      seed: seed + 1,
      days: HISTORY_DAYS - change,
      sendsPerDay: 40,
      baseRate: 0.3,
      firstDay: FIRST_DAY + change,
    });
    return [...before, ...after];
  };

  /** Messages of one day to people of two industries, each of which answers to a tone of its own. */
  const messagesOf = (rng: { next: () => number }, day: number): PlannedTouch[] =>
    Array.from({ length: inForm(24, 40) }, (_, index) => {
      const person = Math.floor(rng.next() * 900);
      const tone = rng.next() < 0.5 ? 'direct' : 'professional';
      const industry = person % 2 === 0 ? 'retail' : 'health';
      const likes = (industry === 'retail') === (tone === 'direct');
      return {
        name: `${day} ${index}`,
        person: `person ${person}`,
        day,
        channel: index % 4 === 0 ? 1 : 0,
        position: person % 5,
        industry,
        campaign: `campaign ${day % 12}`,
        outcome: rng.next() < (likes ? 0.3 : 0.05) ? 1 : 0,
        tone,
      };
    });

  it.each(isFullForm() ? [1, 2] : [1])(
    'has the bytes of one analysed from scratch each time (history %i)',
    async (seed) => {
      const daily = await createCompany(database);
      const scratch = await createCompany(database);
      const rows = historyOf(seed * 10);
      const rng = seededRng(seed);
      const both = async (work: (company: TenantScope) => Promise<unknown>) => {
        for (const company of [daily, scratch]) await work(company);
      };
      const messages: PlannedTouch[] = [];
      const send = async (from: number, to: number) => {
        const sent = Array.from({ length: to - from }, (_, index) => messagesOf(rng, from + index)).flat();
        messages.push(...sent);
        await both(async (company) => {
          await storeRows(
            database,
            company,
            rows.filter(({ day }) => day >= from && day < to),
          );
          await storeTouches(database, company, sent);
        });
      };
      /** A late reply, another industry or position, and an erasure, of messages of any age. */
      const changeMessages = async () => {
        const some = Array.from(
          { length: 9 },
          () => messages[Math.floor(rng.next() * messages.length)],
        ).flatMap((message) => message ?? []);
        const [replies, moved, erased] = [some.slice(0, 3), some.slice(3, 6), some.slice(6)];
        await both(async (company) => {
          for (const message of replies) await storeTouches(database, company, [{ ...message, outcome: 1 }]);
          for (const message of moved)
            await storeTouches(database, company, [{ ...message, industry: 'retail', position: 4 }]);
          await deleteTouches(
            database,
            company,
            erased.map(({ name }) => name),
          );
        });
      };
      const happened = new Set<string>();
      const told = new Set<string>();
      await send(FIRST_DAY, FIRST_DAY + 100);
      for (let today = FIRST_DAY + 100, run = 0; today < FIRST_DAY + HISTORY_DAYS; run += 1) {
        const next = today + 1 + Math.floor(rng.next() * 5);
        const event = EVENTS[(run + seed) % EVENTS.length] ?? 'nothing';
        if (event !== 'quiet') await send(today, next);
        today = next;
        happened.add(event);
        await both((company) => happen(company, event, today, seed * 100 + run));
        await changeMessages();
        const receivedAt = new Date(Date.parse('2026-06-01') + run * 60_000).toISOString();
        await both((company) => storeProcessedBatch(database, company, receivedAt));

        await forget(scratch);
        await both((company) => analysis.service.run(company, { runKey: `run-${run}` }));

        const documents = await snapshots(daily);
        expect([event, documents]).toEqual([event, await snapshots(scratch)]);
        const drift = documents.find(({ document }) => document === DOCUMENTS.drift);
        for (const change of drift?.body.match(/"direction":"\w+"/g) ?? []) told.add(change);
      }
      expect([...happened].sort()).toEqual([...EVENTS].sort());
      expect(told.size).toBeGreaterThan(0);
      const segments = (await snapshots(daily)).find(({ document }) => document === DOCUMENTS.segments);
      expect(segments?.body).toContain('"values":["retail"]');
    },
  );

  it('is known up to its newest outcome, by the clock of the company and, where messages tell one, by theirs', async () => {
    const company = await createCompany(database);
    const newest = new Date('2026-01-20T02:30:00Z');
    const rows = plannedRows({ days: 10, sendsPerDay: 20 });
    await storeRows(
      database,
      company,
      rows.map((row) => ({ ...row, lastOutcomeAt: newest })),
    );
    const observedAt = async () => (await analysis.cohorts.readForArms(company, newest)).observedAt;
    expect(await observedAt()).toBeCloseTo(newest.getTime() / DAY_MS, 9);
    await database.query(`UPDATE companies SET time_zone = 'America/New_York' WHERE company_id = $1`, [
      company.companyId,
    ]);
    expect(await observedAt()).toBeCloseTo(newest.getTime() / DAY_MS - 5 / 24, 9);
    await database.query(`UPDATE companies SET time_zone = 'Nowhere' WHERE company_id = $1`, [
      company.companyId,
    ]);
    expect(await observedAt()).toBeCloseTo(newest.getTime() / DAY_MS, 9);
    const day = Math.max(...rows.map((row) => row.day));
    const told = {
      channel: 0,
      position: 0,
      industry: null,
      outcome: 0,
      tone: 'direct',
      person: null,
    } as const;
    await storeTouches(database, company, [
      { name: 'one', day, ...told },
      { name: 'two', day, ...told },
      { name: 'old', day: day - 40, ...told },
    ]);
    // Sent at nine in UTC, and at half past two in the afternoon by a clock there: within two different hours.
    await database.query(
      `UPDATE touches SET sent_hour = CASE WHEN touch_id = $2 THEN 14 WHEN touch_id = $3 THEN 15 ELSE 1 END WHERE company_id = $1`,
      [company.companyId, touchId('one'), touchId('two')],
    );
    expect(await observedAt()).toBeCloseTo(newest.getTime() / DAY_MS + 5.5 / 24, 9);
  });

  it('would miss what changed if weeks were not marked', async () => {
    const company = await createCompany(database);
    await storeRows(database, company, plannedRows({ days: 120, sendsPerDay: 40 }));
    await analysis.service.run(company, { runKey: 'run-1' });
    await database.query('ALTER TABLE cohort_counts DISABLE TRIGGER mark_weeks_updated');
    await reply(company, FIRST_DAY + 30, FIRST_DAY + 60, 20);
    await erase(company, FIRST_DAY + 30, FIRST_DAY + 60);
    await database.query('ALTER TABLE cohort_counts ENABLE TRIGGER mark_weeks_updated');
    await analysis.service.run(company, { runKey: 'run-2' });
    const unmarked = await snapshots(company);
    await forget(company);
    await analysis.service.run(company, { runKey: 'run-3' });
    expect(await snapshots(company)).not.toEqual(unmarked);
  });

  it('reads again what changed, and nothing else', async () => {
    const company = await createCompany(database);
    await storeRows(database, company, plannedRows({ days: 120, sendsPerDay: 40 }));
    const weeksRead = async () => {
      const { notes } = await analysis.cohorts.read(company, new Date());
      return notes.digests.length;
    };
    const all = await weeksRead();
    expect(all).toBeGreaterThan(10);
    await analysis.service.run(company, { runKey: 'run-1' });
    expect(await weeksRead()).toBe(0);
    await reply(company, FIRST_DAY + 30, FIRST_DAY + 30, 1);
    expect(await weeksRead()).toBe(1);
    await analysis.service.run(company, { runKey: 'run-2' });
    expect(await weeksRead()).toBe(0);
  });

  it('begins behind the sums of settled weeks while none of them has changed', async () => {
    const [company, other] = [await createCompany(database), await createCompany(database)];
    await storeRows(database, company, plannedRows({ days: 120, sendsPerDay: 40 }));
    await storeRows(database, other, plannedRows({ days: 120, sendsPerDay: 30 }));
    const messages = async () => (await analysis.cohorts.read(company, new Date())).table.totals.touches;
    const all = await messages();
    await analysis.service.run(company, { runKey: 'run-1' });
    await analysis.service.run(other, { runKey: 'run-1' });
    expect(await messages()).toBe(all);
    // Other sums in their place: what a run makes of them shows that it begins there.
    const replaced = await database.query(
      `UPDATE analysis_checkpoints AS own SET sums = other.sums FROM analysis_checkpoints AS other
       WHERE own.company_id = $1 AND other.company_id = $2 AND own.week = other.week AND own.sums IS NOT NULL
       RETURNING own.week`,
      [company.companyId, other.companyId],
    );
    expect(replaced).toHaveLength(1);
    expect(await messages()).toBeLessThan(all);
    await reply(company, FIRST_DAY, FIRST_DAY + 10, 1);
    expect(await messages()).toBe(all);
    await analysis.service.run(company, { runKey: 'run-2' });
    expect(await messages()).toBe(all);
  });

  it('keeps no digest of what a company no longer has', async () => {
    const company = await createCompany(database);
    await storeRows(database, company, plannedRows({ days: 120, sendsPerDay: 40 }));
    await analysis.service.run(company, { runKey: 'run-1' });
    await database.query(`DELETE FROM cohort_counts WHERE company_id = $1`, [company.companyId]);
    const kept = (table: string) =>
      database.query(`SELECT FROM ${table} WHERE company_id = $1`, [company.companyId]);
    expect(
      await database.query('SELECT FROM cohort_weeks WHERE company_id = $1 AND digest IS NOT NULL', [
        company.companyId,
      ]),
    ).toEqual([]);
    await analysis.service.run(company, { runKey: 'run-2' });
    expect([await kept('cohort_weeks'), await kept('analysis_checkpoints')]).toEqual([[], []]);
  });
});

const withoutWriteTimes = (body: string) =>
  body.replace(/"(updated|lastUpdated|last_updated|analysed_at)":"[^"]*"/g, '"$1":"-"');
