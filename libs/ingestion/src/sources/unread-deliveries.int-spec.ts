import type { TestingModule } from '@nestjs/testing';
import { EVENT_KINDS } from '@outcomes/contracts';
import { contactOf, recipientShaOf, standingsOf } from '@outcomes/persistence';
import type { SourceRecord } from '@outcomes/source-profiles';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { waitUntil, waitingForLock } from '@outcomes/testing';
import {
  anEvent,
  connectAsOwner,
  ingestionFixture,
  type IngestionFixture,
} from '../../test/ingestion-fixture';
import { startSourcePod } from '../../test/source-pod';
import { SuppressionList } from '../suppressions/suppression-list.service';
import { createErasureReplay } from '../erasures/create-erasure-replay';
import type { Erasure } from '../erasures/erasure-ledger.repository';
import { Deliveries } from './deliveries.service';
import { SourceDirectory } from './source-directory.service';
import { SourceOverviews } from './source-overview.service';
import { SourceRepository } from './source.repository';
import { SourceTallies } from './source-tallies.service';

const HELD = { accepted: 0, duplicates: 0, ignored: 0, waiting: 1, rejected: 0, errors: [] };
const ADA = 'ada@example.com';

/** A delivery of Smartlead about a message to somebody. */
const smartlead = (event_type: unknown, more: SourceRecord = {}): SourceRecord => ({
  ...{ event_type, stats_id: 'f3a9', campaign_id: 111, campaign_name: 'Spring', sequence_number: 1 },
  ...{ to_email: ADA, event_timestamp: '2026-06-05T09:00:00.000+00:00', ...more },
});
/** One of Outreach, which names people by ids of its own. */
const outreach = (
  eventName: string,
  attributes: object,
  { mail = 9001, prospect = 7 } = {},
): SourceRecord => ({
  data: {
    ...{ type: 'mailing', id: mail, attributes },
    relationships: {
      prospect: { type: 'prospect', id: prospect },
      sequence: { type: 'sequence', id: 3 },
      sequenceStep: { type: 'sequenceStep', id: 198_394 },
    },
  },
  meta: { eventName, deliveredAt: '2026-06-05T09:00:01.000+00:00' },
});
const sent = (of: { mail?: number; prospect?: number } = {}) =>
  outreach('mailing.delivered', { deliveredAt: '2026-06-05T09:00:00Z' }, of);

describe('what cannot be read of a delivery', () => {
  let fixture: IngestionFixture;
  let pod: TestingModule;
  let keyless: TestingModule;
  let scope: TenantScope;
  let made = 0;

  beforeAll(async () => {
    fixture = await ingestionFixture();
    [pod, keyless] = [await startSourcePod(fixture), await startSourcePod(fixture, '')];
  });
  afterAll(async () => {
    await pod.close();
    await keyless.close();
    await fixture.stop();
  });
  beforeEach(async () => {
    fixture.clock.set('2026-06-15T12:00:00Z');
    scope = await fixture.newCompany();
  });

  /** @returns the id of a new source */
  const connect = async (tool: string, { companyId } = scope, steps = {}) => {
    const sourceId = `src_${String((made += 1)).padStart(22, '0')}`;
    await fixture.database.query(
      'INSERT INTO sources (company_id, source_id, tool, steps, created_at) VALUES ($1, $2, $3, $4, $5)',
      [companyId, sourceId, tool, steps, fixture.clock.now()],
    );
    return sourceId;
  };
  const sourceOf = async (sourceId: string) => {
    const row = await pod.get(SourceRepository).named(sourceId);
    const source = row && pod.get(SourceDirectory).sourceOf(row);
    if (!source) throw new Error('no source');
    return source;
  };
  const deliver = async (sourceId: string, document: unknown, by = pod) =>
    by.get(Deliveries).take(await sourceOf(sourceId), Buffer.from(JSON.stringify(document)));
  const replay = (source: unknown, more: { since?: unknown; after?: unknown } = {}, as = scope) =>
    pod.get(Deliveries).replay(as, { source, since: undefined, after: undefined, ...more });
  const learn = (sourceId: string) =>
    fixture.database.query(`UPDATE sources SET steps = '{"198394": 2}' WHERE source_id = $1`, [sourceId]);
  const held = ({ companyId } = scope) =>
    fixture.database.query<Record<string, unknown>>(
      'SELECT * FROM held_deliveries WHERE company_id = $1 ORDER BY held_id',
      [companyId],
    );
  const blocked = async (contact: string, as = scope) => {
    const [standing] = await fixture.worker.database.transaction(as, (transaction) =>
      standingsOf(transaction, [contactOf(contact)], new Date(0)),
    );
    return standing?.blockReasons ?? [];
  };

  describe('an opt-out in it', () => {
    it.each<[string, string, SourceRecord, string, object]>([
      ['that no profile knows', 'smartlead', smartlead('OPTED_OUT'), ADA, { waiting: 1 }],
      [
        'that is no news of a message',
        'smartlead',
        smartlead('LEAD_CATEGORY_UPDATED', { category: 'Do not contact' }),
        ADA,
        { ignored: 1 },
      ],
      [
        'that is of no known form',
        'smartlead',
        { status: 'unsubscribed', lead_email: ADA },
        ADA,
        { waiting: 1 },
      ],
      [
        'that names no time',
        'smartlead',
        smartlead('LEAD_UNSUBSCRIBED', { event_timestamp: 'soon' }),
        ADA,
        { waiting: 1 },
      ],
      ['that names an id alone', 'outreach', outreach('mailing.opted_out', {}), 'outreach:7', { waiting: 1 }],
      [
        // The contract takes the id that was made of it, and that names the address.
        'whose address takes no mail',
        ...(['smartlead', smartlead('OPTED_OUT', { to_email: `.${ADA}` })] as const),
        `.${ADA}`,
        { waiting: 1 },
      ],
    ])('%s blocks in the same request, without a message', async (_, tool, record, contact, rest) => {
      const other = await fixture.newCompany();
      expect(await blocked(contact)).toEqual([]);
      const answer = await deliver(await connect(tool), [record, record]);
      const twice = Object.fromEntries(Object.entries(rest).map(([key, count]) => [key, 2 * Number(count)]));
      expect(answer).toEqual({ ...HELD, waiting: 0, accepted: 1, ...twice });
      expect([await blocked(contact), await blocked(contact, other)]).toEqual([['unsubscribed'], []]);
      await fixture.worker.processing.processPending(scope);
      expect((await fixture.stored(scope)).touches).toEqual([]);
    });

    it('blocks beside what the record is read as: a reply of somebody who has opted out', async () => {
      const source = await connect('outreach', scope, { '198394': 0 });
      const reply = { repliedAt: '2026-06-14T10:00:00Z' };
      expect(await deliver(source, outreach('mailing.replied', reply))).toMatchObject({ accepted: 1 });
      expect(await blocked('outreach:7')).toEqual([]);
      const late = outreach('mailing.replied', { ...reply, unsubscribedAt: '2026-06-14T11:00:00Z' });
      expect(await deliver(source, late)).toMatchObject({ accepted: 2, duplicates: 1, waiting: 0 });
      expect(await blocked('outreach:7')).toEqual(['unsubscribed']);
    });

    it.each(['jörg@firma.de', 'max.@docomo.example', 'info@müller.de'])(
      'names the address that no event can carry, also to who is written to at it: %s',
      async (address) => {
        const hash = recipientShaOf(address).slice(0, 16);
        const name = `em_${recipientShaOf(address).slice(0, 32)}`;
        const listed = () =>
          fixture.database.query(
            'SELECT change, recipient_id, recipient_hash FROM suppression_list WHERE company_id = $1 ORDER BY change_no',
            [scope.companyId],
          );
        await deliver(await connect('smartlead'), smartlead('LEAD_UNSUBSCRIBED', { to_email: address }));
        await fixture.ingest(scope, anEvent({ recipient_id: address }), anEvent({ recipient_id: name }));
        await fixture.worker.processing.processPending(scope);
        for (const contact of [address, address.toUpperCase(), name])
          expect(await blocked(contact)).toEqual(['unsubscribed']);
        expect(await listed()).toEqual(
          expect.arrayContaining([
            { change: 'added', recipient_id: name, recipient_hash: null },
            { change: 'added', recipient_id: null, recipient_hash: hash },
          ]),
        );
        await fixture.api.ingestion.deleteRecipient(scope, address);
        expect(await blocked(address)).toEqual(['unsubscribed']);
        await fixture.api.ingestion.deleteRecipient(scope, name, 'true');
        expect(await blocked(address)).toEqual(['unsubscribed']);
        await fixture.api.ingestion.deleteRecipient(scope, name);
        expect([await blocked(address), await blocked(name)]).toEqual([[], []]);
        expect(new Set((await listed()).map((row) => JSON.stringify(row)))).toEqual(
          new Set([JSON.stringify({ change: 'removed', recipient_id: null, recipient_hash: null })]),
        );
      },
    );

    it('names it also where an earlier version took the opt-out in', async () => {
      const address = 'jörg@firma.de';
      await deliver(await connect('smartlead'), smartlead('OPTED_OUT', { to_email: address }));
      await fixture.database.query('UPDATE outcome_events SET id_address_hash = NULL WHERE company_id = $1', [
        scope.companyId,
      ]);
      expect(await blocked(address)).toEqual([]);
      await fixture.worker.module.get(SuppressionList).check(scope);
      expect(await blocked(address)).toEqual(['unsubscribed']);
    });

    it('takes effect though the rest can be neither read nor held, so that the tool sends it again', async () => {
      const sourceId = await connect('smartlead');
      await expect(
        deliver(sourceId, [smartlead('NEW'), smartlead('OPTED_OUT')], keyless),
      ).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        headers: { 'Retry-After': '600' },
      });
      expect([await blocked(ADA), await held()]).toEqual([['unsubscribed'], []]);
      expect(await deliver(sourceId, smartlead('OPTED_OUT'))).toEqual({
        ...HELD,
        accepted: 1,
        duplicates: 1,
      });
    });
  });

  describe('a bounce in it', () => {
    const PERSON = `em_${recipientShaOf(ADA).slice(0, 32)}`;
    const salesloft = (more: SourceRecord = {}): SourceRecord => ({
      ...{ id: 77, sent_at: '2026-06-05T09:00:00Z', updated_at: '2026-06-05T09:05:00Z', status: 'sent' },
      ...{ bounced: true, counts: {}, recipient: { id: 5 }, recipient_email_address: ADA },
      ...{ cadence: { id: 4 }, step: { id: 198_394 }, ...more },
    });
    const replied = (outcome_at: string) =>
      fixture.ingest(
        scope,
        anEvent({ recipient_id: PERSON, recipient_email: ADA, outcome: 'responded', outcome_at }),
      );

    it.each<[string, string, SourceRecord, object]>([
      ['of an unknown step', 'salesloft', salesloft(), { waiting: 1 }],
      ['of no step', 'salesloft', salesloft({ step: null }), { waiting: 1 }],
      [
        'of no campaign',
        'replyio',
        {
          event: { type: 'email_bounced', id: 'e-1', date: '2026-06-05T09:00:00Z' },
          contact_fields: { id: 12, email: ADA },
        },
        { waiting: 1 },
      ],
      [
        'that names no time',
        'smartlead',
        smartlead('EMAIL_BOUNCE', { event_timestamp: 'soon' }),
        { waiting: 1 },
      ],
      [
        'that is ahead of the clock',
        'smartlead',
        smartlead('EMAIL_BOUNCE', { event_timestamp: '2999-01-01T00:00:00Z' }),
        { rejected: 1 },
      ],
    ])('%s blocks in the same request, without a message, and is held', async (_, tool, record, rest) => {
      const source = await connect(tool);
      expect(await deliver(source, record)).toMatchObject({ accepted: 1, duplicates: 0, ...rest });
      fixture.clock.set('2026-06-15T13:00:00Z');
      expect(await deliver(source, record)).toMatchObject({ accepted: 1, duplicates: 1 });
      expect([await blocked(ADA), (await held()).length]).toEqual([['bounced'], 1]);
      await fixture.worker.processing.processPending(scope);
      expect((await fixture.stored(scope)).touches).toEqual([]);
      // It is one of the address: whoever answers from it is reached.
      await replied('2026-06-15T14:00:00Z');
      expect(await blocked(ADA)).toEqual([]);
    });

    it('that comes before its mail was sent, by the clocks of the tool, is read and counts at the mail', async () => {
      const source = await connect('smartlead');
      const bounce = smartlead('EMAIL_BOUNCE', { sent_message: { time: '2026-06-05T09:00:01Z' } });
      expect(await deliver(source, bounce)).toMatchObject({ accepted: 1, waiting: 0, rejected: 0 });
      await fixture.worker.processing.processPending(scope);
      expect((await fixture.stored(scope)).touches).toMatchObject([
        { outcome: EVENT_KINDS.indexOf('bounced') },
      ]);
      expect(await blocked(ADA)).toEqual(['bounced']);
    });

    it('is the same fact when it is read later: a reply after it stands, another bounce counts', async () => {
      const source = await connect('salesloft');
      await deliver(source, salesloft());
      await replied('2026-06-06T09:00:00Z');
      expect(await blocked(ADA)).toEqual([]);
      // The mail is told of again, as it changes.
      fixture.clock.set('2026-06-15T13:00:00Z');
      await deliver(source, salesloft({ updated_at: '2026-06-07T09:00:00Z' }));
      expect(await blocked(ADA)).toEqual([]);
      await learn(source);
      expect(await replay(source)).toMatchObject({ released: 2, accepted: 2 });
      expect(await blocked(ADA)).toEqual([]);
      await fixture.worker.processing.processPending(scope);
      const { touches } = await fixture.stored(scope);
      const bounces = touches.filter(({ outcome }) => outcome === EVENT_KINDS.indexOf('bounced'));
      expect(bounces).toHaveLength(1);
      const other = { id: 78, step: { id: 5 }, updated_at: '2026-06-08T09:00:00Z' };
      expect(await deliver(source, salesloft(other))).toMatchObject({ accepted: 1, duplicates: 0 });
      expect(await blocked(ADA)).toEqual(['bounced']);
    });

    it('is none where its mail was never sent, and a change of something else is no opt-out', async () => {
      const unsent = salesloft({ sent_at: null });
      expect(await deliver(await connect('salesloft'), unsent)).toMatchObject({ accepted: 0, ignored: 1 });
      const changed = outreach('mailing.updated', { subject: 'New' });
      expect(await deliver(await connect('outreach'), changed)).toMatchObject({ accepted: 0, ignored: 1 });
      expect([await blocked(ADA), await blocked('outreach:7')]).toEqual([[], []]);
    });
  });

  it('is held once, sealed, and named by hashes alone', async () => {
    const sourceId = await connect('smartlead');
    for (let time = 0; time < 2; time += 1)
      expect(await deliver(sourceId, smartlead('NEW', { subject: 'canary' }))).toEqual(HELD);
    const [row, ...others] = await held();
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      reason: 'unknown_type',
      recipient_shas: [recipientShaOf(`em_${recipientShaOf(ADA).slice(0, 32)}`)],
      address_hashes: [recipientShaOf(ADA).slice(0, 16)],
      received_at: fixture.clock.now(),
    });
    expect(String(row?.['sealed'])).not.toMatch(/canary|NEW|ada/);
    await deliver(await connect('outreach'), sent());
    expect(
      (await held()).map((one) => [one['reason'], one['recipient_shas'], one['address_hashes']]),
    ).toContainEqual(['UNKNOWN_STEP_ID', [recipientShaOf('outreach:7')], []]);
  });

  it('is held and named where it makes an event that the contract does not take', async () => {
    const sourceId = await connect('smartlead');
    const records = [
      smartlead('EMAIL_SENT'),
      smartlead('EMAIL_SENT', { stats_id: 'g', event_timestamp: '2030-01-01T00:00:00Z' }),
    ];
    const answer = await deliver(sourceId, records);
    expect(answer).toMatchObject({ accepted: 1, waiting: 0, rejected: 1 });
    expect(answer.errors).toContainEqual(expect.objectContaining({ index: 1, field: 'sent_at' }));
    expect(new Set(answer.errors.map(({ index }) => index))).toEqual(new Set([1]));
    expect((await held()).map(({ reason }) => reason)).toEqual([answer.errors[0]?.code]);
  });

  it.each([
    [[], 'INVALID_REQUEST'],
    [null, 'INVALID_REQUEST'],
    ['text', 'INVALID_REQUEST'],
    [[[]], 'INVALID_REQUEST'],
    [[smartlead('NEW'), null], 'INVALID_REQUEST'],
    [[smartlead('NEW'), 7], 'INVALID_REQUEST'],
    [Array.from({ length: 501 }, () => ({})), 'TOO_MANY_EVENTS'],
  ])('is not looked for in what is no delivery, and nothing is stored: %#', async (document, code) => {
    await expect(deliver(await connect('smartlead'), document)).rejects.toMatchObject({ code });
    expect(await held()).toEqual([]);
  });

  describe('leaves with an erasure', () => {
    const ledger = ({ companyId }: TenantScope) =>
      fixture.database.query<Erasure & Record<string, unknown>>(
        `SELECT erasure_id AS "erasureId", subject, encode(subject_sha256, 'hex') AS "subjectSha256",
           kept_suppression AS "keptSuppression", erased_at::text AS "erasedAt" FROM erasures WHERE company_id = $1`,
        [companyId],
      );
    const erase = (recipientId: string, keeps = 'false') =>
      fixture.api.ingestion.deleteRecipient(scope, recipientId, keeps);

    it.each([
      [
        'the id that its events would have',
        `em_${recipientShaOf(ADA).slice(0, 32)}`,
        'smartlead',
        smartlead('NEW'),
      ],
      ['the address', 'Ada@Example.com', 'smartlead', smartlead('NEW')],
      ["the tool's id", 'outreach:7', 'outreach', sent()],
    ])('by %s, of this company and this person alone, and is written down', async (_, id, tool, record) => {
      const other = await fixture.newCompany();
      const sourceId = await connect(tool);
      const ofAnother =
        tool === 'outreach' ? sent({ prospect: 8 }) : smartlead('NEW', { to_email: 'ben@example.com' });
      await deliver(sourceId, [record, ofAnother]);
      await deliver(await connect(tool, other), record);
      expect(await erase(id)).toEqual({ deleted: 0, recipient_id: id, suppression: 'none' });
      expect([(await held()).length, (await held(other)).length]).toEqual([1, 1]);
      expect(await ledger(scope)).toHaveLength(1);
      expect(await ledger(other)).toEqual([]);
      await erase(id);
      expect(await ledger(scope)).toHaveLength(1);
    });

    it('by an address that the events of the erased recipient named', async () => {
      await deliver(await connect('smartlead'), smartlead('NEW'));
      await fixture.ingest(scope, anEvent({ recipient_id: 'crm-1', recipient_email: ADA }));
      expect(await erase('crm-1', 'true')).toMatchObject({ deleted: 1, suppression: 'none' });
      expect(await held()).toEqual([]);
    });

    it.each(['true', 'false'])(
      'that is repeated after a restore, also where keep_suppression was %s',
      async (keeps) => {
        const sourceId = await connect('smartlead');
        const records = [smartlead('NEW'), smartlead('NEW', { to_email: 'ben@example.com' })];
        const id = `em_${recipientShaOf(ADA).slice(0, 32)}`;
        await deliver(sourceId, records);
        await erase(id, keeps);
        const erasures = await ledger(scope);
        const [stays] = await held();
        await fixture.database.query('DELETE FROM erasures WHERE company_id = $1', [scope.companyId]);
        await deliver(sourceId, records);
        expect(await held()).toHaveLength(2);
        const owner = await connectAsOwner(fixture);
        const replays = () =>
          createErasureReplay(new TenantDatabase(owner), fixture.clock).replay(scope, erasures);
        expect([await replays(), await replays()]).toEqual([
          { repeated: 1, found: 1 },
          { repeated: 0, found: 0 },
        ]);
        expect([await held(), await ledger(scope)]).toEqual([[stays], erasures]);
        // Of somebody of whom nothing came back the ledger is all that changes.
        await fixture.database.query('DELETE FROM erasures WHERE company_id = $1', [scope.companyId]);
        expect([await replays(), await ledger(scope)]).toEqual([{ repeated: 1, found: 0 }, erasures]);
        await owner.destroy();
      },
    );
  });

  describe('is read again on request', () => {
    it('where it can be read now, and the rest stays', async () => {
      const sourceId = await connect('outreach');
      await deliver(sourceId, [
        sent({ mail: 1 }),
        sent({ mail: 2 }),
        outreach('mailing.unheard_of', {}, { mail: 3 }),
      ]);
      expect(await replay(sourceId)).toEqual({
        looked_at: 3,
        released: 0,
        accepted: 0,
        duplicates: 0,
        next: null,
      });
      await learn(sourceId);
      const since = { since: '2026-06-15T12:00:00.001Z' };
      expect(await replay(sourceId, since)).toMatchObject({ looked_at: 0, next: null });
      const ids = (await held()).map((row) => row['held_id']);
      expect(await replay(sourceId, { after: ids.at(-1) })).toMatchObject({ looked_at: 0 });
      expect(await replay(sourceId, { since: '2026-06-15T12:00:00Z' })).toEqual({
        ...{ looked_at: 3, released: 2, accepted: 2, duplicates: 0, next: null },
      });
      expect((await held()).map(({ reason }) => reason)).toEqual(['unknown_type']);
      await fixture.worker.processing.processPending(scope);
      const { touches } = await fixture.stored(scope);
      expect(touches.map((touch) => [touch.recipientId, touch.sequenceStep])).toEqual([['outreach:7', 2]]);
    });

    it('as the same event that a second delivery of it makes, with the address that it had', async () => {
      const sourceId = await connect('smartlead');
      const early = smartlead('EMAIL_SENT', { event_timestamp: '2026-06-18T09:00:00Z' });
      expect(await deliver(sourceId, early)).toMatchObject({ rejected: 1 });
      fixture.clock.set('2026-06-18T12:00:00Z');
      expect(await replay(sourceId)).toMatchObject({ released: 1, accepted: 1, duplicates: 0 });
      expect(await deliver(sourceId, early)).toMatchObject({ accepted: 1, duplicates: 1 });
      expect(
        await fixture.database.query(
          'SELECT recipient_id, recipient_hash, email_domain FROM outcome_events WHERE company_id = $1',
          [scope.companyId],
        ),
      ).toEqual([
        {
          recipient_id: `em_${recipientShaOf(ADA).slice(0, 32)}`,
          ...{ recipient_hash: recipientShaOf(ADA).slice(0, 16), email_domain: 'example.com' },
        },
      ]);
      // What was told of meanwhile is held no more, and counts once.
      await deliver(sourceId, smartlead('EMAIL_OPEN', { event_timestamp: '2026-06-21T09:00:00Z' }));
      fixture.clock.set('2026-06-21T12:00:00Z');
      await deliver(sourceId, smartlead('EMAIL_OPEN', { event_timestamp: '2026-06-21T10:00:00Z' }));
      expect(await replay(sourceId)).toMatchObject({ released: 1, accepted: 1, duplicates: 1 });
      expect(await held()).toEqual([]);
    });

    it('wholly before an erasure of its recipient or wholly after, so that nothing of it comes back', async () => {
      const sourceId = await connect('outreach');
      const eventsOf = () =>
        fixture.database.query<{ event_id: string }>(
          'SELECT event_id FROM outcome_events WHERE company_id = $1',
          [scope.companyId],
        );
      const waiting = (count: number) => async () => (await waitingForLock(fixture.database)).length >= count;
      await deliver(sourceId, sent());
      await learn(sourceId);
      await replay(sourceId);
      const [event] = await eventsOf();
      await fixture.database.query('DELETE FROM outcome_events WHERE company_id = $1', [scope.companyId]);
      await fixture.database.query(`UPDATE sources SET steps = '{}' WHERE source_id = $1`, [sourceId]);
      await deliver(sourceId, sent());
      await learn(sourceId);
      // Somebody else is about to store the same event, so that the replay waits with what it has read.
      const owner = await connectAsOwner(fixture);
      const runner = owner.createQueryRunner();
      await runner.startTransaction();
      await runner.query(
        `INSERT INTO outcome_events (company_id, event_id, channel, sequence_step, outcome, sent_has_time, outcome_at,
           recipient_id, thread_id) VALUES ($1, $2, 0, 0, 0, false, now(), 'somebody', 't')`,
        [scope.companyId, event?.event_id],
      );
      const replaying = replay(sourceId);
      await waitUntil('the replay', waiting(1));
      let isErased = false;
      const erasing = fixture.api.ingestion
        .deleteRecipient(scope, 'outreach:7', 'false')
        .finally(() => (isErased = true));
      await waitUntil('the erasure', async () => isErased || (await waiting(2)()));
      await runner.rollbackTransaction();
      await runner.release();
      await Promise.all([replaying, erasing]);
      expect([await eventsOf(), await held()]).toEqual([[], []]);
      await owner.destroy();
    });

    it('500 at a time, each answer naming where the next one begins', async () => {
      const sourceId = await connect('outreach');
      const mails = Array.from({ length: 501 }, (_, at) => sent({ mail: at, prospect: at }));
      await deliver(sourceId, mails.slice(0, 500));
      const ids = (await held()).map((row) => row['held_id']);
      expect(await replay(sourceId)).toMatchObject({ looked_at: 500, released: 0, next: ids.at(-1) });
      await deliver(sourceId, mails.slice(500));
      const { next } = await replay(sourceId);
      expect(await replay(sourceId, { after: next })).toMatchObject({ looked_at: 1, next: null });
    });

    it('as it came, so that what was told first stands, however much was read and left between', async () => {
      const sourceId = await connect('smartlead');
      const opened = (minute: number) =>
        smartlead('EMAIL_OPEN', { event_timestamp: `2026-06-17T09:${String(minute).padStart(2, '0')}:00Z` });
      await deliver(sourceId, opened(0));
      fixture.clock.set('2026-06-15T12:00:01Z');
      // Some can never be read.
      const between = Array.from({ length: 499 }, (_, at) =>
        smartlead(`NEW ${at % 7}`, { stats_id: `s${at}` }),
      );
      await deliver(sourceId, between);
      fixture.clock.set('2026-06-15T12:00:02Z');
      const unread = Array.from({ length: 60 }, (_, at) => smartlead('NEW', { stats_id: `t${at}` }));
      await deliver(sourceId, [...Array.from({ length: 59 }, (_, at) => opened(at + 1)), ...unread]);
      fixture.clock.set('2026-06-18T12:00:00Z');
      const first = await replay(sourceId);
      expect(first).toMatchObject({ looked_at: 500, released: 1, accepted: 1, next: expect.any(String) });
      const second = { looked_at: 119, released: 59, accepted: 1, duplicates: 1, next: null };
      expect(await replay(sourceId, { after: first.next })).toEqual(second);
      expect(await held()).toHaveLength(559);
      const [stored] = await fixture.database.query<{ outcome_at: Date }>(
        'SELECT outcome_at FROM outcome_events WHERE company_id = $1',
        [scope.companyId],
      );
      expect(stored?.outcome_at).toEqual(new Date('2026-06-17T09:00:00Z'));
    });

    it('from the same place on where nothing of 500 is left', async () => {
      const sourceId = await connect('outreach');
      const mails = Array.from({ length: 501 }, (_, at) => sent({ mail: at, prospect: at }));
      await deliver(sourceId, mails.slice(0, 500));
      await deliver(sourceId, mails.slice(500));
      await learn(sourceId);
      const { next, ...first } = await replay(sourceId);
      expect(first).toMatchObject({ looked_at: 500, released: 500 });
      expect(await replay(sourceId, { after: next })).toMatchObject({ released: 1, next: null });
    });

    it('of the source that is named, for its company alone, and of none that is revoked', async () => {
      const [sourceId, another] = [await connect('outreach'), await connect('outreach')];
      const other = await fixture.newCompany();
      await deliver(sourceId, sent());
      await learn(sourceId);
      expect(await replay(another)).toMatchObject({ looked_at: 0 });
      const missing = { code: 'SOURCE_NOT_FOUND' };
      await expect(replay(sourceId, {}, other)).rejects.toMatchObject(missing);
      await fixture.database.query('UPDATE sources SET revoked_at = now() WHERE source_id = $1', [sourceId]);
      await expect(replay(sourceId)).rejects.toMatchObject(missing);
      expect(await held()).toHaveLength(1);
    });

    it('never in another place than its own', async () => {
      const [sourceId, another] = [
        await connect('outreach', scope, { 198394: 0 }),
        await connect('outreach'),
      ];
      await deliver(another, sent());
      await fixture.database.query('UPDATE held_deliveries SET source_id = $1 WHERE source_id = $2', [
        sourceId,
        another,
      ]);
      expect(await replay(sourceId)).toMatchObject({ looked_at: 1, released: 0, accepted: 0 });
      expect(await held()).toHaveLength(1);
    });

    it.each<[string, string, unknown]>([
      ...[undefined, '', 'src_1', ['src_0', 'src_1'], `src_${'0'.repeat(23)}`].map(
        (one) => ['source', 'source', one] as [string, string, unknown],
      ),
      ['since', 'since', 'yesterday'],
      ['since', 'since', ['2026-01-01T00:00:00Z']],
      ['after', 'after', '1'],
      ['after', 'after', ['00000000-0000-0000-0000-000000000000']],
    ])('not where %s is none: %s %j', async (parameter, name, value) => {
      const asked = { source: `src_${'0'.repeat(22)}`, since: undefined, after: undefined, [name]: value };
      await expect(pod.get(Deliveries).replay(scope, asked)).rejects.toMatchObject({
        ...{ code: 'INVALID_PARAMETER', fields: { parameter } },
      });
    });
  });

  it('is told of by source and type: no address, 60 characters, and nothing of another company', async () => {
    const sourceId = await connect('smartlead');
    const types = ['EMAIL_SENT', 'someone@example.com', 7, 'x'.repeat(61), `A\0B`, { deep: 1 }];
    await deliver(sourceId, [...types.map((type) => smartlead(type)), { other: true }]);
    fixture.clock.set('2026-06-15T13:00:00Z');
    await deliver(sourceId, smartlead('EMAIL_SENT'));
    await pod.get(SourceTallies).flush();
    const revoked = await connect('outreach');
    await fixture.database.query('UPDATE sources SET revoked_at = now() WHERE source_id = $1', [revoked]);
    const { sources } = await pod.get(SourceOverviews).of(scope);
    const [first, second] = sources;
    expect(first).toMatchObject({
      ...{ source: sourceId, tool: 'smartlead', state: 'active', created_at: '2026-06-15T12:00:00.000Z' },
      ...{ last_delivery_at: '2026-06-15T13:00:00.000Z', observed_until: '2026-06-15T12:45:00.000Z' },
    });
    expect(Object.fromEntries((first?.types ?? []).map(({ type, records }) => [type, records]))).toEqual({
      ...{ EMAIL_SENT: 2, unnamed: 3, 7: 1, ['x'.repeat(60)]: 1, AB: 1 },
    });
    expect(
      Object.fromEntries((first?.held ?? []).map(({ reason, records }) => [reason, records])),
    ).toMatchObject({
      no_route: 1,
    });
    expect(second).toMatchObject({
      ...{ source: revoked, state: 'revoked', last_delivery_at: null, observed_until: null },
      ...{ types: [], held: [], waiting: 0, no_sent_events: null },
    });
    expect(await pod.get(SourceOverviews).of(await fixture.newCompany())).toEqual({ sources: [] });
  });

  it('is told of once flush() ends, also where counts are being written already', async () => {
    const source = await sourceOf(await connect('smartlead'));
    const tallies = pod.get(SourceTallies);
    await tallies.flush();
    const owner = await connectAsOwner(fixture);
    const runner = owner.createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT FROM sources WHERE source_id = $1 FOR UPDATE', [source.sourceId]);
    tallies.note(source, ['EMAIL_SENT']);
    const first = tallies.flush();
    await waitUntil('the first', async () => (await waitingForLock(fixture.database)).length > 0);
    let ended = false;
    const second = tallies.flush().then(() => (ended = true));
    expect((await pod.get(SourceOverviews).of(scope)).sources).toMatchObject([{ types: [] }]);
    expect(ended).toBe(false);
    await runner.commitTransaction();
    await second;
    expect((await pod.get(SourceOverviews).of(scope)).sources).toMatchObject([
      { types: [{ type: 'EMAIL_SENT', records: 1 }] },
    ]);
    await first;
    await runner.release();
    await owner.destroy();
  });
});
