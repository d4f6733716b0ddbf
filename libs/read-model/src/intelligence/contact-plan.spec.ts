import type { ArmRecord, BanditDocument } from '@outcomes/contracts';
import { campaignKeyOf, type BlockReason } from '@outcomes/persistence';
import type { ContactHistory, NewestMessage } from '../touches/contact.repository';
import { armFor, canContact, isKnown, planFor, replyLikelihood } from './contact-plan';

const now = new Date('2026-02-10T00:00:00Z');
const arm = (fields: Partial<ArmRecord>) =>
  ({
    channel: 'email',
    position: 'vp',
    posterior_mean: 0.05,
    ci_low: 0.04,
    ci_high: 0.06,
    observations: 900,
    own_data_share: 0.9,
    ...fields,
  }) as ArmRecord;
const email = arm({});
const linkedin = arm({ channel: 'linkedin', posterior_mean: 0.2, ci_low: 0.15, ci_high: 0.25 });
const bandit = {
  prior: { mean: 0.04, concentration: 50 },
  arms: [email, linkedin],
} as unknown as BanditDocument;

const message = (fields: Partial<NewestMessage> = {}): NewestMessage => ({
  channel: 'email',
  outcome: 'no_response',
  sentAt: new Date('2026-01-01T00:00:00Z'),
  position: 'vp',
  positionConfidence: 0.9,
  jobTitle: null,
  campaignId: null,
  ...fields,
});
const standingOf = (...blockReasons: BlockReason[]): ContactHistory['standing'] => ({
  isKnown: true,
  blockReasons,
  unsubscribedAt: null,
  bouncedAt: null,
  repliedAt: null,
});
const historyOf = (...newest: NewestMessage[]): ContactHistory => ({
  standing: standingOf(),
  newest,
  industry: null,
  cells: newest.map(({ channel, outcome, sentAt }) => ({
    channel,
    outcome,
    messages: 1,
    firstSentAt: sentAt,
    lastOutcomeAt: sentAt,
  })),
});

describe('a contact', () => {
  it('may be written to where it is known and nothing speaks against it', () => {
    expect(canContact(historyOf(message()))).toBe(true);
    // What became of the messages decides nothing: the events do.
    expect(canContact(historyOf(message({ outcome: 'unsubscribed' })))).toBe(true);
    expect(canContact({ ...historyOf(message()), standing: standingOf('bounced') })).toBe(false);
  });

  it.each([['unsubscribed'], ['bounced'], ['unsubscribed', 'bounced']] as const)(
    'is left alone after %s, also where it has replied',
    (...reasons) => {
      const history = { ...historyOf(message({ outcome: 'responded' })), standing: standingOf(...reasons) };
      const { action, channel, rationale } = planFor(history, linkedin, bandit.arms, now);
      expect([action, channel]).toEqual(['stop', null]);
      for (const reason of reasons) expect(rationale).toContain(reason);
      expect(rationale).not.toContain('by hand');
    },
  );

  it('is left to somebody after a reply', () => {
    const plan = planFor(historyOf(message({ outcome: 'responded' })), linkedin, bandit.arms, now);
    expect(plan).toMatchObject({ action: 'stop', rationale: expect.stringContaining('by hand') as string });
  });

  it('of whom nothing is known is nobody to write to', () => {
    const nobody = {
      cells: [],
      newest: [],
      industry: null,
      standing: { ...standingOf(), isKnown: false },
    };
    expect([isKnown(nobody), canContact(nobody)]).toEqual([false, null]);
    expect(planFor(nobody, linkedin, bandit.arms, now)).toMatchObject({ action: 'wait', channel: null });
    const optedOut = { ...nobody, standing: { ...standingOf('unsubscribed'), isKnown: false } };
    expect([isKnown(optedOut), canContact(optedOut)]).toEqual([true, false]);
  });

  it('rests for two days after a message', () => {
    const fresh = message({ sentAt: new Date('2026-02-09T12:00:00Z') });
    expect(planFor(historyOf(fresh), email, bandit.arms, now)).toMatchObject({
      action: 'wait',
      not_before: '2026-02-11T12:00:00.000Z',
    });
  });

  it('switches channel only where the other interval lies above', () => {
    expect(planFor(historyOf(message()), linkedin, [email, linkedin], now)).toMatchObject({
      action: 'switch_channel',
      channel: 'linkedin',
    });
    const unsure = arm({ channel: 'linkedin', posterior_mean: 0.2, ci_low: 0.05, ci_high: 0.5 });
    expect(planFor(historyOf(message()), unsure, [email, unsure], now)).toMatchObject({
      action: 'send',
      channel: 'email',
    });
  });

  it('that was never written to is sent to over the best channel', () => {
    expect(planFor(historyOf(), linkedin, bandit.arms, now)).toMatchObject({
      action: 'send',
      channel: 'linkedin',
    });
  });
});

describe('reply likelihood', () => {
  it("is the posterior of the contact's arm, exactly", () => {
    expect(armFor(bandit, 'vp', undefined)).toBe(linkedin);
    expect(armFor(bandit, 'vp', 'email')).toBe(email);
    expect(armFor(bandit, 'founder', undefined)).toBeUndefined();
    expect(replyLikelihood(bandit, email, 'spring')).toMatchObject({
      value: 0.05,
      ci_low: 0.04,
      ci_high: 0.06,
      sample_size: 900,
      data_source: 'segment',
    });
  });

  it('is taken inside the campaign of the newest message, where campaigns differ', () => {
    const shaped = arm({ alpha: 20, beta: 380 });
    const campaigns = [
      { channel: 'email', variance: 0.25, records: [[campaignKeyOf('spring'), 30, 15]] },
    ] satisfies BanditDocument['campaigns'];
    const known = { ...bandit, campaigns };
    const spring = replyLikelihood(known, shaped, 'spring');
    // (30 + 4) over (15 + 4)
    expect(spring.value).toBeCloseTo((0.05 * 34) / 19, 9);
    expect(spring.ci_low).toBeLessThan(spring.value ?? 0);
    expect(spring.ci_high).toBeGreaterThan(spring.value ?? 1);
    const fresh = replyLikelihood(known, shaped, 'winter');
    expect(fresh.value).toBeCloseTo(0.05, 9);
    expect((fresh.ci_high ?? 0) - (fresh.ci_low ?? 1)).toBeGreaterThan(0.02);
    const alike = { ...bandit, campaigns: [{ channel: 'email' as const, variance: 0, records: [] }] };
    expect(replyLikelihood(alike, shaped, 'spring')).toMatchObject({
      value: 0.05,
      ci_low: 0.04,
      ci_high: 0.06,
    });
  });

  it('is the spread of arms over the company where there is no arm', () => {
    const { value, ci_low, ci_high, sample_size, data_source } = replyLikelihood(bandit, undefined, null);
    expect({ value, sample_size, data_source }).toEqual({
      value: 0.04,
      sample_size: 1_800,
      data_source: 'company',
    });
    expect(ci_low).toBeLessThan(0.04);
    expect(ci_high).toBeGreaterThan(0.04);
  });

  it('is not given before there is a model', () => {
    expect(replyLikelihood(undefined, undefined, null)).toMatchObject({ value: null, data_source: 'prior' });
  });
});
