import { type ArmHyperprior, MARKET_HYPERPRIOR } from '../arms/arm-types';
import { log } from '../numerics/log';
import { logit } from '../numerics/logistic';
import { square } from '../numerics/square';
import { requireDomain } from '../numerics/stats-domain-error';

/** The two numbers that a company lends to the platform; never its counts. */
export interface CompanyHyper {
  /** posterior mean of the company's mean rate, in (0, 1) */
  readonly mu: number;
  /** posterior mean of its concentration, > 0 */
  readonly k: number;
  /** how much it counts, for instance its matured sends, > 0; capped at 10 % of the total */
  readonly weight: number;
}

export type PriorSource = 'platform' | 'market';

export const FEWEST_COMPANIES = 20;
export const LARGEST_SHARE = 0.1;
/** Neither spread falls below this: the platform never claims that all companies are alike. */
const SMALLEST_LOGIT_SD = 0.4;
const SMALLEST_LOG_K_SD = 0.7;

/** Weights that sum to one with none above the cap. */
function cappedWeights(companies: readonly CompanyHyper[]): number[] {
  const total = companies.reduce((sum, { weight }) => sum + weight, 0);
  const weights = companies.map(({ weight }) => weight / total);
  // Each round caps at least one more company or ends.
  for (let round = 0; round < companies.length; round++) {
    const capped = weights.map((w) => w >= LARGEST_SHARE - 1e-12);
    const free = weights.reduce((sum, w, i) => (capped[i] ? sum : sum + w), 0);
    const left = 1 - LARGEST_SHARE * capped.filter(Boolean).length;
    weights.forEach((w, i) => (weights[i] = capped[i] ? LARGEST_SHARE : free > 0 ? (w * left) / free : w));
    if (weights.every((w) => w <= LARGEST_SHARE + 1e-12)) break;
  }
  return weights;
}

/**
 * Hyper-prior of a company's arms, learnt from other companies, or the fixed market prior where there
 * are too few of them.
 *
 * Shapes: C companies in, one hyper-prior out.
 * @param companies - those that have not opted out, without the company that will use the result
 * @returns normal spreads of logit mean and log concentration, and where they come from
 * @throws StatsDomainError with code `mass` or `range`
 *
 * From at least 20 companies, none above 10 % of the weight.
 * Reference: Gelman et al., BDA3, section 5.1 (population moments as a hyper-prior).
 *
 * @example
 * platformHyperprior([]).source; // 'market'
 */
export function platformHyperprior(companies: readonly CompanyHyper[]): {
  hyperprior: ArmHyperprior;
  source: PriorSource;
} {
  for (const { k, weight } of companies) {
    requireDomain(
      k > 0 && k < Infinity && weight > 0 && weight < Infinity,
      'range',
      'concentration and weight must be positive',
    );
  }
  const points = companies.map(({ mu, k }) => ({ x: logit(mu), z: log(k) }));
  if (companies.length < FEWEST_COMPANIES) return { hyperprior: MARKET_HYPERPRIOR, source: 'market' };
  const weights = cappedWeights(companies);
  const moment = (value: (point: { x: number; z: number }) => number): { mean: number; sd: number } => {
    const mean = points.reduce((sum, p, i) => sum + (weights[i] as number) * value(p), 0);
    const variance = points.reduce((sum, p, i) => sum + (weights[i] as number) * square(value(p) - mean), 0);
    const effective = 1 / weights.reduce((sum, w) => sum + w * w, 0);
    return { mean, sd: Math.sqrt((variance * effective) / Math.max(1, effective - 1)) };
  };
  const x = moment((p) => p.x);
  const z = moment((p) => p.z);
  return {
    hyperprior: {
      logitMean: x.mean,
      logitSd: Math.max(SMALLEST_LOGIT_SD, x.sd),
      logKMean: z.mean,
      logKSd: Math.max(SMALLEST_LOG_K_SD, z.sd),
    },
    source: 'platform',
  };
}
