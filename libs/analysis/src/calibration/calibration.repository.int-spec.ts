import { CHANNELS, DAY_MS, type Channel } from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import { createTestDatabase, waitUntil, type TestDatabase } from '@outcomes/testing';
import { createCompany } from '../../test/company-fixture';
import {
  banditOf,
  driftOf,
  openDecisions,
  storeRun,
  storeSteps,
  storeTouches,
  type PlannedTouch,
} from '../../test/decision-fixture';
import { settledChannels } from '../drift/settled-channels';
import type { ScoredCell } from './calibration.repository';

const CONTACTS = 400;
const STEPS = 3;
const DECIDED_AT = '2026-03-01T00:00:00Z';
const NEWEST_DAY = '2026-05-30';
const SETTLED = settledChannels(driftOf(NEWEST_DAY));

describe('scoring of decisions', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  }, 60_000);
  afterAll(() => database.drop());

  const messagesRead = async (): Promise<number> => {
    const [row] = await database.query<{ n: string }>(
      `SELECT seq_tup_read + idx_tup_fetch AS n FROM pg_stat_user_tables WHERE relname = 'touches'`,
    );
    return Number(row?.n);
  };
  const store = async (prefix: string) => {
    const company = await createCompany(database);
    const contacts = Array.from({ length: CONTACTS }, (_, number) => `${prefix}-${number}`);
    await storeTouches(
      database,
      company,
      contacts.flatMap((contact) =>
        Array.from({ length: STEPS }, (_, step) => ({
          contact,
          step,
          sentAt: new Date(Date.UTC(2026, 1, 20 + 14 * step)).toISOString(),
        })),
      ),
    );
    return { company, contacts };
  };

  const decide = (
    { companyId }: TenantScope,
    run: string,
    contacts: readonly string[],
    decidedAt: string,
    probability: number,
    { channel, step, address }: { channel: Channel; step: number; address?: string } = {
      channel: 'email',
      step: 1,
    },
  ) =>
    database.query(
      `INSERT INTO workflow_decisions (company_id, decision_id, decided_at, run_id, after_touch_id, contact_state,
         contact_id, recipient_hash, thread_id, engine_version, model_sha256, inputs, result)
       SELECT $1, gen_random_uuid(), $3, $2, gen_random_uuid(), 'open', contact, $6, 't', 'e', '\\x00', '{}', $4
       FROM unnest($5::text[]) AS contact`,
      [
        companyId,
        run,
        decidedAt,
        JSON.stringify({ action: 'send', channel, step, probability, low: 0.01, high: 0.9 }),
        contacts,
        address,
      ],
    );

  // The first, because reads of other connections may be counted late.
  it('goes through messages since the first decision once per channel and looks up what follows each decision, though Postgres takes the company to have none', async () => {
    // Its statistics list the companies that are there, each with its share; another must have next to nothing.
    for (const name of ['a', 'b']) await store(name);
    await database.query('ALTER TABLE touches SET (autovacuum_enabled = off)');
    await database.query('ANALYZE touches');
    const { company, contacts } = await store('new');
    await storeSteps(database, company, NEWEST_DAY);
    const run = await storeRun(database, company, banditOf(DECIDED_AT));
    await decide(company, run, contacts, DECIDED_AT, 0.05);

    const before = await messagesRead();
    const parts = await openDecisions(await database.loginAs('outcomes_worker'));
    try {
      const [cell] = await parts.predictions.settled(company, SETTLED);
      expect(cell).toMatchObject({ n: CONTACTS, y: 0, probability: 0.05 });
      expect(await parts.predictions.awaiting(company, SETTLED)).toEqual({
        unfollowed: 0,
        open: 0,
        firstSettlesOn: null,
      });
    } finally {
      await parts.close(); // what a connection read is counted at the latest when it closes
    }
    await waitUntil('the reads are counted', async () => (await messagesRead()) > before);
    expect((await messagesRead()) - before).toBeLessThanOrEqual(
      CHANNELS.length * CONTACTS * (STEPS - 1) + 4 * CONTACTS,
    );
  }, 60_000);

  it('holds a message against what was said last before it, and counts who waits for one once', async () => {
    const { company, contacts } = await store('again');
    await storeSteps(database, company, NEWEST_DAY);
    const run = await storeRun(database, company, banditOf(DECIDED_AT));
    // The second stopped in between, for a reason that did not stand.
    await decide(company, run, contacts, DECIDED_AT, 0.05);
    await decide(company, run, contacts.slice(0, 3), '2026-03-02T00:00:00Z', 0.04);
    for (const decidedAt of ['2026-05-01T00:00:00Z', '2026-05-02T00:00:00Z'])
      await decide(company, run, contacts.slice(0, 5), decidedAt, 0.05);
    const parts = await openDecisions(await database.loginAs('outcomes_worker'));
    try {
      const cells = await parts.predictions.settled(company, SETTLED);
      expect(cells.map(({ n, probability }) => [n, probability])).toEqual([
        [3, 0.04],
        [CONTACTS - 3, 0.05],
      ]);
      expect(await parts.predictions.awaiting(company, SETTLED)).toMatchObject({ unfollowed: 5, open: 0 });
    } finally {
      await parts.close();
    }
  });

  it('finds a message of the hours after the first decision, whose sender lives a day behind', async () => {
    const company = await createCompany(database);
    await storeSteps(database, company, NEWEST_DAY);
    const run = await storeRun(database, company, banditOf('2026-03-06T01:00:00Z'));
    await decide(company, run, ['west'], '2026-03-06T01:00:00Z', 0.05);
    await storeTouches(database, company, [{ contact: 'west', step: 1, sentAt: '2026-03-06T09:00:00Z' }]);
    await database.query(`UPDATE touches SET sent_day = '2026-03-05' WHERE company_id = $1`, [
      company.companyId,
    ]);
    const parts = await openDecisions(await database.loginAs('outcomes_worker'));
    try {
      expect(await parts.predictions.settled(company, SETTLED)).toMatchObject([{ n: 1, y: 0 }]);
    } finally {
      await parts.close();
    }
  });

  it('takes a message to another id of the address as the next one', async () => {
    const company = await createCompany(database);
    await storeSteps(database, company, NEWEST_DAY);
    const run = await storeRun(database, company, banditOf(DECIDED_AT));
    const address = 'a'.repeat(64);
    const advised = { channel: 'email', step: 1, address } as const;
    await decide(company, run, ['of-crm'], DECIDED_AT, 0.05, advised);
    await storeTouches(database, company, [
      { contact: 'of-mailer', address, step: 1, sentAt: '2026-03-06T09:00:00Z', outcome: 'responded' },
      // The first one has been sent by then, so that nothing was said of this one.
      { contact: 'of-crm', address, step: 1, sentAt: '2026-03-07T09:00:00Z' },
    ]);
    const parts = await openDecisions(await database.loginAs('outcomes_worker'));
    const found = async () => ({
      cells: (await parts.predictions.settled(company, SETTLED)).map(({ n, y }) => [n, y]),
      ...(await parts.predictions.awaiting(company, SETTLED)),
    });
    try {
      expect(await found()).toMatchObject({ cells: [[1, 1]], unfollowed: 0, open: 0 });
      await decide(company, run, ['of-crm'], '2026-05-20T00:00:00Z', 0.05, advised);
      expect(await found()).toMatchObject({ cells: [[1, 1]], unfollowed: 1, open: 0 });
      await storeTouches(database, company, [
        { contact: 'of-mailer', address, step: 1, sentAt: '2026-05-25T09:00:00Z' },
      ]);
      expect(await found()).toMatchObject({ cells: [[1, 1]], unfollowed: 0, open: 1 });
    } finally {
      await parts.close();
    }
  });

  describe('of a company that writes more than is looked at', () => {
    /** Chance of a reply to a follow-up, as predicted and as it is, by channel. */
    const CHANCES = { email: 0.5, linkedin: 0.25 } as const;
    const SENT_EACH_DAY = 16;
    const FIRST_DAY = Date.UTC(2026, 1, 1);
    const LAST_DAY = Date.parse(NEWEST_DAY);
    let company: TenantScope;

    beforeAll(async () => {
      company = await createCompany(database);
      await storeSteps(database, company, NEWEST_DAY);
      const run = await storeRun(database, company, banditOf(DECIDED_AT));
      const touches: PlannedTouch[] = [];
      // Every day others are written to, three times, four days apart, until they answer: the day after each message that
      // was not answered it is decided to write again.
      for (const channel of ['email', 'linkedin'] as const)
        for (let day = FIRST_DAY; day <= LAST_DAY; day += DAY_MS) {
          let contacts = Array.from({ length: SENT_EACH_DAY }, (_, i) => `${channel}-${day}-${i}`);
          for (let step = 0; step < 3; step++) {
            const sentAt = day + (4 * step + 0.5) * DAY_MS;
            if (sentAt > LAST_DAY + DAY_MS) break;
            const answers = step === 0 ? 0 : contacts.length * CHANCES[channel];
            for (const [i, contact] of contacts.entries())
              touches.push({
                ...{ contact, channel, step, sentAt: new Date(sentAt).toISOString() },
                outcome: i < answers ? 'responded' : 'no_response',
              });
            contacts = contacts.slice(answers);
            const decidedAt = new Date(sentAt + DAY_MS).toISOString();
            await decide(company, run, contacts, decidedAt, CHANCES[channel], { channel, step: step + 1 });
          }
        }
      await storeTouches(database, company, touches);
    }, 60_000);

    it.each([168, 504, 5_000])(
      'as many came as were predicted of the %s newest settled ones of each channel',
      async (limit) => {
        const parts = await openDecisions(await database.loginAs('outcomes_worker'));
        try {
          const cells = await parts.predictions.settled(company, SETTLED, limit);
          for (const probability of Object.values(CHANCES)) {
            const ofChannel = cells.filter((cell) => cell.probability === probability);
            const sum = (of: (cell: ScoredCell) => number) =>
              ofChannel.reduce((total, cell) => total + of(cell), 0);
            if (limit < 5_000) expect(sum(({ n }) => n)).toBe(limit);
            expect(sum(({ y }) => y) / sum(({ n }) => n * probability)).toBe(1);
          }
          // What was decided after 12 May was followed on 16 May, the last day of e-mail that has settled.
          const newest = cells.filter(({ decidedAt }) => decidedAt >= new Date('2026-05-13T00:00:00Z'));
          expect(newest.map(({ probability, n, y }) => [probability, n, y])).toEqual([[0.5, 24, 12]]);
        } finally {
          await parts.close();
        }
      },
    );
  });
});
