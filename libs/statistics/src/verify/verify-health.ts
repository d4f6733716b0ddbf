import {
  assessCampaigns,
  combinedGuard,
  CRITICAL_E_VALUE,
  TOLERATED_BOUNCES,
  TOLERATED_UNSUBSCRIBES,
} from '../health/campaign-health';
import { guardEValue } from '../health/guard-e-value';
import { campaignRate } from '../health/reply-rate';
import { type ReplyCounts, type ReplyRatio, replyRatios } from '../health/reply-ratio';
import { betaInterval } from '../numerics/beta-interval';
import { exp } from '../numerics/exp';
import { drawBinomial, drawGamma, drawNormal, drawPoisson, seededRng } from '../random';
import { atLeast, atMost, between, type Check, mustFail } from './check';

const SENDS = 3000;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Share of campaigns, all exactly at both limits, that are ever critical within 3,000 sends, looked at after every send. */
export function simulateFalseCritical(runs: number, seed: number): number {
  let tripped = 0;
  for (let run = 0; run < runs; run++) {
    const rng = seededRng(seed + run);
    let [bounces, unsubscribes] = [0, 0];
    for (let n = 1; n <= SENDS; n++) {
      const bounced = rng.next() < TOLERATED_BOUNCES;
      const unsubscribed = rng.next() < TOLERATED_UNSUBSCRIBES;
      if (bounced) bounces++;
      if (unsubscribed) unsubscribes++;
      // Between events the e-values only fall.
      if (!bounced && !unsubscribed) continue;
      if (
        combinedGuard(
          guardEValue(bounces, n, TOLERATED_BOUNCES),
          guardEValue(unsubscribes, n, TOLERATED_UNSUBSCRIBES),
        ) >= CRITICAL_E_VALUE
      ) {
        tripped++;
        break;
      }
    }
  }
  return tripped / runs;
}

/** The mistake: a one-sided z-test at 5 % after every send. */
export function simulateRepeatedTests(runs: number, seed: number): number {
  let tripped = 0;
  for (let run = 0; run < runs; run++) {
    const rng = seededRng(seed + run);
    let bounces = 0;
    for (let n = 1; n <= SENDS; n++) {
      if (rng.next() < TOLERATED_BOUNCES) bounces++;
      const z =
        (bounces - n * TOLERATED_BOUNCES) / Math.sqrt(n * TOLERATED_BOUNCES * (1 - TOLERATED_BOUNCES));
      if (n >= 30 && z > 1.645) {
        tripped++;
        break;
      }
    }
  }
  return tripped / runs;
}

/** Median number of sends until a campaign with this bounce rate is critical. */
export function simulateBounceDelay(runs: number, rate: number, seed: number): number {
  const delays = Array.from({ length: runs }, (_, run) => {
    const rng = seededRng(seed + run);
    let bounces = 0;
    for (let n = 1; n <= SENDS; n++) {
      if (rng.next() < rate) bounces++;
      const unsubscribeE = guardEValue(0, n, TOLERATED_UNSUBSCRIBES);
      if (combinedGuard(guardEValue(bounces, n, TOLERATED_BOUNCES), unsubscribeE) >= CRITICAL_E_VALUE)
        return n;
    }
    return SENDS;
  }).sort((a, b) => a - b);
  return delays[Math.floor(runs / 2)] as number;
}

/** Coverage of the reply ratio's interval; true ratios differ by about a third, more or less from company to company. */
export function simulateRatioCoverage(companies: number, seed: number): number {
  let covered = 0;
  let total = 0;
  for (let company = 0; company < companies; company++) {
    const rng = seededRng(seed + company);
    const precision = 9 * exp(1.2 * (rng.next() + rng.next() + rng.next() - 1.5) * 2);
    const truth = Array.from({ length: 8 }, () => drawGamma(rng, precision) / precision);
    const campaigns = truth.map((ratio) => {
      const expected = 2 + 60 * rng.next();
      return { observed: drawPoisson(rng, expected * ratio), expected };
    });
    replyRatios(campaigns).forEach(({ low, high }, i) => {
      total++;
      if (low <= (truth[i] as number) && (truth[i] as number) <= high) covered++;
    });
  }
  return covered / total;
}

/** How far campaigns differ on the log scale, and how much of them has settled. */
export const CAMPAIGN_SDS = [0.3, 0.5] as const;
export const CAMPAIGN_SIZES = [50, 200, 400, 1_000, 5_000] as const;
const BASE_RATE = 0.05;
/** Of positions that are all alike. */
const ALIKE_CONCENTRATION = 2_755;

type RateInterval = (counts: ReplyCounts, messages: number) => Pick<ReplyRatio, 'low' | 'high'>;

const servedRate: RateInterval = (counts, messages) =>
  campaignRate(replyRatios([counts])[0] as ReplyRatio, counts.expected / messages);

/** The mistake: a campaign may lie as far from the arms as these lie from one another. */
export const rateByArms: RateInterval = ({ observed, expected }, messages) => {
  const prior = (expected / messages) * ALIKE_CONCENTRATION;
  return betaInterval(prior + observed, ALIKE_CONCENTRATION - prior + messages - observed, 0.95);
};

/**
 * Coverage of the interval of a campaign's reply rate, per size of campaigns that differ by the given standard deviation.
 * Campaigns are judged one by one, as answers judge them.
 */
export function simulateRateCoverage(
  runs: number,
  seed: number,
  sd: number,
  interval: RateInterval = servedRate,
): number[] {
  return CAMPAIGN_SIZES.map((messages, size) => {
    let covered = 0;
    for (let run = 0; run < runs; run++) {
      const rng = seededRng(seed + 100_000 * size + run);
      const truth = Math.min(1, BASE_RATE * exp(sd * drawNormal(rng) - (sd * sd) / 2));
      const observed = drawBinomial(rng, messages, truth);
      const { low, high } = interval({ observed, expected: BASE_RATE * messages }, messages);
      if (low <= truth && truth <= high) covered++;
    }
    return covered / runs;
  });
}

/** Two campaigns of equal skill, one with an audience that replies 2.5 times as often: mean shift of its ratio from one. */
export function simulateEasierAudience(runs: number, seed: number): { adjusted: number; crude: number } {
  let adjusted = 0;
  let crude = 0;
  for (let run = 0; run < runs; run++) {
    const rng = seededRng(seed + run);
    const [hardRate, easyRate] = [0.03, 0.075];
    const campaign = (easyShare: number): { sends: number; replies: number; expected: number } => {
      const easy = drawBinomial(rng, 1500, easyShare);
      const replies = drawBinomial(rng, easy, easyRate) + drawBinomial(rng, 1500 - easy, hardRate);
      return { sends: 1500, replies, expected: easy * easyRate + (1500 - easy) * hardRate };
    };
    const [easy, hard] = [campaign(0.8), campaign(0.2)];
    const health = assessCampaigns(
      [easy, hard].map(({ sends, replies, expected }) => ({
        sends,
        maturedSends: sends,
        maturedReplies: replies,
        expectedReplies: expected,
        bounces: 0,
        unsubscribes: 0,
      })),
    );
    adjusted += (health[0] as (typeof health)[number]).replyRatio.ratio;
    crude += easy.replies / ((easy.replies + hard.replies) / 2);
  }
  return { adjusted: Math.abs(adjusted / runs - 1), crude: Math.abs(crude / runs - 1) };
}

/** Acceptance lines of section 3. */
export function verifyHealth(scale: number): Check[] {
  const runs = Math.max(100, Math.round(3000 * scale));
  const s = '3 health';
  const spreads = CAMPAIGN_SDS.map((sd, i) => ({
    sd,
    served: simulateRateCoverage(runs, 5_500_000 + i * 1_000_000, sd),
    byArms: simulateRateCoverage(runs, 5_500_000 + i * 1_000_000, sd, rateByArms),
  }));
  const ofBoth = CAMPAIGN_SIZES.map((_, size) => mean(spreads.map(({ served }) => served[size] as number)));
  const audience = simulateEasierAudience(runs, 5_400_000);
  return [
    atMost(
      s,
      'ever-false critical over 3,000 sends, both rates exactly at their limits',
      simulateFalseCritical(runs, 5_000_000),
      0.05,
    ),
    mustFail(
      atMost(
        s,
        'z-test repeated after every send: the same',
        simulateRepeatedTests(Math.min(runs, 500), 5_100_000),
        0.05,
      ),
    ),
    atMost(s, 'median sends to find 8 % bounces', simulateBounceDelay(runs, 0.08, 5_200_000), 130),
    atMost(s, 'median sends to find 15 % bounces', simulateBounceDelay(runs, 0.15, 5_300_000), 35),
    between(
      s,
      'coverage of the observed/expected interval',
      simulateRatioCoverage(runs, 5_350_000),
      0.94,
      0.96,
    ),
    ...spreads.flatMap(({ sd, served, byArms }) => [
      between(
        s,
        `coverage of reply rates, campaigns differ by sd ${sd}, 50 to 5,000 settled`,
        mean(served),
        0.93,
        0.97,
      ),
      mustFail(atLeast(s, `prior of the arms' own spread, sd ${sd}: the same`, mean(byArms), 0.93)),
    ]),
    atLeast(s, 'the same, of both spreads, in the worst size', Math.min(...ofBoth), 0.93),
    atMost(s, 'the same, in the size with the widest intervals', Math.max(...ofBoth), 0.97),
    atLeast(
      s,
      'the same, of one spread and size at the worst (so little settled tells no spread from another)',
      Math.min(...spreads.flatMap(({ served }) => served)),
      0.9,
    ),
    atMost(s, 'easier audience at equal skill: |O/E - 1|', audience.adjusted, 0.03),
    mustFail(atMost(s, 'crude rate ratio: the same', audience.crude, 0.03)),
  ];
}
