import { jeffreysInterval } from '../numerics/jeffreys-interval';
import { requireDomain } from '../numerics/stats-domain-error';
import { guardEValue } from './guard-e-value';
import { ownRatio, type ReplyRatio, replyRatios } from './reply-ratio';

export type HealthStatus = 'insufficient_data' | 'healthy' | 'watch' | 'critical';

export type HealthReasonCode =
  | 'bounce_rate_high'
  | 'unsubscribe_rate_high'
  | 'bounce_rate_suspicious'
  | 'unsubscribe_rate_suspicious'
  | 'replies_fell'
  | 'replies_below_expected'
  | 'replies_above_expected'
  | 'replies_as_expected'
  | 'few_matured_sends'
  | 'few_expected_replies';

/** One reason with its number and the number's 95 % interval. */
export interface HealthReason {
  readonly code: HealthReasonCode;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** matured sends that the number is expected of, where it is expected replies */
  readonly sends?: number;
}

export interface CampaignCounts {
  readonly sends: number;
  /** sends whose cohort has matured, <= sends */
  readonly maturedSends: number;
  readonly maturedReplies: number;
  /** the matured sends, weighted by the share of their replies that has come; <= maturedSends, which it is where left out */
  readonly dueSends?: number;
  /** replies that the arms expect of the matured sends' own mix of channel, position and step */
  readonly expectedReplies: number;
  readonly bounces: number;
  readonly unsubscribes: number;
  /** reply rate since a fall of late that concerns the campaign, with its 95 % interval; left out where there was none */
  readonly fall?: RateSinceFall | undefined;
  /**
   * whether these are one campaign, and at most half of what its company sent; true where left out. Of anything else the
   * arms are no belief of their own: they have learned from these very replies.
   */
  readonly isOneOfMany?: boolean;
}

export interface RateSinceFall {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface CampaignHealth {
  readonly status: HealthStatus;
  readonly reasons: readonly HealthReason[];
  readonly replyRatio: ReplyRatio;
  readonly bounceEValue: number;
  readonly unsubscribeEValue: number;
  /** average of the two: the evidence that decides `critical` */
  readonly guardEValue: number;
}

export const TOLERATED_BOUNCES = 0.03;
export const TOLERATED_UNSUBSCRIBES = 0.01;
/**
 * Evidence at which a campaign is critical. It is asked of the average of the two guards, which is an
 * e-value too: asked of each, two guards would be wrong up to twice as often as one campaign in twenty.
 */
export const CRITICAL_E_VALUE = 20;
const SUSPICIOUS_E_VALUE = 5;
/** Fewer matured sends than this, or less than one expected reply, say nothing about replies. */
const FEW_SENDS = 30;
export const FEW_EXPECTED = 1;

interface Facts {
  readonly counts: CampaignCounts;
  readonly ratio: ReplyRatio;
  readonly bounceE: number;
  readonly unsubscribeE: number;
}

interface Rule {
  readonly status: HealthStatus;
  readonly code: HealthReasonCode;
  readonly number: 'bounces' | 'unsubscribes' | 'ratio' | 'matured' | 'expected' | 'fall';
  readonly applies: (facts: Facts) => boolean;
}

/**
 * Average of the two guards' evidence, the number that must reach the critical value.
 *
 * Shapes: two e-values in, one e-value out (an average of e-values is an e-value).
 * @param bounceE - e-value of the bounces, >= 0
 * @param unsubscribeE - e-value of the unsubscribes, >= 0
 * @returns e-value, >= 0
 * Never throws.
 *
 * Reference: Vovk and Wang (2021), Annals of Statistics 49, 1736-1754.
 *
 * @example
 * combinedGuard(30, 12); // 21
 */
export const combinedGuard = (bounceE: number, unsubscribeE: number): number => (bounceE + unsubscribeE) / 2;

const isCritical = ({ bounceE, unsubscribeE }: Facts): boolean =>
  combinedGuard(bounceE, unsubscribeE) >= CRITICAL_E_VALUE;
const isHigh = (eValue: number, facts: Facts): boolean => isCritical(facts) && eValue >= CRITICAL_E_VALUE;
const isSuspicious = (eValue: number, facts: Facts): boolean =>
  eValue >= SUSPICIOUS_E_VALUE && !isHigh(eValue, facts);

const isLarge = ({ counts }: Facts): boolean => counts.maturedSends >= FEW_SENDS;
const seen = (facts: Facts): boolean => isLarge(facts) && facts.counts.expectedReplies >= FEW_EXPECTED;

/** The one table that decides: every rule that applies gives a reason, the first gives the status; one always does. */
const RULES: readonly Rule[] = [
  {
    status: 'critical',
    code: 'bounce_rate_high',
    number: 'bounces',
    applies: (f) => isHigh(f.bounceE, f),
  },
  {
    status: 'critical',
    code: 'unsubscribe_rate_high',
    number: 'unsubscribes',
    applies: (f) => isHigh(f.unsubscribeE, f),
  },
  {
    status: 'watch',
    code: 'bounce_rate_suspicious',
    number: 'bounces',
    applies: (f) => isSuspicious(f.bounceE, f),
  },
  {
    status: 'watch',
    code: 'unsubscribe_rate_suspicious',
    number: 'unsubscribes',
    applies: (f) => isSuspicious(f.unsubscribeE, f),
  },
  {
    status: 'watch',
    code: 'replies_fell',
    number: 'fall',
    applies: (f) => f.counts.fall !== undefined,
  },
  {
    status: 'watch',
    code: 'replies_below_expected',
    number: 'ratio',
    applies: (f) => seen(f) && f.ratio.high < 1,
  },
  { status: 'insufficient_data', code: 'few_matured_sends', number: 'matured', applies: (f) => !isLarge(f) },
  {
    status: 'insufficient_data',
    code: 'few_expected_replies',
    number: 'expected',
    applies: (f) => isLarge(f) && !seen(f),
  },
  {
    status: 'healthy',
    code: 'replies_above_expected',
    number: 'ratio',
    applies: (f) => seen(f) && f.ratio.low > 1,
  },
  {
    status: 'healthy',
    code: 'replies_as_expected',
    number: 'ratio',
    applies: (f) => seen(f) && f.ratio.low <= 1 && f.ratio.high >= 1,
  },
];

function describe({ code, number }: Rule, { counts, ratio }: Facts): HealthReason {
  if (number === 'ratio') return { code, value: ratio.ratio, low: ratio.low, high: ratio.high };
  if (number === 'fall') return { code, ...(counts.fall as RateSinceFall) };
  if (number === 'matured')
    return { code, value: counts.maturedSends, low: counts.maturedSends, high: counts.maturedSends };
  if (number === 'expected') {
    const { expectedReplies: value, maturedSends: sends } = counts;
    return { code, value, low: value, high: value, sends };
  }
  const events = counts[number];
  // A rate with hardly any events needs no other prior to be shown.
  return { code, value: events / counts.sends, ...jeffreysInterval(events, counts.sends, 0.95) };
}

/**
 * Health of each campaign of a company: replies against expectation, bounces and unsubscribes against
 * their limits.
 *
 * Shapes: C campaigns in, C results out, in the same order.
 * @param campaigns - counts per campaign
 * @returns status from one rule table, with every reason that applies
 * @throws StatsDomainError with code `count`
 *
 * Replies are compared with what the arms expect of the campaign's own mix, so that an easier audience
 * does not look like a better campaign. What the arms expect falls with the channel, though, so a fall is a reason of
 * its own: a campaign whose replies halved with all others is not healthy. A campaign that is most of its company, and
 * several together, have the ratio of their own replies, which is not shrunk (`ownRatio`).
 * Reference: as `replyRatios` and `guardEValue`.
 * Oracle: verify:statistics.
 *
 * @example
 * assessCampaigns([{ sends: 60, maturedSends: 0, maturedReplies: 0, expectedReplies: 0, bounces: 10, unsubscribes: 0 }])[0].status; // 'critical'
 */
export function assessCampaigns(campaigns: readonly CampaignCounts[]): CampaignHealth[] {
  for (const { sends, maturedSends, maturedReplies } of campaigns) {
    requireDomain(
      maturedSends >= 0 && maturedSends <= sends,
      'count',
      'matured sends must lie between zero and the sends',
    );
    requireDomain(maturedReplies <= maturedSends, 'count', 'matured replies cannot exceed matured sends');
  }
  const ratios = replyRatios(
    campaigns.map((c) => ({ observed: c.maturedReplies, expected: c.expectedReplies })),
  );
  return campaigns.map((counts, i) => {
    const facts: Facts = {
      counts,
      ratio:
        counts.isOneOfMany === false && counts.expectedReplies > 0
          ? ownRatio(counts.maturedReplies, counts.dueSends ?? counts.maturedSends, counts.expectedReplies)
          : (ratios[i] as ReplyRatio),
      bounceE: guardEValue(counts.bounces, counts.sends, TOLERATED_BOUNCES),
      unsubscribeE: guardEValue(counts.unsubscribes, counts.sends, TOLERATED_UNSUBSCRIBES),
    };
    const applying = RULES.filter((rule) => rule.applies(facts));
    return {
      status: (applying[0] as Rule).status,
      reasons: applying.map((rule) => describe(rule, facts)),
      replyRatio: facts.ratio,
      bounceEValue: facts.bounceE,
      unsubscribeEValue: facts.unsubscribeE,
      guardEValue: combinedGuard(facts.bounceE, facts.unsubscribeE),
    };
  });
}
