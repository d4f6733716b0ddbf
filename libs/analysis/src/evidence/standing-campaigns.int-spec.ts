import { createDataSource } from '@outcomes/persistence';
import { generateEvidence } from '@outcomes/statistics/testing';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import { createCompany } from '../../test/company-fixture';
import { FIRST_SEND_DAY, messagesOf, type SentMessage } from '../../test/generated-messages';
import { storeSent } from '../../test/sent-messages';
import { CampaignEvidenceRepository } from './campaign-evidence.repository';
import type { CompanyEvidence } from './company-evidence';
import { keepEvidence } from './evidence-notes.repository';
import { keepWeek } from './evidence-week.repository';
import { guessQuestions } from './question-guesses.repository';
import { unpackFold } from './kept-fold';

/** With a companion of the tone that works, so that pairs are asked for; some messages name no campaign. */
const sent = messagesOf(
  generateEvidence(
    {
      ...{ copy: 'message', days: 84, sendsPerDay: 110, campaigns: 6, secondChannel: 0.3, companion: 0.6 },
      effects: { 'phrase1.0': 1, 'tone.4': 1 },
    },
    5,
  ),
).map((message, i) => (i % 7 === 0 ? { ...message, campaignId: null } : message));
const until = FIRST_SEND_DAY + 60;
const byFortnight = ({ day }: SentMessage) => Math.floor((day - FIRST_SEND_DAY) / 14);
/** Campaigns of a fortnight, of which those of the newest days are still to mature. */
const short = sent
  .filter(({ day }) => day <= until)
  .map((message) => ({ ...message, campaignId: `${message.campaignId} ${byFortnight(message)}` }));

describe('campaigns that are what they were', () => {
  let database: TestDatabase;
  let tenants: TenantDatabase;
  let repository: CampaignEvidenceRepository;
  let close: () => Promise<void>;

  beforeAll(async () => {
    database = await createTestDatabase();
    const source = createDataSource({
      url: await database.loginAs('outcomes_worker'),
      ...{ applicationName: 'standing', poolSize: 4, statementTimeoutMs: 30_000, connectTimeoutMs: 5_000 },
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

  const run = async (scope: TenantScope, day = until): Promise<CompanyEvidence> => {
    const found = await repository.read(scope, day);
    if (found === null) throw new Error('nothing is being rebuilt');
    await tenants.transaction(scope, async (transaction) => {
      await keepEvidence(transaction, found.notes);
      await keepWeek(transaction, found.assessments, '2026-01-05');
    });
    return found;
  };
  const stands = ({ notes }: CompanyEvidence) => notes.fold === 'stands';

  it('are known by one statement, and what was judged of them stands until something matures', async () => {
    const scope = await createCompany(database);
    await storeSent(database, scope, short);
    const first = await run(scope);
    expect(stands(first)).toBe(false);
    const again = await run(scope);
    expect(stands(again)).toBe(true);
    expect(again.assessments).toEqual(first.assessments);
    expect(again.notes.campaigns).toEqual([]);
    // Of what is still to mature anything may change: only that is read.
    const changed = await database.query(
      `UPDATE campaigns SET revision = gen_random_uuid() WHERE company_id = $1 AND campaign IN (
         SELECT campaign FROM campaign_evidence WHERE company_id = $1 AND matured_on IS NULL) RETURNING campaign`,
      [scope.companyId],
    );
    expect(changed.length).toBeGreaterThan(0);
    const more = await run(scope);
    expect(stands(more)).toBe(true);
    expect(more.notes.campaigns).toHaveLength(changed.length);
    expect(more.notes.campaigns.every(({ maturedOn }) => maturedOn === null)).toBe(true);
    // A day on which less has matured than was judged, and one on which more has.
    expect(stands(await run(scope, until - 30))).toBe(false);
    expect(stands(await run(scope, until))).toBe(false);
    expect(stands(await run(scope, until + 30))).toBe(false);
  }, 60_000);

  it('are others where matured messages are erased, or what is kept of them is lost', async () => {
    const scope = await createCompany(database);
    await storeSent(database, scope, short);
    await run(scope);
    await storeSent(database, scope, short.slice(1));
    expect(stands(await run(scope))).toBe(false);
    expect(stands(await run(scope))).toBe(true);
    await database.query(
      'DELETE FROM campaign_evidence WHERE company_id = $1 AND campaign = (SELECT min(campaign) FROM campaign_evidence WHERE company_id = $1 AND matured_on IS NOT NULL)',
      [scope.companyId],
    );
    expect(stands(await run(scope))).toBe(false);
  }, 60_000);

  it('are folded from scratch with what they will be asked', async () => {
    const scope = await createCompany(database);
    const none = await tenants.transaction(scope, guessQuestions);
    expect(none.pairs).toEqual([]);
    await storeSent(database, scope, sent);
    const { notes } = await run(scope, until + 1_000);
    if (notes.fold === null || notes.fold === 'stands') throw new Error('a first run leaves a fold');
    const { questions } = unpackFold(notes.fold.fold).fold;
    expect(questions.pairs.length).toBeGreaterThan(0);
    const guess = await tenants.transaction(scope, guessQuestions);
    expect(guess.watched).toEqual(expect.arrayContaining([...questions.watched]));
    expect(new Set(guess.watched).size).toBe(guess.watched.length);
    expect(guess.pairs).toEqual(expect.arrayContaining([...questions.pairs]));
    expect(guess.pairs).toHaveLength(questions.pairs.length);
  }, 60_000);
});
