import { OUTCOMES, type BanditDocument } from '@outcomes/contracts';
import type { BlockReason } from '@outcomes/persistence';
import { contactDecider, type DecisionInputs } from '@outcomes/statistics';
import type { DecisionRow } from '../decisions/decision-row';
import type { DecisionPage } from '../decisions/decision.repository';
import type { ContactFacts, ContactHistory } from '../touches/contact.repository';
import {
  adviceFor as adviceAt,
  canContact,
  isKnown,
  newestDecision,
  replyLikelihood,
} from './contact-advice';

const NOW = new Date('2026-02-01T06:00:00Z');
const adviceFor = (
  facts: ContactFacts,
  decision: Parameters<typeof adviceAt>[1],
  channels?: Parameters<typeof adviceAt>[3],
) => adviceAt(facts, decision, NOW, channels);
const bandit = {
  prior: { mean: 0.04, concentration: 50 },
  arms: [
    { channel: 'email', position: 'vp', observations: 900, own_data_share: 0.9 },
    { channel: 'linkedin', position: 'vp', observations: 90, own_data_share: 0.3 },
  ],
} as unknown as BanditDocument;
const model = {
  policy: { maxSteps: 8, minGapDays: 2 },
  contact: null,
  patterns: { codes: ['TA-1'], tone: 'direct', daypart: null, weekday: null },
  arms: bandit.arms,
};

const standingOf = (...blockReasons: BlockReason[]): ContactHistory['standing'] => ({
  isKnown: true,
  blockReasons,
  unsubscribedAt: null,
  bouncedAt: null,
  repliedAt: null,
});
const historyOf = (outcome: (typeof OUTCOMES)[number] = 'no_response'): ContactHistory => ({
  standing: standingOf(),
  isWrittenTo: true,
  hasAnswered: outcome === 'responded',
  position: 'unknown',
  positionConfidence: 0,
  jobTitle: null,
  industry: null,
  lastSentAt: new Date('2026-01-27T00:00:00Z'),
  lastChannel: 'email',
  cells: [
    {
      channel: 'email',
      outcome,
      messages: 1,
      firstSentAt: new Date('2026-01-01T00:00:00Z'),
      lastOutcomeAt: new Date('2026-01-02T00:00:00Z'),
    },
  ],
});

/** Newest decision about a contact at VP level who was written to by email, made from the given knowledge. */
function decided(given: Partial<DecisionInputs> = {}, isPast = false) {
  const decision = newestDecision(decidedRow(given, isPast).page);
  if (decision === undefined) throw new Error('no decision');
  return decision;
}

function decidedRow(given: Partial<DecisionInputs> = {}, isPast = false) {
  const inputs: DecisionInputs = {
    seed: 1,
    ended: null,
    currentChannel: 'email',
    currentStep: 0,
    daysSinceLastTouch: 5,
    position: 'vp',
    features: [],
    candidates: [
      { channel: 'email', alpha: 50, beta: 950, source: 'segment' },
      { channel: 'linkedin', alpha: 3, beta: 97, source: 'company' },
    ],
    ...given,
  };
  const row = {
    decisionId: 'd-1',
    decidedAt: new Date('2026-02-01T00:00:00Z'),
    contactId: 'anna',
    threadId: 'thread',
    campaignId: null,
    lastSentAt: new Date('2026-01-27T00:00:00Z'),
    inputs: JSON.stringify(inputs),
    result: JSON.stringify(contactDecider(model)(inputs)),
    modelSha256: 'm',
    next: null,
    isPast,
    standing: standingOf(),
  } as unknown as DecisionRow;
  const page: DecisionPage = {
    rows: [row],
    models: [{ model_sha256: 'm', body: JSON.stringify(model) }],
    total: 1,
  };
  return { row, page };
}

describe('a contact', () => {
  it('may be written to where it is known and nothing speaks against it', () => {
    expect(canContact(historyOf())).toBe(true);
    // What became of the messages decides nothing: the events do.
    expect(canContact(historyOf('unsubscribed'))).toBe(true);
    expect(canContact({ ...historyOf(), standing: standingOf('bounced') })).toBe(false);
  });

  it('is told what was decided, and when', () => {
    const decision = decided();
    const { record } = decision;
    expect(record).toMatchObject({ action: 'send', channel: 'email', sequence_step: 1 });
    expect(adviceFor(historyOf(), decision)).toEqual({
      action: record.action,
      channel: record.channel,
      sequence_step: record.sequence_step,
      not_before: record.not_before,
      rationale: record.rationale,
      pattern_codes: record.pattern_codes,
      decision_id: 'd-1',
      decided_at: '2026-02-01T00:00:00.000Z',
    });
  });

  it.each([['unsubscribed'], ['bounced'], ['unsubscribed', 'bounced']] as const)(
    'is left alone after %s, whatever was decided before',
    (...reasons) => {
      const history = { ...historyOf('responded'), standing: standingOf(...reasons) };
      const advice = adviceFor(history, decided());
      expect(advice).toMatchObject({ action: 'stop', channel: null, decision_id: null });
      for (const reason of reasons) expect(advice.rationale).toContain(reason);
      expect(advice.rationale).not.toContain('by hand');
    },
  );

  it('is left to somebody after a reply, decided or not', () => {
    const byHand = { action: 'stop', rationale: expect.stringContaining('by hand') as string };
    expect(adviceFor(historyOf('responded'), decided())).toMatchObject({ ...byHand, decision_id: null });
    expect(adviceFor(historyOf('responded'), undefined)).toMatchObject({ ...byHand, decision_id: null });
    const afterReply = decided({ ended: 'replied' });
    expect(adviceFor(historyOf('responded'), afterReply)).toMatchObject({ ...byHand, decision_id: 'd-1' });
  });

  it('of whom nothing is known is nobody to write to', () => {
    const nobody = {
      ...historyOf(),
      cells: [],
      isWrittenTo: false,
      standing: { ...standingOf(), isKnown: false },
    };
    expect([isKnown(nobody), canContact(nobody)]).toEqual([false, null]);
    expect(adviceFor(nobody, undefined)).toMatchObject({ action: 'wait', channel: null });
    const optedOut = { ...nobody, standing: { ...standingOf('unsubscribed'), isKnown: false } };
    expect([isKnown(optedOut), canContact(optedOut)]).toEqual([true, false]);
  });

  it('is told why in words', () => {
    const nobody = { ...historyOf(), isWrittenTo: false, standing: { ...standingOf(), isKnown: false } };
    expect(adviceFor(nobody, undefined).rationale).toContain('Nothing is known of this contact');
    // An event, or a message, is enough to be known.
    expect(isKnown({ ...nobody, isWrittenTo: true })).toBe(true);
    expect(isKnown({ ...nobody, standing: standingOf() })).toBe(true);
    expect(adviceFor(historyOf(), undefined).rationale).toContain(
      'Nothing has been decided about this contact',
    );
    const both = { ...historyOf(), standing: standingOf('unsubscribed', 'bounced') };
    expect(adviceFor(both, undefined).rationale).toMatch(/channel\. The address bounced/);
    const past = { ...decided(), isPast: true };
    expect(adviceFor(historyOf(), past).rationale).toContain('A message has gone to the contact since');
  });

  it.each([
    ['2026-01-03T00:00:00Z', true],
    ['2026-01-02T23:59:59Z', false],
    [null, false],
  ])('whose newest message is of %s is decided about by the next analysis: %p', (at, isDecided) => {
    const facts = { ...historyOf(), lastSentAt: at === null ? null : new Date(at) };
    for (const decision of [undefined, decided({}, true)]) {
      const { action, rationale } = adviceFor(facts, decision);
      expect(action).toBe('wait');
      expect(rationale.includes('the next analysis')).toBe(isDecided);
      expect(rationale.includes('written to in the last 30 days')).toBe(!isDecided);
      if (!isDecided) expect(rationale).toContain(at === null ? 'no message is on record' : 'of 2026-01-02');
    }
  });

  it.each([
    ['2026-01-02', 'send'],
    ['2026-01-01', 'wait'],
  ])('is advised to use a channel that was last sent on on %s: %s', (last_sent_on, action) => {
    const channels = [
      { channel: 'email', last_sent_on },
      { channel: 'linkedin', last_sent_on: '2026-01-31' },
    ] as const;
    const advice = adviceFor(historyOf(), decided(), channels);
    expect(advice).toMatchObject({ action, channel: action === 'send' ? 'email' : null });
    if (action === 'wait') {
      expect(advice).toMatchObject({ sequence_step: null, decision_id: null, pattern_codes: [] });
      expect(advice.rationale).toBe(
        'The decision was for a message by email, where the newest message of the company is of 2026-01-01: what was known of replies there is old. Decide by hand whether and where to write; the analysis after that message decides what follows.',
      );
    }
    // A stop stands whatever became of the channel, and so does what is decided of another one.
    const stopped = decided({ ended: 'replied' });
    expect(adviceFor(historyOf(), stopped, channels)).toMatchObject({ action: 'stop', decision_id: 'd-1' });
    const moved = decided({ candidates: [{ channel: 'linkedin', alpha: 50, beta: 50 }] });
    expect(adviceFor(historyOf(), moved, channels)).toMatchObject({ channel: 'linkedin' });
  });

  it('is told of no channel and step where a stop was decided', () => {
    expect(adviceFor(historyOf(), decided({ ended: 'unsubscribed' }))).toMatchObject({
      ...{ action: 'stop', channel: null, sequence_step: null, decision_id: 'd-1' },
    });
  });

  it('has no decision where none is on the page, or the model of it is gone', () => {
    expect(
      newestDecision({ rows: [], models: [{ model_sha256: 'm', body: '{}' }], total: 0 }),
    ).toBeUndefined();
    const { row } = decidedRow();
    expect(newestDecision({ rows: [row], models: [], total: 1 })).toBeUndefined();
    const models = [
      { model_sha256: 'another', body: '{}' },
      { model_sha256: 'm', body: JSON.stringify(model) },
    ];
    expect(newestDecision({ rows: [row], models, total: 1 })?.modelBody).toBe(JSON.stringify(model));
    expect(newestDecision({ rows: [row], models, total: 1 })?.record.replay).toBeNull();
  });

  it('waits where nothing is decided, and where a message has gone out since', () => {
    expect(adviceFor(historyOf(), undefined)).toMatchObject({ action: 'wait', decision_id: null });
    expect(adviceFor(historyOf(), decided({}, true))).toMatchObject({ action: 'wait', decision_id: null });
  });
});

describe('reply likelihood', () => {
  it('is what the decision states, of the channel that it is for', () => {
    const decision = decided();
    expect(replyLikelihood(bandit, decision, undefined)).toEqual({
      channel: 'email',
      ...decision.record.reply_probability,
      sample_size: 900,
      data_source: 'segment',
      own_data_share: 0.9,
    });
    expect(replyLikelihood(bandit, decision, 'email')).toEqual(replyLikelihood(bandit, decision, undefined));
  });

  it('of another channel is what the same model states of it', () => {
    const other = replyLikelihood(bandit, decided(), 'linkedin');
    expect(other).toMatchObject({
      channel: 'linkedin',
      value: 0.03,
      sample_size: 90,
      data_source: 'company',
    });
    const linkedinFirst = decided({
      currentChannel: 'linkedin',
      candidates: decided().inputs.candidates.slice(1),
    });
    expect(other).toEqual(replyLikelihood(bandit, linkedinFirst, undefined));
  });

  it('is of an arm of any channel where no message is to follow, or no channel is asked for', () => {
    const shapes = {
      channels: [{ channel: 'linkedin', alpha: 40, beta: 160 }],
      company: { alpha: 2, beta: 23 },
    };
    const today = { ...bandit, unused: shapes } as BanditDocument;
    const company = replyLikelihood(today, undefined, undefined);
    expect(company).toMatchObject({ channel: null, value: 0.08, sample_size: 990, data_source: 'company' });
    for (const over of [{ ended: 'replied' }, { currentStep: 8 }] as const)
      expect(replyLikelihood(today, decided(over), 'linkedin')).toEqual(company);
    // Nothing is decided: what the channel tells of one more position.
    expect(replyLikelihood(today, undefined, 'linkedin')).toMatchObject({
      ...{ channel: 'linkedin', value: 0.2, sample_size: 90, data_source: 'company', own_data_share: 0 },
      ci_low: expect.closeTo(0.1476, 3) as number,
      ci_high: expect.closeTo(0.2581, 3) as number,
    });
    expect(replyLikelihood(today, undefined, 'email')).toEqual(company);
  });

  it('of a contact that nothing is decided about is that of its own arm', () => {
    const arm = { channel: 'email', position: 'vp', posterior_mean: 0.004, ci_low: 0.002, ci_high: 0.008 };
    const other = {
      ...arm,
      channel: 'linkedin',
      posterior_mean: 0.05,
      observations: 40,
      own_data_share: 0.3,
    };
    const arms = [{ ...arm, observations: 900, own_data_share: 0.9 }, other];
    const today = { ...bandit, arms } as unknown as BanditDocument;
    const vp = { position: 'vp', lastChannel: 'email' } as const;
    expect(replyLikelihood(today, undefined, undefined, vp)).toEqual({
      ...{ channel: 'email', value: 0.004, ci_low: 0.002, ci_high: 0.008 },
      ...{ sample_size: 900, data_source: 'segment', own_data_share: 0.9 },
    });
    expect(replyLikelihood(today, undefined, 'linkedin', vp)).toMatchObject({
      ...{ channel: 'linkedin', value: 0.05, data_source: 'company', own_data_share: 0.3 },
    });
    // The same whether a decision says that nothing is to follow, or none is made any more.
    for (const over of [{ ended: 'replied' }, { currentStep: 8 }] as const)
      for (const asked of ['email', 'linkedin', undefined] as const)
        expect(replyLikelihood(today, decided(over), asked, vp)).toEqual(
          replyLikelihood(today, undefined, asked, vp),
        );
    const company = replyLikelihood(today, undefined, undefined);
    // Of no such arm, and of nobody who was ever written to, nothing else is known.
    expect(replyLikelihood(today, undefined, undefined, { ...vp, position: 'founder' })).toEqual(company);
    expect(replyLikelihood(today, undefined, undefined, { ...vp, lastChannel: null })).toEqual(company);
  });

  it('of a channel that was not weighed, because it was left idle, is that of the own arm there', () => {
    const own = { position: 'vp', posterior_mean: 0.06, ci_low: 0.04, ci_high: 0.08 };
    const arms = [{ ...own, channel: 'linkedin', observations: 400, own_data_share: 0.9 }];
    const today = { ...bandit, arms } as unknown as BanditDocument;
    const emailAlone = decided({ candidates: decided().inputs.candidates.slice(0, 1) });
    const vp = { position: 'vp', lastChannel: 'email' } as const;
    expect(replyLikelihood(today, emailAlone, 'linkedin', vp)).toEqual({
      ...{ channel: 'linkedin', value: 0.06, ci_low: 0.04, ci_high: 0.08 },
      ...{ sample_size: 400, data_source: 'segment', own_data_share: 0.9 },
    });
    // Of whom a stop was decided the own arm tells as much.
    const stopped = decided({ ended: 'replied', candidates: emailAlone.inputs.candidates });
    expect(replyLikelihood(today, stopped, 'linkedin', vp)).toMatchObject({
      channel: 'linkedin',
      value: 0.06,
    });
  });

  it('is the spread of arms over the company where a document of an earlier version knows no more', () => {
    const { value, ci_low, ci_high, ...rest } = replyLikelihood(bandit, undefined, 'email');
    expect({ value, ...rest }).toEqual({
      channel: null,
      value: 0.04,
      sample_size: 990,
      data_source: 'company',
      own_data_share: 0,
    });
    // Beta(2, 48) exceeds x with the chance (1 - x)^48 * (1 + 48 x).
    const exceeded = (x: number | null) => (1 - (x ?? 0)) ** 48 * (1 + 48 * (x ?? 0));
    expect([exceeded(ci_low), exceeded(ci_high)]).toEqual([
      expect.closeTo(0.975, 6),
      expect.closeTo(0.025, 6),
    ]);
    const company = replyLikelihood(bandit, undefined, undefined);
    for (const asked of ['email', 'linkedin', undefined] as const)
      for (const over of [{ ended: 'replied' }, { currentStep: 8 }] as const)
        expect(replyLikelihood(bandit, decided(over), asked)).toEqual(company);
    const emailAlone = decided({ candidates: decided().inputs.candidates.slice(0, 1) });
    expect(replyLikelihood(bandit, emailAlone, 'linkedin')).toEqual(company);
  });

  it('has the sample of its own arm, and none where there is no such arm', () => {
    const others = [
      { channel: 'email', position: 'founder', observations: 7 },
      { channel: 'linkedin', position: 'vp', observations: 8 },
    ];
    const sampleOf = (arms: readonly object[]) =>
      replyLikelihood({ ...bandit, arms } as BanditDocument, decided(), undefined).sample_size;
    expect(sampleOf([...others, ...bandit.arms])).toBe(900);
    expect(sampleOf(others)).toBe(0);
    expect(replyLikelihood(undefined, decided(), undefined)).toMatchObject({
      channel: 'email',
      sample_size: 0,
    });
    expect(replyLikelihood({ ...bandit, arms: [] }, undefined, undefined).data_source).toBe('prior');
  });

  it('is not given before there is a model', () => {
    expect(replyLikelihood(undefined, undefined, undefined)).toMatchObject({
      value: null,
      data_source: 'prior',
    });
  });
});
