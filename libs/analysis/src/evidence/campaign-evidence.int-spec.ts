import { DAY_MS } from '@outcomes/contracts';
import { createDataSource } from '@outcomes/persistence';
import { generateEvidence } from '@outcomes/statistics/testing';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import { createCompany } from '../../test/company-fixture';
import { FIRST_SEND_DAY, messagesOf, type SentMessage } from '../../test/generated-messages';
import { storeSent } from '../../test/sent-messages';
import { StoredCampaigns, type EvidenceFindings } from '../../test/stored-campaigns';
import { analyseVariants } from './analyse-variants';
import { CampaignEvidenceRepository } from './campaign-evidence.repository';
import { keepEvidence } from './evidence-notes.repository';
import { keepClaims } from './claim.repository';

const NEVER = FIRST_SEND_DAY + 10_000;
const bytes = (value: unknown) => JSON.stringify(value);

/** With a companion of the tone that works, so that strata are asked for; every seventh message names no campaign. */
const sent = messagesOf(
  generateEvidence(
    {
      copy: 'message',
      days: 84,
      sendsPerDay: 110,
      campaigns: 6,
      secondChannel: 0.3,
      companion: 0.6,
      effects: { 'phrase1.0': 1, 'tone.4': 1 },
    },
    5,
  ),
).map((message, i) => (i % 7 === 0 ? { ...message, campaignId: null } : message));

describe('evidence in Postgres', () => {
  let database: TestDatabase;
  let tenants: TenantDatabase;
  let repository: CampaignEvidenceRepository;
  let close: () => Promise<void>;

  beforeAll(async () => {
    database = await createTestDatabase();
    const source = createDataSource({
      url: await database.loginAs('outcomes_worker'),
      applicationName: 'evidence-spec',
      poolSize: 4,
      statementTimeoutMs: 30_000,
      connectTimeoutMs: 5_000,
    });
    await source.initialize();
    tenants = new TenantDatabase(source);
    repository = new CampaignEvidenceRepository(tenants);
    close = () => source.destroy();
  });
  afterAll(async () => {
    await close();
    await database.drop();
  });

  const store = (scope: TenantScope, messages: readonly SentMessage[]) =>
    storeSent(database, scope, messages);

  const run = async (scope: TenantScope, observedUntil = NEVER): Promise<EvidenceFindings | null> => {
    const read = await repository.read(scope, observedUntil);
    if (read === null) return null;
    const { assessments, notes } = read;
    await tenants.transaction(scope, async (transaction) => {
      await keepEvidence(transaction, notes);
      await keepClaims(transaction, {
        assessments,
        dataAsOf: new Date(observedUntil * DAY_MS),
        afterErasure: false,
      });
    });
    return { assessments, variants: analyseVariants(read.variants) };
  };

  const keptOf = ({ companyId }: TenantScope) =>
    database.query<{ campaign: string; strata: Buffer | null }>(
      `SELECT campaign, evidence, own.strata, variants
       FROM campaign_evidence FULL JOIN campaign_strata AS own USING (company_id, campaign)
       WHERE company_id = $1 ORDER BY campaign`,
      [companyId],
    );

  it('is what the same counts in memory say, at first, again, and when a part of it has matured', async () => {
    const scope = await createCompany(database);
    await store(scope, sent);
    const memory = new StoredCampaigns(sent);
    for (const day of [FIRST_SEND_DAY + 60, FIRST_SEND_DAY + 80, NEVER, NEVER]) {
      expect(bytes(await run(scope, day))).toBe(bytes(await memory.run(day)));
    }
    // Messages of the campaigns were grouped for pairs of claims, those without a campaign, too.
    expect(memory.asked.strata.some((name) => name.endsWith('null'))).toBe(true);
    const kept = await keptOf(scope);
    expect(kept.length).toBe(memory.keptBytes.length);
    expect(kept.every(({ strata }) => strata !== null)).toBe(true);
  });

  it('has the same rows after messages were erased as where they were never sent', async () => {
    const [one, other] = [await createCompany(database), await createCompany(database)];
    await store(one, sent);
    await run(one);
    const left = sent.filter((_, i) => i % 3 !== 0);
    await store(one, left);
    await store(other, left);
    expect(bytes(await run(one))).toBe(bytes(await run(other)));
    expect(await keptOf(one)).toEqual(await keptOf(other));
    await store(one, []);
    await run(one);
    expect(await keptOf(one)).toEqual([]);
  });

  it('leaves no strata of a campaign that has changed since, where nobody asks for them any more', async () => {
    const scope = await createCompany(database);
    await store(scope, sent);
    await run(scope);
    const strataOf = async () => (await keptOf(scope)).filter(({ strata }) => strata !== null).length;
    expect(await strataOf()).toBeGreaterThan(0);
    const unanswered = sent.map((message) => ({ ...message, isReply: false }));
    await store(scope, unanswered);
    await run(scope);
    expect(await strataOf()).toBe(0);
  });

  it.each([
    ['the counts are being rebuilt', 'INSERT INTO touch_rebuilds (company_id) VALUES ($1)'],
    [
      'subjects are not counted, though an earlier version took the company off the list',
      'INSERT INTO campaign_generations (company_id, generation, counts_subjects) VALUES ($1, 1, false)',
    ],
  ])('is not read while %s', async (_what, statement) => {
    const scope = await createCompany(database);
    await store(scope, sent.slice(0, 50));
    await database.query(statement, [scope.companyId]);
    expect(await run(scope)).toBeNull();
  });

  it('leaves a record of claims that only grows, and that nobody may change', async () => {
    const scope = await createCompany(database);
    await store(scope, sent);
    const record = () =>
      database.query<{ code: string; number: number; tier: string; reason: string; since: Date }>(
        'SELECT code, number, tier, reason, since FROM claims WHERE company_id = $1 ORDER BY code, number',
        [scope.companyId],
      );
    await run(scope);
    const first = await record();
    expect(first).toContainEqual({
      ...{ code: 'TA-5', number: 1, tier: 'confirmed', reason: 'found' },
      since: new Date(NEVER * DAY_MS),
    });
    await run(scope);
    expect(await record()).toEqual(first);
    await store(scope, []);
    await run(scope, NEVER + 1);
    const ended = (await record()).filter(({ code }) => code === 'TA-5');
    expect(ended.map(({ number, tier, reason }) => [number, tier, reason])).toEqual([
      [1, 'confirmed', 'found'],
      [2, 'none', 'no_data'],
    ]);
    for (const change of [
      'UPDATE claims SET tier = tier WHERE company_id = $1',
      'DELETE FROM claims WHERE company_id = $1',
    ]) {
      const refused = tenants.transaction(scope, ({ client, companyId }) =>
        client.query(change, [companyId]),
      );
      await expect(refused).rejects.toThrow();
    }
  });
});
