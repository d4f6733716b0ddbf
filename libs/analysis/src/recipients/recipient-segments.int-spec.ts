import { createHash, randomUUID } from 'node:crypto';
import { CHANNELS, levelIndex, OUTCOMES } from '@outcomes/contracts';
import { createDataSource } from '@outcomes/persistence';
import { generateCompany, type CompanySpec, type GeneratedCompany } from '@outcomes/statistics/testing';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import { createCompany } from '../../test/company-fixture';
import { settledThrough } from '../../test/touch-fixture';
import { recipientSegments } from './recipient-segments';
import { ResponderRepository } from './responder.repository';
import { describedSegments } from './segment-texts';

const PLAN: CompanySpec = { days: 120, sendsPerDay: 100, baseRate: 0.06 };
const DAYPARTS: Readonly<Record<string, string>> = { early: 'early_morning', evening: 'evening_or_night' };

describe('segments of recipients, from the messages of a company', () => {
  let database: TestDatabase;
  let close: () => Promise<void>;
  let responders: ResponderRepository;

  beforeAll(async () => {
    database = await createTestDatabase();
    const dataSource = createDataSource({
      url: await database.loginAs('outcomes_worker'),
      applicationName: 'segments-test',
      poolSize: 1,
      statementTimeoutMs: 20_000,
      connectTimeoutMs: 2_000,
    });
    await dataSource.initialize();
    close = () => dataSource.destroy();
    responders = new ResponderRepository(new TenantDatabase(dataSource));
  });
  afterAll(async () => {
    await close();
    await database.drop();
  });

  const found = async (scope: TenantScope) => {
    const readings = await responders.read(scope, await settledThrough(database, scope));
    const segments = recipientSegments(readings);
    return { readings, segments, described: describedSegments(segments, readings) };
  };

  it('finds the planted industries and what each answers to', async () => {
    const company = await createCompany(database);
    const planted = generateCompany({ ...PLAN, segments: 3 }, 11);
    await plant(database, company, planted);
    const { readings, segments, described } = await found(company);
    expect(segments.attribute).toBe('industry');
    const tones = Object.fromEntries(
      described.map(({ name, optimal_patterns }) => [
        name,
        (optimal_patterns.tone as { level: string } | undefined)?.level,
      ]),
    );
    expect(tones).toEqual(
      Object.fromEntries(
        planted.truth.segments.map(({ industry, preferredTone }) => [`Industry: ${industry}`, preferredTone]),
      ),
    );
    expect(described.reduce((sum, { size }) => sum + size, 0)).toBe(
      readings.byIndustry.reduce((sum, { people }) => sum + people, 0),
    );
    expect(described.every(({ confidence_level }) => confidence_level === 'high')).toBe(true);
    expect(segments.differences.map(({ test }) => test.dimension)).toContain('tone');
  });

  it('claims none where no segment was planted, and none of another company', async () => {
    const company = await createCompany(database);
    await plant(database, company, generateCompany(PLAN, 12));
    const { readings, described, segments } = await found(company);
    expect(readings.industryCounts.length).toBeGreaterThan(10);
    expect([described, segments.differences]).toEqual([[], []]);
    const stranger = await found(await createCompany(database));
    expect(stranger.readings).toEqual({
      responders: [],
      byIndustry: [],
      industryCounts: [],
      positionCounts: [],
    });
  });

  it('profiles who answered, whether or not an address is known', async () => {
    const company = await createCompany(database);
    const [event] = generateCompany({ days: 10 }, 13).events.filter(({ outcome }) => outcome === 'responded');
    if (!event) throw new Error('nobody answered');
    const generated = { ...generateCompany({ days: 1 }, 1), events: [event] };
    await plant(database, company, generated);
    expect((await responders.byPosition(company)).map(({ people }) => people)).toEqual([1]);
    await database.query('UPDATE touches SET recipient_hash = NULL WHERE company_id = $1', [
      company.companyId,
    ]);
    expect((await responders.byPosition(company)).map(({ people }) => people)).toEqual([1]);
    await database.query('UPDATE touches SET outcome = 3 WHERE company_id = $1', [company.companyId]);
    expect(await responders.byPosition(company)).toEqual([]);
  });
});

/** Touches and events of a generated company, with the levels that it planted. */
async function plant(database: TestDatabase, { companyId }: TenantScope, company: GeneratedCompany) {
  const titles = [...new Set(company.events.map((event) => event.recipient_position))];
  const rows = company.events.map((event) => {
    const { tone, daypart = 'morning' } = company.truth.features.get(event.event_id) ?? {};
    return {
      event: event.event_id,
      touch: randomUUID(),
      channel: CHANNELS.indexOf(event.channel),
      step: event.sequence_step,
      outcome: OUTCOMES.indexOf(event.outcome),
      position: 1 + (titles.indexOf(event.recipient_position) % 4),
      sent: event.sent_at,
      until: event.outcome_at,
      recipient: event.recipient_id,
      hash: createHash('sha256').update(event.recipient_email).digest('hex'),
      campaign: event.metadata.campaign_id,
      industry: event.industry === 'retail' ? ` Retail ` : event.industry,
      levels: [levelIndex('tone', tone ?? 'direct'), levelIndex('daypart', DAYPARTS[daypart] ?? daypart)],
    };
  });
  const source = `jsonb_to_recordset($2) AS r (event uuid, touch uuid, channel smallint, step smallint,
    outcome smallint, "position" smallint, sent timestamptz, until timestamptz, recipient text, hash text,
    industry text, campaign text, levels smallint[])`;
  await database.query(
    `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
       streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, recipient_hash, industry,
       campaign_id)
     SELECT $1, touch, channel, step, "position", 0.9, outcome, true, sent::date, sent, until, levels, recipient, 't', hash,
       lower(btrim(industry)), campaign
     FROM ${source}`,
    [companyId, JSON.stringify(rows)],
  );
  await database.query(
    `INSERT INTO outcome_events (company_id, event_id, touch_id, channel, sequence_step, outcome, sent_has_time,
       sent_at, outcome_at, recipient_id, thread_id, recipient_hash, industry)
     SELECT $1, event, touch, channel, step, outcome, true, sent, until, recipient, 't', hash, industry FROM ${source}`,
    [companyId, JSON.stringify(rows)],
  );
}
