import { MARKET_HYPERPRIOR } from '../arms/arm-types';
import { fitArms } from '../arms/fit-arms';
import { cohortWeight, DAILY_DISCOUNT } from '../drift/cohort-weight';
import { dailySeries } from '../drift/daily-series';
import { rateChange } from '../drift/rate-drift';
import { BURN_IN_DAYS, WINDOW_DAYS } from '../drift/threshold';
import { expit } from '../numerics/logistic';
import { drawBeta, drawBinomial, drawNormal, type Rng, seededRng } from '../random';
import { atLeast, atMost, between, type Check, mustFail } from './check';
import { plugInIntervals } from './plug-in-arms';

const ARM_COUNTS = [3, 6, 12, 30] as const;
const SIZE_NAMES = ['n < 50', 'n 50-300', 'n > 300'] as const;
/** Rates below this are not Beta draws of any use: the market has none. */
const LOWEST_RATE = 1e-6;

function drawRates(count: number, rng: Rng): number[] {
  const { logitMean, logitSd, logKMean, logKSd } = MARKET_HYPERPRIOR;
  const mu = expit(logitMean + logitSd * drawNormal(rng));
  const k = Math.exp(logKMean + logKSd * drawNormal(rng));
  return Array.from({ length: count }, () => Math.max(LOWEST_RATE, drawBeta(rng, mu * k, (1 - mu) * k)));
}

const SIZES = [
  [1, 49],
  [50, 300],
  [301, 2000],
] as const;

interface Tally {
  covered: number;
  total: number;
}

export interface CoverageResult {
  readonly average: number;
  readonly worstCell: number;
  readonly worstCellName: string;
  readonly arms: number;
  readonly rmseRatio: number;
  readonly identityError: number;
  readonly plugInThreeArms: number;
}

/** Coverage, RMSE against Jeffreys and exactness of the published moments, over companies drawn from the market. */
export function simulateCoverage(companiesPerCell: number, seed: number): CoverageResult {
  const cells = new Map<string, Tally>();
  let [squareOurs, squareJeffreys, identityError] = [0, 0, 0];
  const plugIn: Tally = { covered: 0, total: 0 };
  ARM_COUNTS.forEach((count, c) => {
    for (let company = 0; company < Math.ceil((companiesPerCell * 12) / count); company++) {
      const rng = seededRng(seed + c * 1_000_003 + company);
      const rates = drawRates(count, rng);
      const sizes = rates.map(() => Math.floor(rng.next() * SIZES.length));
      const arms = rates.map((rate, i) => {
        const [low, high] = SIZES[sizes[i] as number] as readonly [number, number];
        // Log-uniform: small arms are as common as large ones, as they are in a company's first months.
        const n = Math.min(high, Math.floor(low * Math.pow((high + 1) / low, rng.next())));
        return { n, y: drawBinomial(rng, n, rate) };
      });
      fitArms(arms).arms.forEach((arm, i) => {
        const rate = rates[i] as number;
        const { n, y } = arms[i] as (typeof arms)[number];
        const name = `K = ${count}, ${SIZE_NAMES[sizes[i] as number]}`;
        const cell = cells.get(name) ?? { covered: 0, total: 0 };
        cells.set(name, cell);
        cell.total++;
        if (arm.low <= rate && rate <= arm.high) cell.covered++;
        squareOurs += (arm.mean - rate) ** 2;
        squareJeffreys += ((y + 0.5) / (n + 1) - rate) ** 2;
        const size = arm.alpha + arm.beta;
        identityError = Math.max(
          identityError,
          Math.abs(arm.mean * size - arm.alpha) / arm.alpha,
          Math.abs(arm.variance * size * size * (size + 1) - arm.alpha * arm.beta) / (arm.alpha * arm.beta),
        );
      });
      if (count === 3) {
        plugInIntervals(arms).forEach(({ low, high }, i) => {
          plugIn.total++;
          if (low <= (rates[i] as number) && (rates[i] as number) <= high) plugIn.covered++;
        });
      }
    }
  });
  const shares = [...cells].map(([name, { covered, total }]) => ({
    name,
    share: covered / total,
    covered,
    total,
  }));
  const worst = shares.reduce((a, b) => (b.share < a.share ? b : a));
  const arms = shares.reduce((sum, { total }) => sum + total, 0);
  return {
    average: shares.reduce((sum, { covered }) => sum + covered, 0) / arms,
    worstCell: worst.share,
    worstCellName: worst.name,
    arms,
    rmseRatio: Math.sqrt(squareOurs / squareJeffreys),
    identityError,
    plugInThreeArms: plugIn.covered / plugIn.total,
  };
}

const BANDIT_ARMS = 8;
const BANDIT_DAYS = 365;
const BANDIT_SENDS = 100;
/** Days between false alarms of one arm's rate, for a bandit that can afford to relearn. */
const BANDIT_ARL0_DAYS = 365;

/** Regret of sending by the shares of P(best), over the regret of sending evenly. */
export function simulateRegret(
  runs: number,
  changes: readonly number[],
  seed: number,
  days: number = BANDIT_DAYS,
): number {
  let ours = 0;
  let uniform = 0;
  for (let run = 0; run < runs; run++) {
    const rng = seededRng(seed + run);
    const draw = (): number[] => Array.from({ length: BANDIT_ARMS }, () => drawBeta(rng, 2.5, 47.5));
    let rates = draw();
    const history: { n: number[]; y: number[] }[] = [];
    const since = new Array<number | null>(BANDIT_ARMS).fill(null);
    let weighted = rates.map(() => ({ n: 0, y: 0 }));
    for (let day = 0; day < days; day++) {
      if (changes.includes(day)) rates = draw();
      const arms = weighted.map((counts) => ({ ...counts }));
      const shares = fitArms(arms).arms.map(({ pBest }) => pBest);
      const n = new Array<number>(BANDIT_ARMS).fill(0);
      for (let i = 0; i < BANDIT_SENDS; i++) {
        let left = rng.next();
        let a = 0;
        while (a < BANDIT_ARMS - 1 && (left -= shares[a] as number) > 0) a++;
        n[a] = (n[a] as number) + 1;
      }
      history.push({ n, y: n.map((sends, a) => drawBinomial(rng, sends, rates[a] as number)) });
      const best = Math.max(...rates);
      rates.forEach((rate, a) => {
        ours += (n[a] as number) * (best - rate);
        uniform += (BANDIT_SENDS / BANDIT_ARMS) * (best - rate);
      });
      if (changes.length > 0 && day + 1 >= BURN_IN_DAYS) watch(history, day, since);
      weighted = weighted.map((counts, a) => reweigh(counts, history, a, since[a] ?? null, day));
    }
  }
  return ours / uniform;
}

/** One arm's discounted counts a day later; added up anew only where a drift has just moved the weights. */
function reweigh(
  counts: { n: number; y: number },
  history: readonly { n: readonly number[]; y: readonly number[] }[],
  arm: number,
  since: number | null,
  day: number,
): { n: number; y: number } {
  const today = history[day] as (typeof history)[number];
  if (since === null)
    return {
      n: DAILY_DISCOUNT * (counts.n + (today.n[arm] as number)),
      y: DAILY_DISCOUNT * (counts.y + (today.y[arm] as number)),
    };
  let [n, y] = [0, 0];
  history.forEach((past, d) => {
    const weight = cohortWeight(d, day + 1, since);
    n += weight * (past.n[arm] as number);
    y += weight * (past.y[arm] as number);
  });
  return { n, y };
}

/** Looks for a rate drift of each arm since its last one, as the daily run does per channel. */
function watch(
  history: readonly { n: readonly number[]; y: readonly number[] }[],
  day: number,
  since: (number | null)[],
): void {
  for (let a = 0; a < BANDIT_ARMS; a++) {
    const from = Math.max(since[a] ?? 0, day + 1 - WINDOW_DAYS);
    const cohorts = history.slice(from).map(({ n, y }, i) => ({
      day: from + i,
      stratum: { channel: 0, step: 0, position: a },
      totalN: n[a] as number,
      totalY: y[a] as number,
    }));
    const change = rateChange(dailySeries(cohorts, from, day), BANDIT_ARL0_DAYS);
    if (change.statistic > change.threshold) since[a] = from + change.cut;
  }
}

/** Acceptance lines of section 1. */
export function verifyArms(scale: number): Check[] {
  const coverage = simulateCoverage(Math.round(1000 * scale), 3_000_000);
  const stationary = simulateRegret(Math.max(3, Math.round(30 * scale)), [], 3_100_000);
  const changing = simulateRegret(Math.max(3, Math.round(30 * scale)), [120, 240], 3_200_000);
  const s = '1 arms';
  return [
    between(s, `95 % interval: average coverage over ${coverage.arms} arms`, coverage.average, 0.94, 0.96),
    atLeast(s, `coverage in the worst cell (${coverage.worstCellName})`, coverage.worstCell, 0.93),
    mustFail(
      between(s, 'plug-in empirical Bayes, K = 3: average coverage', coverage.plugInThreeArms, 0.94, 0.96),
    ),
    atMost(s, 'RMSE over that of Jeffreys', coverage.rmseRatio, 0.6),
    atMost(s, 'mean and variance identities, worst relative error', coverage.identityError, 1e-12),
    atMost(s, 'Thompson regret over uniform, stationary (8 arms, 365 days x 100)', stationary, 0.25),
    atMost(s, 'Thompson regret over uniform, two abrupt changes', changing, 0.38),
  ];
}
