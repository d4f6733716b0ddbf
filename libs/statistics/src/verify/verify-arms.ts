import { MARKET_HYPERPRIOR } from '../arms/arm-types';
import { fitArms } from '../arms/fit-arms';
import { exp } from '../numerics/exp';
import { log } from '../numerics/log';
import { expit } from '../numerics/logistic';
import { square } from '../numerics/square';
import { drawBeta, drawBinomial, drawNormal, type Rng, seededRng } from '../random';
import { atLeast, atMost, between, type Check, mustFail } from './check';
import { plugInIntervals } from './plug-in-arms';
import { simulateLedgerRegret } from './verify-ledger-regret';

const ARM_COUNTS = [3, 6, 12, 30] as const;
const SIZE_NAMES = ['n < 50', 'n 50-300', 'n > 300'] as const;
/** Rates below this are not Beta draws of any use: the market has none. */
const LOWEST_RATE = 1e-6;

function drawRates(count: number, rng: Rng): number[] {
  const { logitMean, logitSd, logKMean, logKSd } = MARKET_HYPERPRIOR;
  const mu = expit(logitMean + logitSd * drawNormal(rng));
  const k = exp(logKMean + logKSd * drawNormal(rng));
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
        const n = Math.min(high, Math.floor(low * exp(log((high + 1) / low) * rng.next())));
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
        squareOurs += square(arm.mean - rate);
        squareJeffreys += square((y + 0.5) / (n + 1) - rate);
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

/** Acceptance lines of section 1. */
export function verifyArms(scale: number): Check[] {
  const coverage = simulateCoverage(Math.round(1000 * scale), 3_000_000);
  const s = '1 arms';
  return [
    between(s, `95 % interval: average coverage over ${coverage.arms} arms`, coverage.average, 0.94, 0.96),
    atLeast(s, `coverage in the worst cell (${coverage.worstCellName})`, coverage.worstCell, 0.93),
    mustFail(
      between(s, 'plug-in empirical Bayes, K = 3: average coverage', coverage.plugInThreeArms, 0.94, 0.96),
    ),
    atMost(s, 'RMSE over that of Jeffreys', coverage.rmseRatio, 0.6),
    atMost(s, 'mean and variance identities, worst relative error', coverage.identityError, 1e-12),
    ...regretLines(scale),
  ];
}

function regretLines(scale: number): Check[] {
  const runs = Math.max(2, Math.round(30 * scale));
  const regret = (claim: string, changes: readonly number[], seed: number, limit: number): Check =>
    atMost(
      '1 arms',
      `Thompson regret over uniform with ledger and memory, ${claim}`,
      simulateLedgerRegret(runs, changes, seed),
      limit,
    );
  return [
    regret('stationary (8 arms, 365 days x 100)', [], 3_100_000, 0.25),
    regret('two abrupt changes', [120, 240], 3_200_000, 0.38),
  ];
}
