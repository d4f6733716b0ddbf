import { ArmMemory, type ForwardArm, forwardArms, type ForwardVariances } from '../arms';
import { log } from '../numerics/log';
import { square } from '../numerics/square';
import { type CompanyHyper, FEWEST_COMPANIES, platformHyperprior } from '../priors';
import { drawBeta, drawBinomial, seededRng } from '../random';
import { atLeast, atMost, type Check, mustFail } from './check';

const BORROWED_MEAN = 0.034;
/** Companies that are all alike: nothing that is lent is surer of itself. */
const ALIKE: readonly CompanyHyper[] = Array.from({ length: FEWEST_COMPANIES }, () => ({
  ...{ mu: BORROWED_MEAN, k: 40, weight: 1 },
}));
const PLATFORM = platformHyperprior(ALIKE).hyperprior;
/** As sure of itself as 200 sends. */
const STRONG = { ...PLATFORM, logitSd: 0.1, logKMean: log(200), logKSd: 0.1 };

/** What a company whose channel has no past yet is served. */
function served(n: number, y: number, hyperprior = PLATFORM, variances = atFirst()): ForwardArm {
  return forwardArms([{ n, y }], variances, { hyperprior }).arms[0] as ForwardArm;
}

function atFirst(): ForwardVariances {
  const memory = new ArmMemory(1);
  return { target: memory.weights(0, 30).variance, current: memory.weights(0, 7).variance };
}

/** Coverage for a company whose true rate is `factor` times the borrowed mean. */
export function simulateOffPrior(
  runs: number,
  factor: number,
  n: number,
  seed: number,
  serve: (n: number, y: number) => ForwardArm = (sends, replies) => served(sends, replies),
): number {
  let covered = 0;
  const rate = BORROWED_MEAN * factor;
  for (let run = 0; run < runs; run++) {
    const y = drawBinomial(seededRng(seed + run), n, rate);
    const { low, high } = serve(n, y).target;
    if (low <= rate && rate <= high) covered++;
  }
  return covered / runs;
}

/** The mistake: a prior that data do not move. */
export const fromStrongPrior = (n: number, y: number): ForwardArm => served(n, y, STRONG);

/** The mistake: as if the rate could not move in the time to come, nor lie elsewhere than others'. */
export const withoutSpread = (n: number, y: number): ForwardArm =>
  served(n, y, PLATFORM, { target: 0, current: 0 });

/** RMSE over that of Jeffreys, for companies whose rates lie around the borrowed mean. */
export function simulateSmallSample(runs: number, n: number, seed: number): number {
  let ours = 0;
  let jeffreys = 0;
  for (let run = 0; run < runs; run++) {
    const rng = seededRng(seed + run);
    const rate = drawBeta(rng, BORROWED_MEAN * 40, (1 - BORROWED_MEAN) * 40);
    const y = drawBinomial(rng, n, rate);
    ours += square(served(n, y).mean - rate);
    jeffreys += square((y + 0.5) / (n + 1) - rate);
  }
  return Math.sqrt(ours / jeffreys);
}

/** Acceptance lines of section 7. */
export function verifyPriors(scale: number): Check[] {
  const runs = Math.max(300, Math.round(5000 * scale));
  const s = '7 priors';
  return [
    atLeast(
      s,
      'truth 3 x above the prior: coverage at n = 100',
      simulateOffPrior(runs, 3, 100, 7_000_000),
      0.93,
    ),
    atLeast(
      s,
      'truth 3 x above the prior: coverage at n = 300',
      simulateOffPrior(runs, 3, 300, 7_050_000),
      0.93,
    ),
    atLeast(
      s,
      'truth 3 x below the prior: coverage at n = 100',
      simulateOffPrior(runs, 1 / 3, 100, 7_100_000),
      0.93,
    ),
    mustFail(
      atLeast(
        s,
        'a prior worth 200 sends: coverage at n = 100',
        simulateOffPrior(Math.min(runs, 1000), 3, 100, 7_150_000, fromStrongPrior),
        0.93,
      ),
    ),
    mustFail(
      atLeast(
        s,
        'no spread of what is to come: coverage at n = 100',
        simulateOffPrior(runs, 3, 100, 7_000_000, withoutSpread),
        0.93,
      ),
    ),
    atMost(s, 'RMSE over that of Jeffreys at n = 10', simulateSmallSample(runs, 10, 7_200_000), 0.6),
  ];
}
