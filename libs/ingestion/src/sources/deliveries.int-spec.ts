import { hash } from 'node:crypto';
import type { TestingModule } from '@nestjs/testing';
import { FileHistory, mapRecord, noteRecord, profileOf, type SourceRecord } from '@outcomes/source-profiles';
import type { TenantScope } from '@outcomes/tenancy';
import fc from 'fast-check';
import { ingestionFixture, type IngestionFixture } from '../../test/ingestion-fixture';
import { startSourcePod } from '../../test/source-pod';
import { Deliveries } from './deliveries.service';
import { SourceDirectory } from './source-directory.service';
import { SourceOverviews } from './source-overview.service';
import { SourceTallies } from './source-tallies.service';

const MAILS = 1_000;
const CAMPAIGN = 111;
const minute = (n: number) => new Date(Date.UTC(2026, 5, 1, 8) + n * 60_000).toISOString();

/** What became of each mail: every tenth got a reply, some bounced, some readers opted out, a third was opened. */
interface Mail {
  readonly ref: string;
  readonly email: string;
  readonly step: number;
  readonly sentAt: string;
  readonly openedAt: string | undefined;
  readonly repliedAt: string | undefined;
  readonly bounced: boolean;
  readonly unsubscribed: boolean;
}

const mails: readonly Mail[] = Array.from({ length: MAILS }, (_, n) => ({
  ref: `stats-${n}`,
  email: `person${n >> 1}@example.com`,
  step: (n & 1) + 1,
  sentAt: minute(n + (n & 1) * 5_000),
  openedAt: n % 3 === 0 ? minute(n + 8_000) : undefined,
  repliedAt: n % 20 === 1 ? minute(n + 9_000) : undefined,
  bounced: n % 50 === 2,
  unsubscribed: n % 40 === 5,
}));

function deliveriesOf({
  ref,
  email,
  step,
  sentAt,
  openedAt,
  repliedAt,
  bounced,
  unsubscribed,
}: Mail): SourceRecord[] {
  const of = (event_type: string, event_timestamp: string) => ({
    ...{ event_type, event_timestamp, stats_id: ref, campaign_id: CAMPAIGN, campaign_name: 'Spring' },
    ...{ sequence_number: step, sl_lead_email: email, sent_message: { time: sentAt } },
  });
  return [
    of('EMAIL_SENT', sentAt),
    ...(openedAt === undefined ? [] : [of('EMAIL_OPEN', openedAt)]),
    ...(repliedAt === undefined ? [] : [of('EMAIL_REPLY', repliedAt)]),
    ...(bounced ? [of('EMAIL_BOUNCE', sentAt)] : []),
    ...(unsubscribed ? [of('LEAD_UNSUBSCRIBED', sentAt)] : []),
  ];
}

function rowOf({ ref, email, step, sentAt, openedAt, repliedAt, bounced, unsubscribed }: Mail): SourceRecord {
  return {
    ...{ stats_id: ref, lead_email: email, sequence_number: String(step), sent_time: sentAt },
    ...{ open_time: openedAt ?? '', reply_time: repliedAt ?? '' },
    ...{ is_bounced: String(bounced), is_unsubscribed: String(unsubscribed) },
  };
}

describe('what a tool delivers', () => {
  let fixture: IngestionFixture;
  let pods: readonly TestingModule[];

  beforeAll(async () => {
    fixture = await ingestionFixture();
    pods = [await startSourcePod(fixture), await startSourcePod(fixture)];
  });
  afterAll(async () => {
    for (const pod of pods) await pod.close();
    await fixture.stop();
  });

  const connect = async (scope: TenantScope, sourceId: string) => {
    await fixture.database.query(
      `INSERT INTO sources (company_id, source_id, tool, token_sha256, created_at) VALUES ($1, $2, 'smartlead', $3, now())`,
      [scope.companyId, sourceId, hash('sha256', 'token', 'buffer')],
    );
  };
  /** Mails as they are counted, in an order that says nothing of how they came. */
  const counted = (scope: TenantScope) =>
    fixture.database.query(
      `SELECT recipient_id, sequence_step, outcome, sent_at, recipient_hash, campaign_id FROM touches
       WHERE company_id = $1 ORDER BY recipient_id, sequence_step`,
      [scope.companyId],
    );

  it('becomes what its export becomes: nothing lost, nothing twice, however it comes', async () => {
    const [byWebhook, byExport] = [await fixture.newCompany(), await fixture.newCompany()];
    const sourceId = `src_${'a'.repeat(22)}`;
    await connect(byWebhook, sourceId);
    const records = mails.flatMap(deliveriesOf);
    const thrice = [...records, ...records, ...records];
    const [shuffled = []] = fc.sample(
      fc.shuffledSubarray(thrice, { minLength: thrice.length, maxLength: thrice.length }),
      { numRuns: 1, seed: 20_260_615 },
    );
    let broken = 0;
    const deliver = async (record: SourceRecord, at: number): Promise<void> => {
      for (let attempt = 0; ; attempt += 1) {
        const pod = pods[(at + attempt) % pods.length] as TestingModule;
        const source = await pod
          .get(SourceDirectory)
          .find(sourceId)
          .catch(() => undefined);
        const body = Buffer.from(JSON.stringify(record));
        const done =
          source &&
          (await pod
            .get(Deliveries)
            .take(source, body)
            .catch(() => undefined));
        if (done) return;
        broken += 1;
        if (attempt > 200) throw new Error('never taken');
      }
    };
    for (let from = 0; from < shuffled.length; from += 100) {
      const under = shuffled.slice(from, from + 100).map((record, at) => deliver(record, at));
      // What is under way is cut off: whoever was not answered delivers again.
      if (from % 1_000 === 500)
        await fixture.database.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE application_name = 'sources-test' AND datname = current_database()`,
        );
      await Promise.all(under);
    }
    expect(broken).toBeGreaterThan(0);

    const route = profileOf('smartlead')?.routes.find(({ name }) => name === 'statistics');
    if (!route) throw new Error('no route');
    const context = { tool: 'smartlead', campaign: String(CAMPAIGN), history: new FileHistory() };
    const rows = mails.map(rowOf);
    rows.forEach((row, at) => noteRecord(route, row, context, at));
    const events = rows.flatMap((row, at) => {
      const mapped = mapRecord(route, row, context, at);
      return 'events' in mapped ? mapped.events.map(({ event }) => event) : [];
    });
    for (let from = 0; from < events.length; from += 500)
      await fixture.ingest(byExport, ...events.slice(from, from + 500));

    for (const scope of [byWebhook, byExport]) await fixture.worker.processing.processPending(scope);
    const [one, other] = [await counted(byWebhook), await counted(byExport)];
    expect([one.length, other.length]).toEqual([MAILS, MAILS]);
    expect(one).toEqual(other);
    // Both into one company: the same mails still.
    for (let from = 0; from < events.length; from += 500)
      await fixture.ingest(byWebhook, ...events.slice(from, from + 500));
    await fixture.worker.processing.processPending(byWebhook);
    expect(await counted(byWebhook)).toEqual(one);
  }, 120_000);

  it('holds nothing past its time', async () => {
    const scope = await fixture.newCompany();
    const sourceId = `src_${'c'.repeat(22)}`;
    await connect(scope, sourceId);
    const [pod] = pods as readonly [TestingModule];
    const hold = async (email: string) => {
      const source = await pod.get(SourceDirectory).find(sourceId);
      if (!source) throw new Error('no source');
      const record = { event_type: 'NEW', to_email: email, campaign_id: 1, campaign_name: 'Spring' };
      await pod.get(Deliveries).take(source, Buffer.from(JSON.stringify(record)));
    };
    const left = () =>
      fixture.database.query('SELECT received_at FROM held_deliveries WHERE company_id = $1', [
        scope.companyId,
      ]);
    const before = fixture.clock.now().toISOString();
    await hold('ada@example.com');
    fixture.clock.advanceDays(29);
    await hold('ben@example.com');
    await fixture.worker.retention.expire(scope);
    expect(await left()).toHaveLength(2);
    fixture.clock.advanceDays(1);
    await fixture.worker.retention.expire(scope);
    expect(await left()).toHaveLength(1);
    fixture.clock.set(before);
  });

  it('tells how many facts wait for their message, source by source, until it comes', async () => {
    const scope = await fixture.newCompany();
    const [ours, another] = [`src_${'d'.repeat(22)}`, `src_${'e'.repeat(22)}`];
    for (const sourceId of [ours, another]) await connect(scope, sourceId);
    const [pod] = pods as readonly [TestingModule];
    const deliver = async (sourceId: string, event_type: string, stats_id: string, more: object = {}) => {
      const source = await pod.get(SourceDirectory).find(sourceId);
      if (!source) throw new Error('no source');
      const record = {
        ...{ event_type, stats_id, campaign_id: 1, campaign_name: 'Spring', sequence_number: 1 },
        ...{ event_timestamp: minute(5), sl_lead_email: `${stats_id}@example.com`, ...more },
      };
      await pod.get(Deliveries).take(source, Buffer.from(JSON.stringify(record)));
      await fixture.worker.processing.processPending(scope);
    };
    const waiting = async () => {
      await pod.get(SourceTallies).flush();
      const { sources } = await pod.get(SourceOverviews).of(scope);
      return sources.map((one) => [one.source, one.waiting, one.no_sent_events?.types ?? null]);
    };
    expect(await waiting()).toEqual([
      [ours, 0, null],
      [another, 0, null],
    ]);
    await deliver(ours, 'EMAIL_REPLY', 'ada');
    await deliver(ours, 'EMAIL_OPEN', 'ben');
    // These hold without a message.
    await deliver(ours, 'EMAIL_BOUNCE', 'cyd');
    await deliver(ours, 'LEAD_UNSUBSCRIBED', 'dan');
    await deliver(another, 'EMAIL_REPLY', 'eve');
    const missing = ['EMAIL_SENT', 'FIRST_EMAIL_SENT'];
    expect(await waiting()).toEqual([
      [ours, 2, missing],
      [another, 1, missing],
    ]);
    await deliver(another, 'EMAIL_SENT', 'ada', { event_timestamp: minute(0) });
    expect(await waiting()).toEqual([
      [ours, 1, missing],
      [another, 1, null],
    ]);
    // What has expired waits for nothing.
    const before = fixture.clock.now().toISOString();
    fixture.clock.advanceDays(800);
    expect((await waiting()).map(([, facts]) => facts)).toEqual([0, 0]);
    fixture.clock.set(before);
  });

  it('counts each type, and the fifty-first together with all that follow', async () => {
    const scope = await fixture.newCompany();
    const sourceId = `src_${'b'.repeat(22)}`;
    await connect(scope, sourceId);
    const [pod] = pods as readonly [TestingModule];
    const source = await pod.get(SourceDirectory).find(sourceId);
    if (!source) throw new Error('no source');
    const types = Array.from({ length: 60 }, (_, n) => `TYPE_${String(n).padStart(2, '0')}`);
    for (let round = 0; round < 2; round += 1) {
      pod.get(SourceTallies).note(source, types);
      await pod.get(SourceTallies).flush();
    }
    const rows = await fixture.database.query<{ type: string; records: string }>(
      'SELECT type, records FROM source_types WHERE company_id = $1 ORDER BY type',
      [scope.companyId],
    );
    expect(rows).toHaveLength(51);
    expect(rows.at(-1)).toEqual({ type: 'other', records: '20' });
    expect(rows.reduce((sum, { records }) => sum + Number(records), 0)).toBe(120);
  });
});
