import type { ArmRecord, BanditDocument } from '@outcomes/contracts';
import type { CampaignCell } from '../touches/campaign.repository';
import type { CompanyCell } from '../touches/cohort.repository';
import { expectedReplies } from './expected-replies';

const arm = (position: ArmRecord['position'], mean: number) =>
  ({ channel: 'email', position, posterior_mean: mean }) as ArmRecord;
const bandit = {
  prior: { mean: 0.03, concentration: 30 },
  arms: [arm('vp', 0.1), arm('manager', 0.02)],
} as unknown as BanditDocument;

const cell = (fields: Partial<CampaignCell>): CampaignCell => ({
  campaignId: 'c',
  channel: 'email',
  sequenceStep: 0,
  position: 'vp',
  outcome: 'no_response',
  mature: true,
  inWindow: true,
  sinceChange: true,
  messages: 100,
  repliedAndUnsubscribed: 0,
  ...fields,
});

describe('expectedReplies', () => {
  it('is what the arms give for the mix of positions', () => {
    // 100 * 0.1 + 100 * 0.02; the company sent nothing else, so no step factor.
    const mix = [cell({}), cell({ position: 'manager' })];
    expect(expectedReplies(mix, [], bandit)).toBeCloseTo(12, 10);
  });

  it('is what the arm of the channel gives, not that of another with the same position', () => {
    const linkedin = { ...arm('vp', 0.5), channel: 'linkedin' } as ArmRecord;
    const both = { ...bandit, arms: [linkedin, ...bandit.arms] };
    expect(expectedReplies([cell({})], [], both)).toBeCloseTo(10, 10);
    expect(expectedReplies([cell({ channel: 'linkedin' })], [], both)).toBeCloseTo(50, 10);
  });

  it('takes what the channel expects of one more position where there is no arm', () => {
    const unused = { channels: [{ channel: 'email', alpha: 4, beta: 46 }], company: { alpha: 1, beta: 9 } };
    const today = { ...bandit, unused } as BanditDocument;
    expect(expectedReplies([cell({ position: 'founder' })], [], today)).toBeCloseTo(8, 10);
    // A document of an earlier version knows the company's mean alone.
    expect(expectedReplies([cell({ position: 'founder' })], [], bandit)).toBeCloseTo(3, 10);
  });

  it('expects less of a step that brings the company less', () => {
    const company: CompanyCell[] = [
      { channel: 'email', stepBucket: 2, position: 'vp', messages: 1_000, replies: 20 },
    ];
    // Elsewhere 20 replies where arms expect 100: factor (5 + 20) / (5 + 100).
    const late = [cell({ sequenceStep: 7 })];
    const all = [...company, { ...company[0], messages: 100, replies: 0 } as CompanyCell];
    expect(expectedReplies(late, all, bandit)).toBeCloseTo(10 * (25 / 105), 10);
    expect(expectedReplies([cell({})], all, bandit)).toBeGreaterThan(9);
  });

  it('expects of messages only the replies that can have come', () => {
    expect(expectedReplies([cell({ due: 40 })], [], bandit)).toBeCloseTo(4, 10);
    // Nor of the others: what they lack is no difference of the step.
    const company: CompanyCell[] = [
      { channel: 'email', stepBucket: 0, position: 'vp', messages: 1_000, due: 400, replies: 40 },
      { channel: 'email', stepBucket: 0, position: 'vp', messages: 100, due: 40, replies: 0 },
    ];
    expect(expectedReplies([cell({ due: 40 })], company, bandit)).toBeCloseTo(4, 10);
  });

  it('leaves the campaign itself out of what it is measured against', () => {
    const own = [cell({ outcome: 'responded', messages: 50 }), cell({ messages: 50 })];
    const company: CompanyCell[] = [
      { channel: 'email', stepBucket: 0, position: 'vp', messages: 100, replies: 50 },
    ];
    expect(expectedReplies(own, company, bandit)).toBeCloseTo(10, 10);
  });

  it('expects no more than one reply to a message', () => {
    const company: CompanyCell[] = [
      { channel: 'email', stepBucket: 0, position: 'manager', messages: 1_000, replies: 800 },
    ];
    // Forty times what the arms expect of the step: of a position that answers more readily it would be too much.
    expect(expectedReplies([cell({})], company, bandit)).toBe(100);
  });

  it('stays at or above zero where the counts of the company lag behind', () => {
    const own = [cell({ outcome: 'responded', messages: 500 })];
    expect(expectedReplies(own, [], bandit)).toBeGreaterThan(0);
  });
});
