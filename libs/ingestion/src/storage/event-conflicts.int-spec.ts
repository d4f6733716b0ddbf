import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { TenantScope } from '@outcomes/tenancy';
import { anEvent, ingestionFixture, jsonBody, type IngestionFixture } from '../../test/ingestion-fixture';
import { recordOf } from '../identity/event-record';
import { NameBasedUuids } from '../identity/name-based-uuid';
import { checkEvent } from '../validation/event-rules';
import { OutcomeEventRepository } from './outcome-event.repository';

type Parts = Readonly<Record<string, unknown>>;

/** Every field of an event but event_id, and another value for each. */
const FULL = {
  channel: 'email',
  sequence_step: 1,
  recipient_id: 'r-1',
  sent_at: '2026-06-01T09:30:00Z',
  outcome_at: '2026-06-08T09:30:00Z',
  outcome: 'responded',
  outcome_at_is: 'exact',
  message_ref: 'm-1',
  recipient_email: 'ann@acme.com',
  recipient_position: 'CEO',
  thread_id: 't-1',
  tone: 'direct',
  word_count: 3,
  subject: 'Hello',
  body_excerpt: 'Hi Ann',
  industry: 'Retail',
  body: 'Hi Ann, \\ 😀',
  metadata: { campaign_id: 'c', list: [1, { a: null }], opened: true },
};
const CHANGES: readonly Parts[] = [
  { channel: 'linkedin' },
  { sequence_step: 2 },
  { recipient_id: 'r-2' },
  { sent_at: '2026-06-01T09:30:01Z' },
  { sent_at: '2026-06-01T11:30:00+02:00' },
  { sent_at: '2026-06-01' },
  { sent_at: undefined },
  { outcome_at: '2026-06-08T09:30:00.001Z' },
  { outcome: 'no_response' },
  { outcome: undefined, fact: 'opened' },
  { outcome_at_is: 'not_after' },
  { message_ref: 'm-2' },
  { message_ref: undefined },
  { recipient_email: 'bob@acme.com' },
  { recipient_email: undefined },
  { recipient_position: 'CTO' },
  { thread_id: 't-2' },
  { tone: 'empathetic' },
  { tone: undefined },
  { word_count: 4 },
  { subject: 'hello' },
  { body_excerpt: undefined },
  { industry: 'retail' },
  { body: 'Hi Ann' },
  { metadata: { campaign_id: 'c', list: [1, { a: null }], opened: false } },
  { metadata: undefined },
];

describe('an event_id that comes again', () => {
  let fixture: IngestionFixture;

  beforeAll(async () => {
    fixture = await ingestionFixture();
  });
  afterAll(() => fixture.stop());

  const post = (scope: TenantScope, ...events: Parts[]) =>
    fixture.api.ingestion.ingestJson(scope, jsonBody(...events), { representation: true });
  const statuses = async (scope: TenantScope, ...events: Parts[]) => {
    const { results = [], errors, ...counts } = await post(scope, ...events);
    const found = results.map(({ status }) => status);
    const all = (status: string) => found.filter((one) => one === status).length;
    expect(counts).toEqual({
      accepted: all('accepted') + all('duplicate'),
      duplicates: all('duplicate'),
      rejected: all('rejected'),
    });
    expect(errors.map(({ index, field, code }) => [index, field, code])).toEqual(
      found.flatMap((status, index) =>
        status === 'rejected' ? [[index, 'event_id', 'EVENT_ID_CONFLICT']] : [],
      ),
    );
    return found;
  };
  const rows = (scope: TenantScope) =>
    fixture.database.query<{ event_id: string; subject: string | null }>(
      'SELECT * FROM outcome_events WHERE company_id = $1 ORDER BY recipient_id, event_id',
      [scope.companyId],
    );

  it.each(CHANGES)('is a conflict with other content, and the first version stands: %j', async (change) => {
    const scope = await fixture.newCompany();
    const event = { ...FULL, event_id: randomUUID() };
    await post(scope, event);
    const before = await rows(scope);
    const answer = await post(scope, { ...event, ...change });
    expect(answer).toEqual({
      accepted: 0,
      rejected: 1,
      duplicates: 0,
      errors: [
        {
          index: 0,
          field: 'event_id',
          code: 'EVENT_ID_CONFLICT',
          message: expect.stringMatching(/with this event_id .* the first version stands\. Send /) as string,
        },
      ],
      results: [{ index: 0, event_id: event.event_id, status: 'rejected' }],
    });
    expect(await rows(scope)).toEqual(before);
    // The version that stands is still a duplicate.
    expect(await statuses(scope, event)).toEqual(['duplicate']);
  });

  it('is a duplicate with the same content, however that is written', async () => {
    const scope = await fixture.newCompany();
    const event = { ...FULL, event_id: randomUUID() };
    await post(scope, event);
    const metadata = { opened: true, list: [1, { a: null }], campaign_id: 'c' };
    expect(
      await statuses(
        scope,
        { ...event, event_id: event.event_id.toUpperCase() },
        { ...event, metadata },
        { ...event, recipient_email: ' ANN@acme.com', outcome_at: '2026-06-08T11:30:00.000+02:00' },
        { ...event, fact: null, outcome_at_is: null },
      ),
    ).toEqual(['duplicate', 'duplicate', 'duplicate', 'duplicate']);
  });

  it.each([
    ['2026-06-01T09:30:00Z', '2026-06-01T09:30:00+00:00'],
    ['2026-06-01T09:30:00+00:00', '2026-06-01T09:30Z'],
    ['2026-06-01T09:30:00', '2026-06-01T09:30:00-00:00'],
  ])('is a duplicate where UTC is written another way: %s, %s', async (first, second) => {
    const scope = await fixture.newCompany();
    const event = { ...FULL, event_id: randomUUID() };
    await post(scope, { ...event, sent_at: first });
    expect(await statuses(scope, { ...event, sent_at: second })).toEqual(['duplicate']);
  });

  it('is a duplicate of one that an earlier version stored, which kept no offset of what names no time of sending', async () => {
    const scope = await fixture.newCompany();
    const event = { ...FULL, event_id: randomUUID(), outcome_at: '2026-06-08T09:30:00+02:00' };
    const events = [
      { ...event, sent_at: undefined },
      { ...event, event_id: randomUUID(), sent_at: '2026-06-01' },
    ];
    await post(scope, ...events);
    expect(await rows(scope)).toMatchObject([{ sent_offset_minutes: 120 }, { sent_offset_minutes: 120 }]);
    await fixture.database.query(
      'UPDATE outcome_events SET sent_offset_minutes = NULL WHERE company_id = $1',
      [scope.companyId],
    );
    expect(await statuses(scope, ...events)).toEqual(['duplicate', 'duplicate']);
  });

  it.each(['2026-06-08', '2026-06-08T00:00:00Z'])(
    'is a duplicate where the version before kept no more of a date than its first moment: %s',
    async (outcome_at) => {
      const scope = await fixture.newCompany();
      const event = { ...FULL, event_id: randomUUID(), outcome_at: '2026-06-08' };
      await post(scope, event);
      expect(await statuses(scope, { ...event, outcome_at })).toEqual(['duplicate']);
      await fixture.database.query('UPDATE outcome_events SET outcome_at_is = 0 WHERE company_id = $1', [
        scope.companyId,
      ]);
      expect(await statuses(scope, event, { ...event, outcome_at })).toEqual(['duplicate', 'duplicate']);
      expect(await statuses(scope, { ...event, outcome_at_is: 'not_before' })).toEqual(['rejected']);
    },
  );

  it('stays what it was after 24 hours of folding: only what came in is compared', async () => {
    const scope = await fixture.newCompany();
    const event = { ...FULL, event_id: randomUUID() };
    await post(scope, event);
    await fixture.database.query(
      `UPDATE outcome_events SET touch_id = gen_random_uuid(), ingested_at = ingested_at - interval '1 day'
       WHERE company_id = $1`,
      [scope.companyId],
    );
    expect(await statuses(scope, event)).toEqual(['duplicate']);
  });

  it('is a duplicate by whatever way it came: an event that a tool delivered may come from an export as well', async () => {
    const scope = await fixture.newCompany();
    const event = { ...FULL, event_id: randomUUID() };
    await post(scope, event);
    await fixture.database.query(`UPDATE outcome_events SET source_id = 'src_1' WHERE company_id = $1`, [
      scope.companyId,
    ]);
    expect(await statuses(scope, event)).toEqual(['duplicate']);
  });

  it('is a conflict within one request, too: the first of a request stands, unless another stood before', async () => {
    const scope = await fixture.newCompany();
    const event = { ...FULL, event_id: randomUUID() };
    const other = { ...event, subject: 'other' };
    expect(await statuses(scope, event, other, event, { ...event, event_id: randomUUID() })).toEqual([
      'accepted',
      'rejected',
      'duplicate',
      'accepted',
    ]);
    expect(await statuses(scope, other, event, other)).toEqual(['rejected', 'duplicate', 'rejected']);
  });

  it('is a conflict by the derived id, and says what to do', async () => {
    const scope = await fixture.newCompany();
    expect(await statuses(scope, anEvent())).toEqual(['accepted']);
    const booked = anEvent({ metadata: { meeting_booked: true } });
    // metadata decides the thread only by its campaign, so the id is the same.
    const { errors } = await post(scope, booked);
    expect(errors).toEqual([
      {
        index: 0,
        field: 'event_id',
        code: 'EVENT_ID_CONFLICT',
        message: expect.stringMatching(/the first version stands\. Send what is new as a fact/) as string,
      },
    ]);
    expect(await statuses(scope, anEvent({ outcome: undefined, fact: 'meeting_booked' }))).toEqual([
      'accepted',
    ]);
  });

  it('names the row of a CSV', async () => {
    const scope = await fixture.newCompany();
    const header = 'channel,sequence_step,recipient_id,sent_at,outcome_at,outcome,subject';
    const row = 'email,0,r,2026-06-01,2026-06-02,responded';
    const csv = `${header}\n${row},a\n${row},b\n`;
    expect(await fixture.api.ingestion.ingestCsv(scope, Buffer.from(csv))).toMatchObject({
      accepted: 1,
      rejected: 1,
      errors: [{ row: 2, field: 'event_id', code: 'EVENT_ID_CONFLICT' }],
    });
  });

  it('tells each of many requests at once what became of its own version', async () => {
    const scope = await fixture.newCompany();
    const event_id = randomUUID();
    const versions = ['a', 'b', 'c'];
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const subject = versions[i % versions.length] as string;
        const [status] = await statuses(scope, anEvent({ event_id, subject }));
        return `${subject} ${status}`;
      }),
    );
    const [row] = await rows(scope);
    const stands = row?.subject ?? '';
    const counted = Object.fromEntries(
      [...Map.groupBy(answers, (answer) => answer)].map(([answer, all]) => [answer, all.length]),
    );
    expect(counted).toEqual({
      [`${stands} accepted`]: 1,
      [`${stands} duplicate`]: 19,
      ...Object.fromEntries(
        versions.filter((version) => version !== stands).map((version) => [`${version} rejected`, 20]),
      ),
    });
  });

  it('leaves 500 events that come again duplicates, all but the one that was changed', async () => {
    const scope = await fixture.newCompany();
    const events = Array.from({ length: 500 }, (_, i) => ({ ...FULL, recipient_id: `r${i}`, word_count: i }));
    expect(new Set(await statuses(scope, ...events))).toEqual(new Set(['accepted']));
    for (const changed of [0, 250, 499]) {
      const again = events.map((event, i) => (i === changed ? { ...event, body: 'Changed' } : event));
      const found = await statuses(scope, ...again);
      expect(found.flatMap((status, i) => (status === 'duplicate' ? [] : [[i, status]]))).toEqual([
        [changed, 'rejected'],
      ]);
      expect(new Set(await statuses(scope, ...events))).toEqual(new Set(['duplicate']));
    }
    expect(await rows(scope)).toHaveLength(500);
  });

  it('drops nothing in silence: of any mix of requests, each version is stored, equal to what is, or refused', async () => {
    const draft = fc.record({
      id: fc.integer({ min: 0, max: 3 }),
      subject: fc.constantFrom('a', 'b', undefined),
      flag: fc.constantFrom(true, false, null),
    });
    const requests = fc.array(fc.array(draft, { minLength: 1, maxLength: 6 }), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(requests, fc.boolean(), async (batches, atOnce) => {
        const scope = await fixture.newCompany();
        const ids = Array.from({ length: 4 }, () => randomUUID());
        const toEvent = ({ id, subject, flag }: (typeof batches)[number][number]) =>
          anEvent({ event_id: ids[id], subject, metadata: { flag } });
        const send = (batch: (typeof batches)[number]) => statuses(scope, ...batch.map(toEvent));
        const answers: string[][] = [];
        if (atOnce) answers.push(...(await Promise.all(batches.map(send))));
        else for (const batch of batches) answers.push(await send(batch));
        const stored = await fixture.database.query<{ event_id: string; version: string }>(
          `SELECT event_id, concat(subject, metadata) AS version FROM outcome_events WHERE company_id = $1`,
          [scope.companyId],
        );
        const standing = new Map(stored.map(({ event_id, version }) => [event_id, version]));
        const news = batches
          .flat()
          .flatMap((one, at) => (answers.flat()[at] === 'accepted' ? [ids[one.id]] : []));
        expect(news.sort()).toEqual([...standing.keys()].sort());
        batches.flat().forEach((one, at) => {
          const isSame = standing.get(ids[one.id] ?? '') === `${one.subject ?? ''}{"flag": ${one.flag}}`;
          expect(answers.flat()[at] !== 'rejected').toBe(isSame);
        });
      }),
      { seed: 31, numRuns: 40 },
    );
  });

  it('compares with events of the same company alone', async () => {
    const [a, b] = [await fixture.newCompany(), await fixture.newCompany()];
    const event = { ...FULL, event_id: randomUUID() };
    await post(a, event);
    const { checked } = checkEvent({ ...event, subject: 'other' }, fixture.clock.now().getTime());
    if (!checked) throw new Error('the event is not legal');
    const record = recordOf(checked, new NameBasedUuids(b.companyId));
    const compared = (scope: TenantScope) =>
      fixture.api.database.transaction(scope, (transaction) =>
        new OutcomeEventRepository(fixture.api.database).compare(transaction, [record]),
      );
    expect([...(await compared(a))]).toEqual([[record, 'conflict']]);
    expect([...(await compared(b))]).toEqual([]);
    expect(await statuses(b, { ...event, subject: 'other' })).toEqual(['accepted']);
  });

  it('is stored where the first one is deleted before they are compared', async () => {
    const scope = await fixture.newCompany();
    const event = { ...FULL, event_id: randomUUID() };
    const stays = { ...FULL, event_id: randomUUID(), recipient_id: 'stays' };
    await post(scope, event, stays);
    const repository = fixture.api.module.get(OutcomeEventRepository);
    const compare = jest.spyOn(repository, 'compare').mockImplementationOnce(async (...parameters) => {
      await fixture.api.ingestion.deleteEvent(scope, event.event_id);
      return repository.compare(...parameters);
    });
    const other = { ...event, subject: 'other' };
    // Mutation: without a second look both would be called duplicates, and neither is stored.
    expect(await statuses(scope, stays, other, event)).toEqual(['duplicate', 'accepted', 'rejected']);
    expect((await rows(scope)).map(({ subject }) => subject)).toEqual(['other', FULL.subject]);
    compare.mockRestore();
  });

  it('replaces an event that has expired, whatever its content', async () => {
    const scope = await fixture.newCompany();
    const event = { ...FULL, event_id: randomUUID() };
    await post(scope, event);
    fixture.clock.set('2028-06-15T12:00:00Z');
    const other = { ...event, subject: 'other' };
    expect(await statuses(scope, other, event)).toEqual(['accepted', 'rejected']);
    expect((await rows(scope)).map(({ subject }) => subject)).toEqual(['other']);
    fixture.clock.set('2026-06-15T12:00:00Z');
  });
});
