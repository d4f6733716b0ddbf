import { DAY_MS } from '@outcomes/contracts';
import type { BlockReason } from '@outcomes/persistence';
import type { DecisionReason } from '@outcomes/statistics';
import type { DecisionRow, NextMessage } from '../decisions/decision-row';
import { decisionRecord } from './decision-record';

const DECIDED = new Date('2026-02-01T02:00:00.000Z');
const SENT = new Date('2026-01-27T09:00:00.000Z');
const SETTLED = [
  { channel: 'email' as const, through: '2026-01-17', since: undefined, sinceBefore: undefined },
];
const MODEL = JSON.stringify({
  arms: [
    { channel: 'linkedin', position: 'vp', own_data_share: 0.1 },
    { channel: 'email', position: 'cto', own_data_share: 0.2 },
    { channel: 'email', position: 'vp', own_data_share: 0.123456789 },
  ],
});

const send = {
  ...{ action: 'send', reason: 'next_step', channel: 'email', step: 1, waitDays: 0 },
  ...{ probability: 0.0512345678, low: 0.0212345678, high: 0.1012345678, propensity: 0.7512345678 },
  ...{ exploration: false, patternCodes: ['TA-1'], tone: 'direct', daypart: 'morning', weekday: 'monday' },
};
const stop = {
  ...{ action: 'stop', reason: 'replied', channel: null, step: null, waitDays: 0 },
  ...{ probability: null, low: null, high: null, propensity: 1, exploration: false },
  ...{ patternCodes: [], tone: null, daypart: null, weekday: null },
};
const next = (parts: Partial<NextMessage> = {}): NextMessage => ({
  channel: 'email',
  step: 1,
  outcome: 'no_response',
  sentAt: DECIDED,
  sentDay: (parts.sentAt ?? DECIDED).toISOString().slice(0, 10),
  outcomeAt: new Date('2026-02-15T02:00:00.000Z'),
  ...parts,
});
function served(
  result: object = send,
  row: Partial<DecisionRow> = {},
  {
    models = [MODEL],
    inputs = {},
    proves = false,
  }: { models?: string[]; inputs?: object; proves?: boolean } = {},
) {
  const frozen = {
    decisionId: 'd-1',
    decidedAt: DECIDED,
    runId: 'run',
    ...{ contactId: 'anna\u200b', threadId: 'thread\u202e', campaignId: 'spring\u200b' },
    lastSentAt: SENT,
    engineVersion: 'engine',
    inputs: JSON.stringify({
      ...{
        seed: 7,
        ended: null,
        currentChannel: 'linkedin',
        currentStep: 3,
        daysSinceLastTouch: 5,
        position: 'vp',
      },
      candidates: [
        { channel: 'linkedin', source: 'segment' },
        { channel: 'email', source: 'company' },
      ],
      ...inputs,
    }),
    result: JSON.stringify(result),
    ...{ inputsSha256: 'of inputs', resultSha256: 'of result', modelSha256: 'of model' },
    next: null,
    isPast: false,
    mark: 'mark',
    standing: standing(true),
    ...row,
  };
  return decisionRecord(frozen, models[0], proves, SETTLED);
}
const standing = (isKnown: boolean, ...blockReasons: BlockReason[]) => ({
  ...{ isKnown, blockReasons, unsubscribedAt: null, bouncedAt: null, repliedAt: null },
});

describe('a frozen decision', () => {
  it('is served with numbers of six digits and without hidden characters', () => {
    expect(served()).toEqual({
      ...{ decision_id: 'd-1', decided_at: DECIDED.toISOString() },
      ...{ contact_id: 'anna', campaign_id: 'spring', thread_id: 'thread' },
      ...{ channel: 'email', sequence_step: 1, action: 'send', exploration: false, position: 'vp' },
      rationale: expect.stringMatching(/\.$/) as string,
      ...{ confidence: 0.123457, propensity: 0.751235 },
      reply_probability: { value: 0.0512346, ci_low: 0.0212346, ci_high: 0.101235 },
      ...{ pattern_codes: ['TA-1'], tone: 'direct', daypart: 'morning', weekday: 'monday' },
      ...{ outcome: null, outcome_at: null, settled: null, followed: null, replay: null },
      ...{ data_source: 'company', not_before: DECIDED.toISOString(), can_contact: true, block_reasons: [] },
    });
    expect(served(send, { campaignId: null }).campaign_id).toBeNull();
  });

  it('rests, where it is to stop, on what the contact did, and is about the sequence as it stood', () => {
    expect(served(stop)).toMatchObject({
      ...{ action: 'stop', channel: 'linkedin', sequence_step: 3, confidence: 1, data_source: 'own' },
      reply_probability: { value: null, ci_low: null, ci_high: null },
      not_before: null,
    });
  });

  it.each<[DecisionReason, RegExp]>([
    ['replied', /replied or booked a meeting: go on by hand/],
    ['unsubscribed', /unsubscribed/],
    ['bounced', /bounced/],
    ['sequence_exhausted', /every message of the sequence/],
    ['resting', /leave the contact some days/],
    // Which of the channels has the higher mean it does not say: the one that was chosen may have it by less than a quarter.
    ['learning', /^Chosen to learn: by the means alone the message would take another channel/],
    ['better_channel', /^The other channel promises at least a quarter more replies from this contact/],
    ['next_step', /another message on this channel/],
  ])('says why in a sentence: %s', (reason, words) => {
    expect(served({ ...send, reason }).rationale).toMatch(words);
  });

  it.each([
    ['better_channel', /^No reply rate of the current channel is known/],
    ['next_step', /another message on this channel/],
  ])('claims nothing about a current channel of which no rate is known: %s', (reason, words) => {
    const inputs = { candidates: [{ channel: 'email', source: 'company' }] };
    const { rationale } = served({ ...send, action: 'switch_channel', reason }, {}, { inputs });
    expect(rationale).toMatch(words);
    expect(rationale).not.toMatch(/quarter/);
  });

  it.each([
    ['at once', { waitDays: 0 }, SENT, DECIDED],
    // Two days more than the five that had passed since the message before.
    ['after a rest', { waitDays: 2 }, SENT, new Date(SENT.getTime() + 7 * DAY_MS)],
    [
      'after a rest from the decision, where that message is gone',
      { waitDays: 2 },
      null,
      new Date(DECIDED.getTime() + 7 * DAY_MS),
    ],
  ])('allows to write %s', (_when, wait, lastSentAt, at) => {
    expect(served({ ...send, ...wait }, { lastSentAt }).not_before).toBe(at.toISOString());
  });

  it.each<[string, object, NextMessage, boolean]>([
    ['the message advised', send, next(), true],
    ['the same a millisecond too early', send, next({ sentAt: new Date(DECIDED.getTime() - 1) }), false],
    ['another channel', send, next({ channel: 'linkedin' }), false],
    ['another step', send, next({ step: 2 }), false],
    ['any message after a stop', stop, next({ channel: 'linkedin', step: 3 }), false],
  ])('was followed by %s: %#', (_what, result, message, followed) => {
    expect(served(result, { next: message }).followed).toBe(followed);
  });

  it.each([
    ['silence of a settled day', next({ sentAt: new Date('2026-01-17T23:59:59Z') }), true],
    ['silence of the day after', next({ sentAt: new Date('2026-01-18T00:00:00Z') }), false],
    [
      'silence of a settled day west of UTC',
      next({ sentAt: new Date('2026-01-18T07:00:00Z'), sentDay: '2026-01-17' }),
      true,
    ],
    [
      'silence of the day after east of UTC',
      next({ sentAt: new Date('2026-01-17T15:00:00Z'), sentDay: '2026-01-18' }),
      false,
    ],
    [
      'silence on a channel of which no day is known',
      next({ channel: 'linkedin', sentAt: new Date('2026-01-10T09:00:00Z') }),
      false,
    ],
    ['an answer, at once', next({ outcome: 'responded' }), true],
  ])('has settled by %s', (_what, message, settled) => {
    expect(served(send, { next: message })).toMatchObject({
      settled,
      outcome: message.outcome,
      outcome_at: '2026-02-15T02:00:00.000Z',
    });
  });

  it.each([
    ['known', standing(true), true],
    ['known and blocked', standing(true, 'bounced'), false],
    ['blocked by what outlived all else', standing(false, 'unsubscribed'), false],
    ['not known any more', standing(false), null],
  ])('says whether somebody may be written to who is %s', (_who, now, may) => {
    expect(served(send, { standing: now })).toMatchObject({
      can_contact: may,
      block_reasons: now.blockReasons,
    });
  });

  it.each([
    ['the arm is not of the model', [MODEL], { position: 'manager' }],
    ['the arm does not say', [JSON.stringify({ arms: [{ channel: 'email', position: 'vp' }] })], {}],
    ['the model is gone', [], {}],
  ])('has no confidence of its own where %s', (_why, models, inputs) => {
    expect(served(send, {}, { models, inputs }).confidence).toBe(0);
  });

  it('rests on a segment where the candidate did', () => {
    expect(served({ ...send, channel: 'linkedin' }).data_source).toBe('segment');
    expect(served(send, {}, { inputs: { candidates: [] } }).data_source).toBe('company');
  });

  it('comes with the frozen bytes where they are asked for', () => {
    const { replay } = served(send, {}, { proves: true });
    expect(replay).toMatchObject({
      ...{ run_id: 'run', engine_version: 'engine', seed: 7, result: JSON.stringify(send) },
      ...{ inputs_sha256: 'of inputs', result_sha256: 'of result', model_sha256: 'of model' },
    });
    expect(JSON.parse(replay?.inputs ?? '')).toMatchObject({ seed: 7, currentStep: 3 });
  });
});
