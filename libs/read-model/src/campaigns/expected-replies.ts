import { stepBucketOf, type BanditDocument, type Channel, type Position } from '@outcomes/contracts';
import type { CampaignCell } from '../touches/campaign.repository';
import type { CompanyCell } from '../touches/cohort.repository';

/** Expected replies that a step bucket needs of its own before it moves far from the arms. */
const STEP_PRIOR_REPLIES = 5;

/** Reply rate that the arms expect of a (channel, position); where there is no such arm, what its channel expects of one more. */
function armRate(bandit: BanditDocument, channel: Channel, position: Position): number {
  const arm = bandit.arms.find(
    (candidate) => candidate.channel === channel && candidate.position === position,
  );
  if (arm) return arm.posterior_mean;
  const unused = bandit.unused?.channels.find((candidate) => candidate.channel === channel);
  return unused ? unused.alpha / (unused.alpha + unused.beta) : bandit.prior.mean;
}

/**
 * Replies that the arms expect for a campaign's own mix of channel, position and step.
 *
 * Of messages on which replies are still to come only the share of those that has come is expected.
 *
 * Arms do not know steps. How much less a late step brings is taken from the company's other messages of the same
 * period, per channel and step bucket, shrunk towards no difference. The campaign itself is left out, or a
 * campaign that is most of its company would be measured against itself.
 * @param cells - settled messages of the campaign in the period
 * @param company - settled messages of the whole company in the same period
 */
export function expectedReplies(
  cells: readonly CampaignCell[],
  company: readonly CompanyCell[],
  bandit: BanditDocument,
): number {
  const elsewhere = new Map<string, { expected: number; observed: number }>();
  const add = (channel: Channel, bucket: number, expected: number, observed: number) => {
    const key = `${channel}:${bucket}`;
    const sum = elsewhere.get(key) ?? { expected: 0, observed: 0 };
    elsewhere.set(key, { expected: sum.expected + expected, observed: sum.observed + observed });
  };
  for (const cell of company) {
    add(
      cell.channel,
      cell.stepBucket,
      (cell.due ?? cell.messages) * armRate(bandit, cell.channel, cell.position),
      cell.replies,
    );
  }
  const own = cells.map((cell) => {
    const bucket = stepBucketOf(cell.sequenceStep);
    const expected = (cell.due ?? cell.messages) * armRate(bandit, cell.channel, cell.position);
    add(cell.channel, bucket, -expected, cell.outcome === 'responded' ? -cell.messages : 0);
    return { key: `${cell.channel}:${bucket}`, expected, messages: cell.messages };
  });
  return own.reduce(
    // No message gets more than the one reply that counts, however much a step brings elsewhere.
    (sum, { key, expected, messages }) => sum + Math.min(messages, expected * stepFactor(elsewhere.get(key))),
    0,
  );
}

function stepFactor(sum: { expected: number; observed: number } | undefined): number {
  // Counts of the company may lag behind those of the campaign by a batch; less than nothing is nothing.
  const expected = Math.max(0, sum?.expected ?? 0);
  const observed = Math.max(0, sum?.observed ?? 0);
  return (STEP_PRIOR_REPLIES + observed) / (STEP_PRIOR_REPLIES + expected);
}
