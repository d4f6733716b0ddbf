import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { RecipientIntelligenceQuery } from '@outcomes/contracts';
import { addressHashOf } from '@outcomes/persistence';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { plantDecision } from '../../test/planted-decisions';
import { channelDrift, driftOf } from '../../test/planted-drift';
import { plantEvent, plantRun, plantSnapshot, plantTouch, type PlantedTouch } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { openReadModel } from '../../test/reading-services';
import { Answers } from '../answers/answers.service';
import { ContactRepository } from '../touches/contact.repository';

const NOW = '2026-02-01T08:00:00.000Z';
const SOUND = { channel: 'email', position: 'vp', observations: 900, own_data_share: 0.75 };

describe('one contact before it is written to', () => {
  let database: ReadingDatabase;
  let context: INestApplicationContext;
  let answers: Answers;

  beforeAll(async () => {
    database = await openReadingDatabase();
    context = await openReadModel(database.reader, NOW);
    answers = context.get(Answers);
  });
  afterAll(async () => {
    await context.close();
    await database.close();
  });

  interface Known {
    readonly touches?: readonly Partial<PlantedTouch>[];
    readonly events?: readonly Partial<PlantedTouch>[];
    readonly arms?: readonly object[];
    readonly segments?: object;
    readonly decided?: boolean;
    readonly patterns?: readonly object[];
    /** Newest send days by channel; email's alone otherwise, the day before the answer. */
    readonly sentOn?: Readonly<Record<string, string>>;
  }
  const ask = async (
    { touches = [], events = [], arms, segments, decided, patterns, sentOn = { email: '2026-01-31' } }: Known,
    query: Partial<RecipientIntelligenceQuery> = {},
  ) => {
    const scope = mintTenantScope(randomUUID());
    const { companyId } = scope;
    const anna = { companyId, recipientId: 'anna' };
    await plantRun(database.owner, companyId, 'succeeded', NOW);
    await plantSnapshot(database.owner, companyId, 'frame', {
      ...driftOf(
        Object.entries(sentOn).map(([channel, last_sent_on]) =>
          channelDrift({ channel: channel as 'email', last_sent_on }),
        ),
      ),
      analysed_at: NOW,
    });
    if (patterns) await plantSnapshot(database.owner, companyId, 'patterns', patterns);
    if (arms)
      await plantSnapshot(database.owner, companyId, 'bandit', {
        prior: { mean: 0.05, concentration: 40 },
        arms,
      });
    if (segments) await plantSnapshot(database.owner, companyId, 'segments', segments);
    for (const touch of touches) await plantTouch(database.owner, { ...anna, ...touch });
    for (const event of events) await plantEvent(database.owner, { ...anna, ...event });
    if (decided)
      await plantDecision(database.owner, {
        companyId,
        contactId: 'anna',
        decidedAt: '2026-01-30T02:00:00Z',
      });
    return answers.answer('RecipientIntelligence', scope, { contact_id: 'anna', ...query });
  };

  it('is told with what was sent to it and what came of it', async () => {
    const answer = await ask({
      touches: [
        { sentAt: '2026-01-02T08:00:00Z' },
        { sentAt: '2026-01-05T08:00:00Z', step: 1 },
        { sentAt: '2026-01-01T08:00:00Z', channel: 'linkedin', outcome: 'responded' },
      ],
    });
    expect(answer).toMatchObject({
      ...{ scope: 'contact', contact_id: 'anna', known: true, can_contact: true, block_reasons: [] },
      history: {
        events: 3,
        outcomes: { responded: 1, no_response: 2, bounced: 0, unsubscribed: 0 },
        ...{ last_outcome: 'no_response', last_outcome_at: '2026-01-06T08:00:00.000Z' },
        first_seen_at: '2026-01-01T08:00:00.000Z',
      },
      segment: { id: null, name: null, size: 0, confidence_level: null },
    });
    expect(answer.summary).toMatch(
      /^3 messages on record\. No reply likelihood can be given yet\. Next: stop\. The posteriors/,
    );
    expect(answer.alerts).toEqual([]);
  });

  it.each(['email', 'linkedin'] as const)(
    'has the outcome that came last, also where it came by %s',
    async (channel) => {
      const others = (['email', 'linkedin'] as const).map((one) => ({
        channel: one,
        sentAt: '2026-01-02T08:00:00Z',
      }));
      const last = { channel, sentAt: '2026-01-09T08:00:00Z', outcome: 'responded' as const };
      const { history } = await ask({ touches: [...others, last] });
      expect([history.last_outcome, history.last_outcome_at]).toEqual([
        'responded',
        '2026-01-10T08:00:00.000Z',
      ]);
    },
  );

  it('names no time after which its history was read, though a run ends meanwhile', async () => {
    const scope = mintTenantScope(randomUUID());
    await plantRun(database.owner, scope.companyId, 'succeeded', '2026-01-31T08:00:00.000Z');
    const contacts = context.get(ContactRepository);
    const read = contacts.history.bind(contacts);
    jest.spyOn(contacts, 'history').mockImplementationOnce(async (...asked) => {
      const history = await read(...asked);
      await plantRun(database.owner, scope.companyId, 'succeeded', NOW);
      return history;
    });
    const answer = await answers.answer('RecipientIntelligence', scope, { contact_id: 'anna' });
    expect(answer.data_as_of).toBe('2026-01-31T08:00:00.000Z');
  });

  it('has an empty history where nothing was sent', async () => {
    const { history, summary, alerts } = await ask({});
    expect(history).toMatchObject({
      events: 0,
      last_outcome: null,
      last_outcome_at: null,
      first_seen_at: null,
    });
    expect(summary).toMatch(
      /^Nothing is known of this contact, so nothing says that it may be written to\. No reply likelihood can be given yet\. Next: wait\. /,
    );
    expect(alerts).toEqual(['contact_unknown']);
  });

  it('has the position of the newest message that names one; else the title as it came', async () => {
    const titled = { position: 'unknown' as const, jobTitle: 'Wiz\u200bard' };
    const newer = { sentAt: '2026-01-09T08:00:00Z', channel: 'linkedin' as const };
    const known = await ask({ touches: [{ position: 'vp' }, { ...newer, ...titled }] });
    expect(known.position).toMatchObject({ inferred: 'vp', original: null });
    expect(known.position.confidence).toBeCloseTo(0.9, 5);
    expect(known.alerts).toEqual([]);
    const nameless = { ...newer, channel: 'email', step: 1, position: 'unknown' } as const;
    const oneChannel = await ask({ touches: [{ position: 'vp' }, nameless] });
    expect(oneChannel.position).toMatchObject({ inferred: 'vp', original: null });
    const unknown = await ask({ touches: [titled, { ...newer, position: 'unknown' }] });
    expect(unknown.position).toEqual({ inferred: 'unknown', confidence: 0, original: 'Wizard' });
    expect(unknown.alerts).toEqual(['position_low_confidence']);
  });

  it.each([
    ['position', 'vp'],
    ['industry', 'software'],
  ])('is in the same segment by %s under every id of its address', async (attribute, value) => {
    const recipientHash = addressHashOf('anna@acme.com') ?? null;
    const touches = [
      { recipientHash, position: 'vp', industry: 'software' },
      { recipientHash, position: 'unknown', recipientId: 'mailer', sentAt: '2026-01-09T08:00:00Z', step: 1 },
    ] as const;
    const segment = { id: 0, name: 'Own', size: 9, confidence_level: 'high', values: [value] };
    const segments = { attribute, count: 1, segments: [segment] };
    for (const contact_id of ['anna', 'mailer', 'anna@acme.com'])
      expect((await ask({ touches, segments }, { contact_id })).segment).toMatchObject({
        id: 0,
        name: 'Own',
      });
  });

  // A confidence of 0.6 is trusted.
  it.each([
    [0.6, []],
    [0.59, ['position_low_confidence']],
  ])('with a position of confidence %d alerts to %j', async (confidence, alerts) => {
    const recipientId = `of-${confidence}`;
    const scope = mintTenantScope(randomUUID());
    await plantRun(database.owner, scope.companyId, 'succeeded', NOW);
    await plantSnapshot(database.owner, scope.companyId, 'frame', {
      ...driftOf([channelDrift()]),
      analysed_at: NOW,
    });
    await plantTouch(database.owner, { companyId: scope.companyId, recipientId });
    await database.owner.query('UPDATE touches SET position_confidence = $2 WHERE company_id = $1', [
      scope.companyId,
      confidence,
    ]);
    expect(
      (await answers.answer('RecipientIntelligence', scope, { contact_id: recipientId })).alerts,
    ).toEqual(alerts);
  });

  it.each([
    [['unsubscribed'], ['contact_unsubscribed']],
    [['bounced'], ['contact_bounced']],
    [
      ['unsubscribed', 'bounced'],
      ['contact_unsubscribed', 'contact_bounced'],
    ],
  ] as const)('must not be contacted after %j', async (outcomes, alerts) => {
    const events = outcomes.map((outcome) => ({ outcome, recipientHash: 'a'.repeat(16) }));
    const answer = await ask({ touches: [{}], events, arms: [SOUND], decided: true });
    expect(answer).toMatchObject({ can_contact: false, block_reasons: outcomes, alerts });
    expect(answer.summary).toContain(`1 message on record; must not be contacted (${outcomes.join(', ')}). `);
    expect(answer.summary).toContain('Next: stop. ');
  });

  it('is told what was decided, when, and the chance of it', async () => {
    const answer = await ask({ touches: [{}], arms: [SOUND], decided: true });
    expect(answer.summary).toContain(
      '1 message on record. Reply likelihood 5.0 % by email, from segment data. Next: send by email, as decided on 2026-01-30. ',
    );
    expect(answer.reply_likelihood).toMatchObject({
      channel: 'email',
      sample_size: 900,
      own_data_share: 0.75,
    });
    expect(answer.alerts).toEqual([]);
  });

  it('is not sent to a channel that the company has left idle, and is told of what its chance is', async () => {
    const known = { touches: [{}], arms: [SOUND], decided: true };
    const idle = await ask({ ...known, sentOn: { email: '2025-12-01', linkedin: '2026-01-31' } });
    expect(idle.next_best_action).toMatchObject({ action: 'wait', channel: null, decision_id: null });
    expect(idle.next_best_action.rationale).toContain('newest message of the company is of 2025-12-01');
    expect(idle.reply_likelihood.channel).toBe('email');
    expect(idle.alerts).toEqual(['channel_left_idle']);
    const other = await ask({ ...known, sentOn: { email: '2026-01-31', linkedin: '2025-12-01' } });
    expect(other.next_best_action).toMatchObject({ action: 'send', channel: 'email' });
    expect(other.alerts).toEqual([]);
  });

  it('is told which channel holds for it where the patterns of the company prefer another', async () => {
    const rate = { value: 0.06, ci_low: 0.05, ci_high: 0.07, n: 900 };
    const code = { code: 'CH-2', positive: true, tier: 3, evidence_tier: 'confirmed' };
    const known = {
      ...{ touches: [{}], arms: [SOUND], decided: true },
      patterns: [{ ...code, evidence: { lift: 0.4, with_rate: rate } }],
    };
    const answer = await ask(known);
    expect(answer.preferences).toMatchObject([{ dimension: 'channel', value: 'linkedin' }]);
    expect(answer.summary).toContain(
      'Next: send by email, as decided on 2026-01-30. Over all contacts first messages on LinkedIn get more replies; ' +
        'for this contact the advice by email holds: at its position, campaign and step no channel in use promises a quarter more. ',
    );
    // A preference of a channel that was given up is one of then.
    const idle = await ask({ ...known, sentOn: { email: '2026-01-31', linkedin: '2025-12-01' } });
    expect(idle.alerts).toEqual(['channel_left_idle']);
  });

  it('has the chance of its own arm, and no promise of an analysis, where none decides about it', async () => {
    const own = { ...SOUND, posterior_mean: 0.004, ci_low: 0.002, ci_high: 0.008 };
    const linkedin = { ...own, channel: 'linkedin', posterior_mean: 0.06, observations: 100 };
    const touches = [
      { sentAt: '2025-12-01T08:00:00Z', channel: 'linkedin' as const },
      { sentAt: '2025-12-20T08:00:00Z' },
    ];
    const answer = await ask({ touches, arms: [own, linkedin] });
    expect(answer.reply_likelihood).toEqual({
      ...{ channel: 'email', value: 0.004, ci_low: 0.002, ci_high: 0.008 },
      ...{ sample_size: 900, data_source: 'segment', own_data_share: 0.75 },
    });
    expect(answer.next_best_action).toMatchObject({
      action: 'wait',
      rationale:
        'Analyses decide only about contacts written to in the last 30 days, and the newest message is of 2025-12-20: decide by hand whether to write; the analysis after that message decides what follows.',
    });
    const asked = await ask({ touches, arms: [own, linkedin] }, { channel: 'linkedin' });
    expect(asked.reply_likelihood).toMatchObject({ channel: 'linkedin', value: 0.06 });
  });

  it.each([
    ['the company, which is borrowed', [{ ...SOUND, position: 'founder' }], false, ['borrowed_prior']],
    ['few outcomes', [{ ...SOUND, observations: 29 }], true, ['small_sample']],
    ['hardly any', [{ ...SOUND, observations: 9 }], true, ['very_small_sample']],
    [
      'few of an arm that is none of the model',
      [{ ...SOUND, position: 'founder' }],
      true,
      ['very_small_sample'],
    ],
    ['few of another channel', [{ ...SOUND, channel: 'linkedin' }], true, ['very_small_sample']],
  ])('alerts to a likelihood from %s', async (_what, arms, decided, alerts) => {
    expect((await ask({ touches: [{}], arms, decided })).alerts).toEqual(alerts);
  });
});
