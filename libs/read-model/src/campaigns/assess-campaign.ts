import type {
  BanditDocument,
  CampaignHealth,
  HealthStatus,
  OutcomeCounts,
  RateChange,
  RateEstimate,
} from '@outcomes/contracts';
import {
  assessCampaigns,
  bestArmProbabilities,
  campaignRate,
  type HealthReason,
  type RateSinceFall,
} from '@outcomes/statistics';
import type { CampaignCell } from '../touches/campaign.repository';
import type { CompanyCell } from '../touches/cohort.repository';
import { expectedReplies } from './expected-replies';
import {
  BOUNCE_PRIOR,
  JEFFREYS,
  UNSUBSCRIBE_PRIOR,
  posterior,
  rateEstimate,
  type BetaPrior,
} from './rate-estimate';

/** The figures of one campaign in its window, and what they amount to. */
export interface Assessment {
  readonly status: HealthStatus;
  readonly sampleSize: number;
  readonly pending: number;
  readonly outcomes: OutcomeCounts;
  /** Of all messages of the window. Each is an unsubscribe, in its rate and its guard, and no reply. */
  readonly repliedAndUnsubscribed: number;
  readonly replyRate: RateEstimate;
  readonly bounceRate: RateEstimate;
  readonly unsubscribeRate: RateEstimate;
  readonly replies: CampaignHealth['replies'];
  readonly baseline: CampaignHealth['baseline'];
  readonly byStep: CampaignHealth['by_step'];
  readonly reasons: readonly HealthReason[];
  readonly ownDataShare: number;
}

/**
 * Judges one campaign, or several together.
 * @param cells - their messages over their whole life; the guards count from the first message on
 * @param company - settled messages of the whole company in the window, since replies last changed
 * @param bandit - undefined before the first run
 * @param fall - of replies, told of late, that concerns the campaign
 */
export function assessCampaign(
  cells: readonly CampaignCell[],
  company: readonly CompanyCell[],
  bandit: BanditDocument | undefined,
  fall?: RateChange,
): Assessment {
  const inWindow = cells.filter((cell) => cell.inWindow);
  // What came before replies changed tells of another time.
  const settled = inWindow.filter((cell) => cell.mature && cell.sinceChange);
  const outcomes = outcomesOf(settled);
  const sampleSize = messagesIn(settled);
  // Fewer than these where replies are still to come: rates are of all replies.
  const due = dueIn(settled, outcomes.responded);
  // Where no reply at all is expected there is nothing to compare with.
  const expected =
    bandit && bandit.arms.length > 0 && sampleSize > 0
      ? expectedReplies(settled, company, bandit) || undefined
      : undefined;
  const companyReplies = company.reduce((sum, cell) => sum + cell.replies, 0);
  const companyMessages = company.reduce((sum, cell) => sum + cell.messages, 0);
  const companyDue = dueIn(company, companyReplies);
  // Counts of the company may lag behind those of the campaign by a batch; less than nothing is nothing.
  const otherMessages = Math.max(0, companyMessages - sampleSize);
  const otherReplies = Math.min(otherMessages, Math.max(0, companyReplies - outcomes.responded));
  const otherDue = Math.max(otherReplies, companyDue - due);
  const isOne = settled.every((cell) => cell.campaignId === settled[0]?.campaignId);
  // Guards count over the whole life, or looking again every day would break their promise.
  const [health] = assessCampaigns([
    {
      sends: messagesIn(cells),
      maturedSends: sampleSize,
      dueSends: due,
      maturedReplies: outcomes.responded,
      expectedReplies: expected ?? 0,
      bounces: countOf(cells, 'bounced'),
      unsubscribes: countOf(cells, 'unsubscribed'),
      fall: fall && rateAfter(fall),
      isOneOfMany: isOne && otherMessages >= sampleSize,
    },
  ]);
  const ratio = expected === undefined ? undefined : health?.replyRatio;
  // Of what nothing is expected, only what was counted is known.
  const own = posterior(outcomes.responded, due, JEFFREYS);
  const rate = ratio && expected ? campaignRate(ratio, expected / due) : undefined;
  const replyRate = rate
    ? { value: rate.value, ci_low: rate.low, ci_high: rate.high, n: sampleSize }
    : { ...rateEstimate(outcomes.responded, due, JEFFREYS), n: sampleSize };
  const bounceRate = rateEstimate(countOf(inWindow, 'bounced'), messagesIn(inWindow), BOUNCE_PRIOR);
  const unsubscribeRate = rateEstimate(
    countOf(inWindow, 'unsubscribed'),
    messagesIn(inWindow),
    UNSUBSCRIBE_PRIOR,
  );
  const companyRate = { ...rateEstimate(companyReplies, companyDue, JEFFREYS), n: companyMessages };
  return {
    status: health?.status ?? 'insufficient_data',
    sampleSize,
    pending: messagesIn(inWindow.filter((cell) => !cell.mature)),
    outcomes,
    repliedAndUnsubscribed: inWindow.reduce((sum, cell) => sum + cell.repliedAndUnsubscribed, 0),
    replyRate,
    bounceRate,
    unsubscribeRate,
    replies: {
      observed: outcomes.responded,
      expected: expected ?? null,
      ratio: ratio?.ratio ?? null,
      ci_low: ratio?.low ?? null,
      ci_high: ratio?.high ?? null,
    },
    baseline: {
      reply_rate: companyRate,
      difference: difference(replyRate, companyRate),
      probability_below: probabilityBelow(
        rate?.posterior ?? own,
        posterior(otherReplies, otherDue, JEFFREYS),
        sampleSize > 0 && otherMessages > 0,
      ),
    },
    byStep: byStepOf(settled),
    reasons: health?.reasons ?? [],
    ownDataShare: ratio?.ownDataShare ?? due / (own.alpha + own.beta),
  };
}

function rateAfter({ after: { value, ci_low, ci_high } }: RateChange): RateSinceFall {
  return { value: value ?? 0, low: ci_low ?? 0, high: ci_high ?? 1 };
}

function messagesIn(cells: readonly CampaignCell[]): number {
  return cells.reduce((sum, cell) => sum + cell.messages, 0);
}

/** Messages by the share of their replies that has come; never fewer than have been answered. */
function dueIn(cells: readonly (CampaignCell | CompanyCell)[], replies: number): number {
  return Math.max(
    replies,
    cells.reduce((sum, cell) => sum + (cell.due ?? cell.messages), 0),
  );
}

function countOf(cells: readonly CampaignCell[], outcome: CampaignCell['outcome']): number {
  return messagesIn(cells.filter((cell) => cell.outcome === outcome));
}

function outcomesOf(cells: readonly CampaignCell[]): OutcomeCounts {
  return {
    responded: countOf(cells, 'responded'),
    no_response: countOf(cells, 'no_response'),
    bounced: countOf(cells, 'bounced'),
    unsubscribed: countOf(cells, 'unsubscribed'),
  };
}

/** What is left of two equal rates by rounding is no difference. */
function difference(campaign: RateEstimate, company: RateEstimate): number | null {
  if (campaign.value === null || company.value === null) return null;
  return Number((campaign.value - company.value).toFixed(15));
}

function probabilityBelow(campaign: BetaPrior, others: BetaPrior, known: boolean): number | null {
  return known ? (bestArmProbabilities([campaign, others])[1] ?? null) : null;
}

function byStepOf(settled: readonly CampaignCell[]): CampaignHealth['by_step'] {
  const steps = new Map<
    string,
    { sequence_step: number; channel: CampaignCell['channel']; sent: number; responded: number }
  >();
  for (const cell of settled) {
    const key = `${cell.sequenceStep}:${cell.channel}`;
    const step = steps.get(key) ?? {
      sequence_step: cell.sequenceStep,
      channel: cell.channel,
      sent: 0,
      responded: 0,
    };
    step.sent += cell.messages;
    if (cell.outcome === 'responded') step.responded += cell.messages;
    steps.set(key, step);
  }
  return [...steps.values()].sort(
    (a, b) => a.sequence_step - b.sequence_step || a.channel.localeCompare(b.channel, 'en'),
  );
}
