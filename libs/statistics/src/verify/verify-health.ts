import {
  assessCampaigns,
  combinedGuard,
  CRITICAL_E_VALUE,
  TOLERATED_BOUNCES,
  TOLERATED_UNSUBSCRIBES,
} from '../health/campaign-health';
import { guardEValue } from '../health/guard-e-value';
import { replyRatios } from '../health/reply-ratio';
import { exp } from '../numerics/exp';
import { drawBinomial, drawGamma, drawPoisson, seededRng } from '../random';
import { atMost, between, type Check, mustFail } from './check';

const SENDS = 3000;

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
    atMost(s, 'easier audience at equal skill: |O/E - 1|', audience.adjusted, 0.03),
    mustFail(atMost(s, 'crude rate ratio: the same', audience.crude, 0.03)),
  ];
}
