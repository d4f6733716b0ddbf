import { createHash, randomUUID } from 'node:crypto';
import {
  CHANNELS,
  DOCUMENTS,
  PATTERN_CATALOGUE,
  POSITIONS,
  type BanditDocument,
  type CalibrationDocument,
  type PatternRecord,
} from '@outcomes/contracts';
import { campaignKeyOf } from '@outcomes/persistence';
import {
  decisionEngine,
  ENGINE_VERSION,
  type DecisionInputs,
  type DecisionModel,
  type DecisionResult,
} from '@outcomes/statistics';
import type { Logger } from '@outcomes/platform';
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
  type DecisionParts,
  type PlannedTouch,
} from '../../test/decision-fixture';
import { settledChannels } from '../drift/settled-channels';
import { decisionIdOf, type FrozenRow, sha256 } from './freeze-decision';

const AS_OF = '2026-05-20T00:00:00.000Z';
const NEXT_DAY = '2026-05-21T00:00:00.000Z';
const SETTLED = settledChannels(driftOf('2026-05-20'));
const LATER = '2026-06-20T00:00:00.000Z';

interface StoredDecision {
  readonly decision_id: string;
  readonly contact_id: string;
  readonly contact_state: string;
  readonly decided_at: Date;
  readonly inputs: string;
  readonly result: string;
  readonly model: string;
}

/** 700 contacts of two positions, so that there is more than one batch. */
const CONTACTS: readonly PlannedTouch[] = Array.from({ length: 700 }, (_, i) => ({
  contact: `contact-${i}`,
  sentAt: `2026-05-${String(1 + (i % 18)).padStart(2, '0')}T09:00:00Z`,
  channel: i % 3 === 0 ? 'linkedin' : 'email',
  step: i % 4,
  position: i % 5 === 0 ? 'director' : 'vp',
  campaign: 'spring',
}));

/** Every text in a value, at whatever depth. */
function collectWords(value: unknown, words: Set<string>): void {
  if (typeof value === 'string') words.add(value);
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) collectWords(part, words);
}

describe('decisions', () => {
  let database: TestDatabase;
  let parts: DecisionParts;
  const errors: unknown[] = [];
  const logger = { error: (fields: unknown) => errors.push(fields) } as unknown as Logger;
  let company: TenantScope;

  beforeAll(async () => {
    database = await createTestDatabase();
    parts = await openDecisions(await database.loginAs('outcomes_worker'), logger);
  });
  afterAll(async () => {
    await parts.close();
    await database.drop();
  });
  beforeEach(async () => {
    company = await createCompany(database);
    await storeSteps(database, company, '2026-05-20');
    errors.length = 0;
  });
  afterEach(() => {
    expect(errors).toEqual([]);
  });

  const stored = (of: TenantScope = company) =>
    database.query<StoredDecision>(
      `SELECT decision_id, contact_id, contact_state, decided_at, inputs, result, encode(model_sha256, 'hex') AS model
       FROM workflow_decisions WHERE company_id = $1 ORDER BY decision_id`,
      [of.companyId],
    );
  const resultOf = async (contact: string) => {
    const row = (await stored()).find(({ contact_id }) => contact_id === contact);
    return row && (JSON.parse(row.result) as DecisionResult);
  };
  const decide = async (asOf = AS_OF, lead?: number) => {
    const runId = await storeRun(database, company, banditOf(asOf, lead));
    return parts.decisions.decide(company, runId);
  };

  it('are made once for every active contact, and replay byte for byte', async () => {
    await storeTouches(database, company, CONTACTS);
    expect(await decide()).toBe(700);
    const rows = await stored();
    expect(new Set(rows.map(({ contact_id }) => contact_id)).size).toBe(700);
    expect(new Set(rows.map(({ model }) => model)).size).toBe(1);
    expect(rows[0]?.decided_at).toEqual(new Date(AS_OF));
    const results = rows.map(({ result }) => JSON.parse(result) as DecisionResult);
    expect(new Set(results.map(({ action }) => action))).toEqual(new Set(['send', 'wait', 'switch_channel']));
    expect(results.some(({ exploration }) => exploration)).toBe(true);
    expect(await parts.replay.verify(company)).toEqual({ replayed: 700, identical: 700, firstFault: null });
    expect(await parts.replay.verify(company, 'contact-3')).toMatchObject({ replayed: 1, identical: 1 });
    const [{ decision_id = '', result = '' } = {}] = rows;
    expect(await parts.replay.one(company, decision_id)).toMatchObject({
      ...{ decisionId: decision_id, identical: true, fault: null },
      resultSha256: createHash('sha256').update(result).digest('hex'),
    });
  });

  it('move nobody to a channel that the company has left idle, and replay byte for byte', async () => {
    await storeTouches(
      database,
      company,
      CONTACTS.slice(0, 60).map((contact) => ({ ...contact, channel: 'email' })),
    );
    const drift = driftOf('2026-05-20');
    const lastSentOn = { email: '2026-05-20', linkedin: '2026-03-20' };
    const channels = drift.channels.map((one) => ({ ...one, last_sent_on: lastSentOn[one.channel] }));
    // By its rates of then LinkedIn has the most replies by far.
    const runId = await storeRun(database, company, banditOf(AS_OF, 150), [], { ...drift, channels });
    expect(await parts.decisions.decide(company, runId)).toBe(60);
    const rows = await stored();
    for (const { inputs, result } of rows) {
      const { candidates } = JSON.parse(inputs) as DecisionInputs;
      expect(candidates.map(({ channel }) => channel)).toEqual(['email']);
      expect((JSON.parse(result) as DecisionResult).channel).toBe('email');
    }
    expect(await parts.replay.verify(company)).toEqual({ replayed: 60, identical: 60, firstFault: null });
  });

  it('rest on what the run knew: position, next step and supported patterns', async () => {
    const pattern = (code: string, tier: number, positive = true): PatternRecord => ({
      companyId: company.companyId,
      code,
      tier,
      positive,
    });
    await storeTouches(database, company, CONTACTS.slice(0, 40));
    const patterns = [
      pattern('TA-2', 3),
      pattern('DOW-2', 2),
      pattern('HOD-1', 1),
      pattern('TA-1', 3, false),
    ];
    await parts.decisions.decide(company, await storeRun(database, company, banditOf(AS_OF), patterns));
    const row = (await stored()).find(({ contact_id }) => contact_id === 'contact-1');
    expect(JSON.parse(row?.inputs ?? '')).toMatchObject({
      ended: null,
      currentChannel: 'email',
      currentStep: 1,
      daysSinceLastTouch: 17,
      position: 'vp',
      features: [1, 0],
      candidates: [
        { channel: 'email', alpha: 10, beta: 190, source: 'segment' },
        { channel: 'linkedin', alpha: 12, beta: 188, source: 'segment' },
      ],
    });
    expect(await resultOf('contact-1')).toMatchObject({
      step: 2,
      patternCodes: ['TA-2', 'DOW-2'],
      tone: 'conversational',
      daypart: null,
      weekday: 'tuesday',
    });
    const director = (await stored()).find(({ contact_id }) => contact_id === 'contact-5');
    expect((JSON.parse(director?.inputs ?? '') as DecisionInputs).candidates).toEqual([
      { channel: 'email', alpha: 8, beta: 192, source: 'segment' },
      { channel: 'linkedin', alpha: 2, beta: 38, source: 'company' },
    ]);
  });

  it('take the place in the sequence from what counts since replies last changed', async () => {
    // Replies halved 40 days ago, and are alike at every step.
    const changedOn = '2026-04-10';
    const own = await createCompany(database);
    await database.query(
      `INSERT INTO cohort_counts (company_id, sent_day, channel, step_bucket, position, touches, replies, bounces,
         unsubscribes, opens, meetings, streamed, level_touches, level_replies, hour_touches, hour_replies, reply_delays)
       SELECT $1, day, 0, bucket, ${POSITIONS.indexOf('vp')}, 200, CASE WHEN day < $3::date THEN 10 ELSE 5 END, 0, 0, 0, 0,
         200, '{}', '{}', '{}', '{}', '{}'
       FROM generate_series($2::date - 170, $2::date, interval '1 day') AS day, unnest(ARRAY[0, 1, 2]) AS bucket`,
      [own.companyId, '2026-05-20', changedOn],
    );
    await storeTouches(database, own, [{ contact: 'anna', sentAt: '2026-05-10T09:00:00Z' }]);
    const { arms, ...bandit } = banditOf(AS_OF);
    const [email] = arms as [(typeof arms)[number]];
    const halved = { ...bandit, arms: [{ ...email, alpha: 25, beta: 975, posterior_mean: 0.025 }] };
    const runId = await storeRun(database, own, halved, [], driftOf('2026-05-20', changedOn));
    await parts.decisions.decide(own, runId);
    const [{ result = '{}' } = {}] = await stored(own);
    expect((JSON.parse(result) as DecisionResult).probability).toBeCloseTo(0.025, 3);
  });

  it('are taken inside the running campaign, which is frozen with them', async () => {
    const [one] = CONTACTS as [PlannedTouch];
    await storeTouches(
      database,
      company,
      ['spring', 'autumn', 'winter'].map((campaign, i) => ({
        ...one,
        contact: `in-${campaign}`,
        channel: 'email',
        sentAt: `2026-05-1${i}T09:00:00Z`,
        campaign,
      })),
    );
    const plain = banditOf(AS_OF);
    const bandit = {
      ...plain,
      // One channel: what is promised is then that channel's, whatever is drawn.
      arms: plain.arms.filter(({ channel }) => channel === 'email'),
      campaigns: [
        {
          channel: 'email',
          variance: 0.25,
          records: [
            [campaignKeyOf('spring'), 30, 15],
            [campaignKeyOf('autumn'), 2, 15],
          ],
        },
      ],
    } satisfies BanditDocument;
    await parts.decisions.decide(company, await storeRun(database, company, bandit));
    const inputs = (await stored()).map(
      (row) => [row.contact_id, JSON.parse(row.inputs) as DecisionInputs] as const,
    );
    const campaignOf = new Map(inputs.map(([contact, { candidates }]) => [contact, candidates[0]?.campaign]));
    expect(campaignOf.get('in-spring')).toEqual({ replies: 30, expected: 15, variance: 0.25 });
    expect(campaignOf.get('in-autumn')).toEqual({ replies: 2, expected: 15, variance: 0.25 });
    expect(campaignOf.get('in-winter')).toEqual({ replies: 0, expected: 0, variance: 0.25 });
    const chance = async (contact: string) => (await resultOf(contact))?.probability ?? Number.NaN;
    const unknown = await chance('in-winter');
    // (30 + 4) over (15 + 4), and (2 + 4) over it.
    expect((await chance('in-spring')) / unknown).toBeCloseTo(34 / 19, 1);
    expect((await chance('in-autumn')) / unknown).toBeCloseTo(6 / 19, 1);
    expect(await parts.replay.verify(company)).toEqual({ replayed: 3, identical: 3, firstFault: null });
  });

  it('are lent as the texts that were frozen, in which nobody is named', async () => {
    const campaigns = [{ channel: 'email', variance: 0.25, records: [[campaignKeyOf('spring'), 30, 15]] }];
    const patterns = ['TA-2', 'DOW-2'].map((code) => ({
      ...{ companyId: company.companyId, code, tier: 3, positive: true },
    }));
    await storeTouches(
      database,
      company,
      CONTACTS.slice(0, 20).map((touch, i) => ({ ...touch, address: `hash-${i}` })),
    );
    const bandit = { ...banditOf(AS_OF), campaigns } as unknown as BanditDocument;
    await parts.decisions.decide(company, await storeRun(database, company, bandit, patterns));
    const rows = await stored();
    expect(rows).toHaveLength(20);
    const words = new Set<string>();
    for (const { decision_id, model, inputs, result } of rows) {
      const lent = await parts.replay.frozen(company, decision_id);
      const hash = (text: string) => createHash('sha256').update(text).digest('hex');
      expect(lent).toEqual({
        ...{ decisionId: decision_id, engineVersion: ENGINE_VERSION },
        ...{ inputs, inputsSha256: hash(inputs), result, resultSha256: hash(result) },
        ...{ model: expect.any(String) as string, modelSha256: model },
      });
      expect(hash(lent.model ?? '')).toBe(model);
      for (const text of [lent.model ?? '', inputs, result]) collectWords(JSON.parse(text), words);
    }
    const known = new Set<string>([
      ...[...CHANNELS, ...POSITIONS, ENGINE_VERSION, AS_OF, 'segment', 'company'],
      ...PATTERN_CATALOGUE.flatMap(({ code, level }) => [code, level]),
      ...['send', 'wait', 'switch_channel', 'resting', 'learning', 'better_channel', 'next_step'],
    ]);
    // Mutation: the inputs hold the campaign itself beside its record.
    expect([...words].filter((word) => !known.has(word))).toEqual([]);
    expect(words).toContain('TA-2');
  });

  it('stand whatever comes later: another run, other posteriors, other data', async () => {
    await storeTouches(database, company, CONTACTS);
    await decide();
    const before = await stored();
    expect(await decide()).toBe(0);
    // Posteriors that would lead nearly everybody to the other channel.
    expect(await decide(NEXT_DAY, 60)).toBe(0);
    expect(await stored()).toEqual(before);
    // A new message is a new moment; what stood still stands.
    await storeTouches(database, company, [
      { contact: 'contact-1', sentAt: '2026-06-10T09:00:00Z', step: 2 },
    ]);
    expect(await decide(LATER, 60)).toBe(1);
    const after = await stored();
    expect(after.filter(({ decision_id }) => before.some((row) => row.decision_id === decision_id))).toEqual(
      before,
    );
    expect(await parts.replay.verify(company)).toEqual({ replayed: 701, identical: 701, firstFault: null });
  });

  it('go on where they were broken off, with the same bytes', async () => {
    await storeTouches(database, company, CONTACTS);
    await decide();
    const whole = await stored();
    await database.query(`DELETE FROM workflow_decisions WHERE company_id = $1 AND decision_id::text < '8'`, [
      company.companyId,
    ]);
    expect(await decide()).toBe(whole.filter(({ decision_id }) => decision_id < '8').length);
    expect(await stored()).toEqual(whole);
  });

  it('are not made where nothing is known of any channel', async () => {
    await storeTouches(database, company, [{ contact: 'anna', sentAt: '2026-05-10T09:00:00Z' }]);
    const runId = await storeRun(database, company, { ...banditOf(AS_OF), arms: [] });
    expect(await parts.decisions.decide(company, runId)).toBe(0);
    expect(await stored()).toEqual([]);
    expect(await parts.decisions.isDue(company, runId)).toBe(false);
  });

  it('are asked for once per run', async () => {
    await storeTouches(database, company, CONTACTS.slice(0, 3));
    const runId = await storeRun(database, company, banditOf(AS_OF));
    expect(await parts.decisions.decide(company, runId)).toBe(3);
    await storeTouches(database, company, [{ contact: 'new', sentAt: '2026-05-19T09:00:00Z' }]);
    expect(await parts.decisions.decide(company, runId)).toBe(0);
  });

  it('stop whoever replied, unsubscribed or bounced, also under another id of the address', async () => {
    const at = '2026-05-10T09:00:00Z';
    await storeTouches(database, company, [
      { contact: 'replied', sentAt: at, outcome: 'responded' },
      { contact: 'gone', sentAt: '2026-01-02T09:00:00Z', outcome: 'unsubscribed', address: 'h-1' },
      { contact: 'gone-too', sentAt: at, address: 'h-1' },
      { contact: 'bounced', sentAt: at, outcome: 'bounced' },
      { contact: 'tried again', sentAt: '2026-05-08T09:00:00Z', outcome: 'bounced' },
      { contact: 'tried again', sentAt: at, step: 1 },
      { contact: 'answered since', sentAt: '2026-05-08T09:00:00Z', outcome: 'bounced' },
      { contact: 'answered since', sentAt: at, step: 1, outcome: 'responded' },
      { contact: 'silent', sentAt: '2026-04-01T09:00:00Z' },
      { contact: 'finished', sentAt: at, step: 7 },
    ]);
    await decide();
    const reasons = Object.fromEntries(
      (await stored()).map(({ contact_id, result }) => [
        contact_id,
        (JSON.parse(result) as DecisionResult).reason,
      ]),
    );
    expect(reasons).toEqual({
      replied: 'replied',
      'gone-too': 'unsubscribed',
      bounced: 'bounced',
      // Silence lifts no bounce; a reply does.
      'tried again': 'bounced',
      'answered since': 'replied',
      finished: 'sequence_exhausted',
    });
  });

  it.each([
    ['unsubscribed', 3, 'anna', null],
    ['unsubscribed', 3, 'anna-again', 'h-1'],
    ['bounced', 2, 'anna-again', 'h-1'],
    ['unsubscribed', 3, 'alias', null],
    // An address as id, h-1 of it.
    ['unsubscribed', 3, 'a@x.org', null],
    ['bounced', 2, 'a@x.org', null],
  ] as const)(
    'follow somebody who %s in an event that no message took in (outcome %i of %s), once',
    async (state, outcome, recipientId, address) => {
      await storeTouches(database, company, [
        { contact: 'anna', sentAt: '2026-05-10T09:00:00Z', address: 'h-1' },
        { contact: 'bert', sentAt: '2026-05-10T09:00:00Z', address: 'h-2' },
        // Nobody is decided about who was not written to for so long, but the address is anna's.
        { contact: 'alias', sentAt: '2026-01-10T09:00:00Z', address: 'h-1' },
      ]);
      expect(await decide()).toBe(2);
      await database.query(
        `INSERT INTO outcome_events (company_id, event_id, channel, sequence_step, outcome, sent_has_time, outcome_at,
           recipient_id, thread_id, recipient_hash, id_address_hash)
         VALUES ($1, gen_random_uuid(), 0, 0, $2, false, '2026-05-12', $3, 'none', $4,
           CASE WHEN $3 LIKE '%@%' THEN 'h-1' END)`,
        [company.companyId, outcome, recipientId, address],
      );
      expect(await decide('2026-05-21T00:00:00.000Z')).toBe(1);
      expect(await decide('2026-05-22T00:00:00.000Z')).toBe(0);
      const newest = (await stored()).find(({ contact_state }) => contact_state !== 'open');
      expect([newest?.contact_id, newest?.contact_state]).toEqual(['anna', state]);
    },
  );

  it.each([
    ['a reply to', 'outcome = 1'],
    ['a meeting booked after', 'meeting_booked = true'],
  ])('follow %s a message already decided about, once', async (_what, fact) => {
    await storeTouches(database, company, [{ contact: 'anna', sentAt: '2026-05-10T09:00:00Z' }]);
    await decide();
    await database.query(`UPDATE touches SET ${fact} WHERE company_id = $1`, [company.companyId]);
    expect(await decide('2026-05-21T00:00:00.000Z')).toBe(1);
    expect(await decide('2026-05-22T00:00:00.000Z')).toBe(0);
    expect((await stored()).map(({ contact_state }) => contact_state).sort()).toEqual(['open', 'replied']);
  });

  it('are made again where what stopped somebody no longer stands, once', async () => {
    const at = '2026-05-10T09:00:00Z';
    await storeTouches(database, company, [
      { contact: 'anna', sentAt: at, address: 'h-1' },
      { contact: 'bert', sentAt: at, address: 'h-2', outcome: 'responded' },
      { contact: 'carl', sentAt: at, address: 'h-3' },
      // Replied, and under another id: that reply stands.
      { contact: 'dora', sentAt: at, address: 'h-4' },
      { contact: 'dora-again', sentAt: '2026-05-09T09:00:00Z', address: 'h-4', outcome: 'responded' },
    ]);
    expect(await decide()).toBe(4);
    const change = (statement: string) => database.query(statement, [company.companyId]);
    await change(`UPDATE touches SET outcome = 1 WHERE company_id = $1 AND recipient_id = 'anna'`);
    await change(
      `INSERT INTO outcome_events (company_id, event_id, channel, sequence_step, outcome, sent_has_time, outcome_at,
         recipient_id, thread_id, recipient_hash)
       VALUES ($1, gen_random_uuid(), 0, 0, 3, false, '2026-05-12', 'carl-again', 'none', 'h-3')`,
    );
    expect(await decide(NEXT_DAY)).toBe(2);
    // The replies were automatic, and the opt-out was deleted.
    await change(`UPDATE touches SET outcome = 0 WHERE company_id = $1 AND recipient_id IN ('anna', 'bert')`);
    await change(`DELETE FROM outcome_events WHERE company_id = $1 AND recipient_id = 'carl-again'`);
    expect(await decide('2026-05-22T00:00:00.000Z')).toBe(3);
    // Mutation: without asking what stands, one decision more every day.
    expect(await decide('2026-05-23T00:00:00.000Z')).toBe(0);
    const states = (await stored())
      .sort((a, b) => a.decided_at.getTime() - b.decided_at.getTime())
      .map(({ contact_id, contact_state }) => [contact_id, contact_state] as const);
    const of = (name: string) => states.filter(([contact]) => contact === name).map(([, state]) => state);
    expect([of('anna'), of('bert'), of('carl'), of('dora')]).toEqual([
      ['open', 'replied', 'open'],
      ['replied', 'open'],
      ['open', 'unsubscribed', 'open'],
      ['replied'],
    ]);
    expect(await parts.replay.verify(company)).toMatchObject({ replayed: 9, identical: 9 });
    // The first reply comes once more.
    await change(`UPDATE touches SET outcome = 1 WHERE company_id = $1 AND recipient_id = 'anna'`);
    expect(await decide('2026-05-24T00:00:00.000Z')).toBe(1);
  });

  it.each([
    [
      'model',
      `UPDATE decision_models SET body = replace(body, '"alpha":10', '"alpha":11') WHERE company_id = $1`,
      'model_changed',
    ],
    [
      'inputs',
      `UPDATE workflow_decisions SET inputs = replace(inputs, '"alpha":10', '"alpha":11') WHERE company_id = $1`,
      'identity_changed',
    ],
    [
      'contact',
      `UPDATE workflow_decisions SET contact_id = 'other' WHERE company_id = $1`,
      'identity_changed',
    ],
    [
      'result',
      `UPDATE workflow_decisions SET result = replace(result, '"step":1', '"step":2') WHERE company_id = $1`,
      'result_differs',
    ],
  ])('whose %s was changed afterwards are found', async (_what, change, fault) => {
    await storeTouches(database, company, [{ contact: 'anna', sentAt: '2026-05-10T09:00:00Z' }]);
    await decide();
    await database.query(change, [company.companyId]);
    expect(await parts.replay.verify(company)).toEqual({
      replayed: 1,
      identical: 0,
      firstFault: { decisionId: expect.any(String) as string, fault },
    });
    const [changed] = await stored();
    expect(await parts.replay.one(company, changed?.decision_id ?? '')).toMatchObject({
      ...{ identical: false, fault },
    });
  });

  it.each([
    ['2.1.0', null],
    ['0.9.0', 'not_computable'],
  ])('are replayed by the engine that made them: %s', async (engineVersion, fault) => {
    await storeTouches(database, company, [{ contact: 'anna', sentAt: '2026-05-10T09:00:00Z' }]);
    await decide();
    const [row] = (await database.query<FrozenRow & { model: string }>(
      `SELECT company_id AS "companyId", contact_id AS "contactId", thread_id AS "threadId",
         campaign_id AS "campaignId", after_touch_id AS "touchId", contact_state AS state, decided_at AS "decidedAt",
         inputs, result, body AS model
       FROM workflow_decisions JOIN decision_models USING (company_id, model_sha256) WHERE company_id = $1`,
      [company.companyId],
    )) as [FrozenRow & { model: string }];
    // Engines up to 2.1.0 compute with the platform's functions, and so does no later one.
    const { exp } = Math;
    jest.spyOn(Math, 'exp').mockImplementation((x) => exp(x) * (1 + 1e-12));
    const model = JSON.stringify({ ...(JSON.parse(row.model) as object), engine_version: engineVersion });
    const decideThen = decisionEngine('2.1.0')?.contactDecider(JSON.parse(model) as DecisionModel);
    const result = JSON.stringify(decideThen?.(JSON.parse(row.inputs) as DecisionInputs));
    expect(result).not.toBe(row.result);
    const identity = { ...row, engineVersion, modelSha256: sha256(model) };
    await database.query(
      `INSERT INTO decision_models SELECT (jsonb_populate_record(m, jsonb_build_object('body', $2::text,
         'model_sha256', '\\x' || $3::text))).* FROM decision_models m WHERE company_id = $1`,
      [company.companyId, model, identity.modelSha256],
    );
    await database.query(
      `UPDATE workflow_decisions SET decision_id = $2, engine_version = $3, model_sha256 = decode($4, 'hex'),
         result = $5 WHERE company_id = $1`,
      [company.companyId, decisionIdOf(identity), engineVersion, identity.modelSha256, result],
    );
    const firstFault = fault === null ? null : { decisionId: decisionIdOf(identity), fault };
    expect(await parts.replay.verify(company)).toEqual({
      replayed: 1,
      identical: fault === null ? 1 : 0,
      firstFault,
    });
    jest.restoreAllMocks();
  });

  it.each(['workflow_decisions', 'decision_models'])(
    'cannot be changed by the service: %s',
    async (table) => {
      const column = table === 'decision_models' ? 'body' : 'result';
      const changed = parts.tenants.transaction(company, ({ client }) =>
        client.query(`UPDATE ${table} SET ${column} = 'x'`),
      );
      await expect(changed).rejects.toMatchObject({
        cause: { message: expect.stringContaining('permission denied') as string },
      });
    },
  );

  it('read the messages of each contact alone, though Postgres takes the company to have none', async () => {
    // Its statistics list the companies that are there, each with its share; another must have next to nothing.
    for (let known = 0; known < 2; known += 1)
      await storeTouches(database, await createCompany(database), CONTACTS);
    await database.query('ALTER TABLE touches SET (autovacuum_enabled = off)');
    await database.query('ANALYZE touches');
    const sent = CONTACTS.map((touch) => ({ ...touch, address: `${touch.contact}@example.com` }));
    await storeTouches(database, company, sent);
    const messagesRead = async (): Promise<number> => {
      const [row] = await database.query<{ n: string }>(
        `SELECT seq_tup_read + idx_tup_fetch AS n FROM pg_stat_user_tables WHERE relname = 'touches'`,
      );
      return Number(row?.n);
    };
    const before = await messagesRead();
    const own = await openDecisions(await database.loginAs('outcomes_worker'));
    try {
      const runId = await storeRun(database, company, banditOf(AS_OF));
      expect(await own.decisions.decide(company, runId)).toBe(CONTACTS.length);
    } finally {
      await own.close(); // what a connection read is counted at the latest when it closes
    }
    await waitUntil('the reads are counted', async () => (await messagesRead()) > before);
    // Some ten look-ups of each; all messages for each would be half a million.
    expect((await messagesRead()) - before).toBeLessThan(20 * CONTACTS.length);
  }, 60_000);

  it('are of one tenant: another sees, makes and scores none of them', async () => {
    await storeTouches(database, company, CONTACTS.slice(0, 20));
    const runId = await storeRun(database, company, banditOf(AS_OF));
    const stranger = await createCompany(database);
    expect(await parts.repository.isUndecided(stranger, runId)).toBe(false);
    expect([...(await parts.repository.undecided(stranger, new Date(AS_OF), 500))]).toEqual([]);
    expect(await parts.repository.maturedSteps(stranger, SETTLED)).toEqual([]);
    await parts.repository.markDecided(stranger, runId, new Date(AS_OF));
    const [touchIds = []] = await parts.repository.undecided(company, new Date(AS_OF), 500);
    expect(touchIds).toHaveLength(20);
    const decideNever = () => {
      throw new TypeError('a stranger saw a contact');
    };
    const model = { model: {} as never, body: '{}', sha256: 'aa' };
    expect(await parts.repository.freeze(stranger, runId, model, touchIds, decideNever)).toBe(0);
    expect(await parts.decisions.decide(company, runId)).toBe(20);
    expect(await parts.predictions.settled(stranger, SETTLED)).toEqual([]);
    expect(await parts.replay.verify(stranger)).toEqual({ replayed: 0, identical: 0, firstFault: null });
    expect(await parts.replay.verify(stranger, 'contact-1')).toMatchObject({ replayed: 0 });
    const [{ decision_id = '' } = {}] = await stored();
    for (const id of [decision_id, randomUUID(), 'no id', '']) {
      await expect(parts.replay.one(stranger, id)).rejects.toMatchObject({ code: 'DECISION_NOT_FOUND' });
      await expect(parts.replay.frozen(stranger, id)).rejects.toMatchObject({ code: 'DECISION_NOT_FOUND' });
    }
    expect(await stored(stranger)).toEqual([]);
  });

  describe('and their calibration', () => {
    const calibration = async () => {
      const [row] = await database.query<{ body: string }>(
        'SELECT body FROM snapshots WHERE company_id = $1 AND document = $2',
        [company.companyId, DOCUMENTS.calibration],
      );
      return JSON.parse(row?.body ?? 'null') as CalibrationDocument;
    };
    /** Does as advised, two days after the decision; every tenth contact answers. */
    const follow = async (sentAt: string) =>
      storeTouches(
        database,
        company,
        (await stored()).map(({ contact_id, result }, i) => {
          const { channel, step } = JSON.parse(result) as DecisionResult;
          return {
            contact: contact_id,
            sentAt,
            channel: channel === 'linkedin' ? 'linkedin' : 'email',
            step: step ?? 0,
            outcome: i % 10 === 0 ? 'responded' : 'no_response',
          };
        }),
      );

    it('is empty and says so until something has settled', async () => {
      await storeTouches(database, company, CONTACTS);
      await decide();
      expect(await calibration()).toMatchObject({
        predictions: 0,
        base_rate: null,
        by_run: [],
        reliability_bins: [],
      });
      // Of no channel anything is known yet.
      expect(await parts.predictions.settled(company, [])).toEqual([]);
      expect(await parts.predictions.awaiting(company, [])).toEqual({
        ...{ unfollowed: 0, open: 0, firstSettlesOn: null },
      });
      await follow('2026-05-22T09:00:00Z');
      await storeSteps(database, company, '2026-06-04');
      await decide('2026-06-04T12:00:00.000Z');
      // Sent on 22 May, newest day 4 June: 13 days, and replies alone do not count either.
      expect(await calibration()).toMatchObject({ predictions: 0 });
    });

    it('keeps no decision from being made and no run from ending where it fails, and what was said before stands', async () => {
      await storeTouches(database, company, CONTACTS);
      await decide();
      await follow('2026-05-22T09:00:00Z');
      await storeSteps(database, company, '2026-06-20');
      const before = await calibration();
      await database.query(
        `UPDATE workflow_decisions SET result = jsonb_set(result::jsonb, '{probability}', '0')::text WHERE company_id = $1`,
        [company.companyId],
      );
      expect(await decide(LATER, 60)).toBeGreaterThan(0);
      expect(errors.splice(0)).toEqual([{ err: expect.objectContaining({ code: 'mass' }) }]);
      expect(await calibration()).toEqual(before);
      const unfinished = await database.query(
        `SELECT FROM analysis_runs WHERE company_id = $1 AND decisions_made_at IS NULL`,
        [company.companyId],
      );
      expect(unfinished).toEqual([]);
    });

    it('holds what was stated against what came, and only that', async () => {
      await storeTouches(database, company, CONTACTS);
      await decide();
      await follow('2026-05-22T09:00:00Z');
      await storeSteps(database, company, '2026-06-20');
      await decide(LATER, 60);
      const scores = await calibration();
      const promised = (await stored())
        .filter(({ decided_at }) => decided_at < new Date('2026-05-21'))
        .map(({ result }) => (JSON.parse(result) as DecisionResult).probability ?? 0);
      expect(scores.predictions).toBe(700);
      expect(scores.expected_replies).toBeCloseTo(
        promised.reduce((sum, p) => sum + p, 0),
        3,
      );
      expect(scores.observed_replies).toBe(70);
      expect(scores.base_rate).toBe(0.1);
      expect(scores.observed_over_expected.ci_low).toBeGreaterThan(1);
      expect(scores.by_run).toHaveLength(1);
      expect(scores.by_run[0]).toMatchObject({ predictions: 700, decided_at: AS_OF });
      expect(scores.reliability_bins.reduce((sum, { observed }) => sum + observed.n, 0)).toBe(700);
      expect(scores.interval_coverage.groups).toBeGreaterThan(0);
    });

    it('goes by the outcomes that are known, and not by the newest message', async () => {
      await storeTouches(database, company, CONTACTS);
      await decide();
      await follow('2026-05-22T09:00:00Z');
      await storeSteps(database, company, '2026-06-20');
      // A source has been silent since 30 May.
      const silent = await storeRun(database, company, banditOf(LATER), [], driftOf('2026-05-30'));
      await parts.decisions.decide(company, silent);
      expect(await calibration()).toMatchObject({ predictions: 0, awaiting: { open: 700 } });
      const told = await storeRun(
        ...([database, company, banditOf('2026-07-01T00:00:00.000Z'), [], driftOf('2026-07-01')] as const),
      );
      await parts.decisions.decide(company, told);
      expect(await calibration()).toMatchObject({ predictions: 700 });
    });

    it('leaves out messages that were not the ones advised', async () => {
      await storeTouches(database, company, [{ contact: 'anna', sentAt: '2026-05-10T09:00:00Z' }]);
      await decide();
      await storeTouches(database, company, [{ contact: 'anna', sentAt: '2026-05-22T09:00:00Z', step: 3 }]);
      await storeSteps(database, company, '2026-06-20');
      await decide(LATER);
      expect(await calibration()).toMatchObject({ predictions: 0 });
    });
  });
});
