import { square } from '../numerics/square';
import { mixturePosterior, robustPrior } from '../priors/mixture-prior';
import { drawBeta, drawBinomial, seededRng } from '../random';
import { atLeast, atMost, type Check, mustFail } from './check';

const BORROWED_MEAN = 0.034;

/** Coverage for a company whose true rate is `factor` times the borrowed mean. */
export function simulateOffPrior(runs: number, factor: number, n: number, seed: number): number {
  let covered = 0;
  const rate = BORROWED_MEAN * factor;
  for (let run = 0; run < runs; run++) {
    const y = drawBinomial(seededRng(seed + run), n, rate);
    const { low, high } = mixturePosterior(robustPrior(BORROWED_MEAN, 20), n, y);
    if (low <= rate && rate <= high) covered++;
  }
  return covered / runs;
}

/** The mistake: a strong prior without its sceptical part. */
export function simulateStrongPrior(runs: number, factor: number, n: number, seed: number): number {
  let covered = 0;
  const rate = BORROWED_MEAN * factor;
  for (let run = 0; run < runs; run++) {
    const y = drawBinomial(seededRng(seed + run), n, rate);
    const { low, high } = mixturePosterior(
      [{ alpha: BORROWED_MEAN * 200, beta: (1 - BORROWED_MEAN) * 200, weight: 1 }],
      n,
      y,
    );
    if (low <= rate && rate <= high) covered++;
  }
  return covered / runs;
}

/** RMSE over that of Jeffreys, for companies whose rates lie around the borrowed mean. */
export function simulateSmallSample(runs: number, n: number, seed: number): number {
  let ours = 0;
  let jeffreys = 0;
  for (let run = 0; run < runs; run++) {
    const rng = seededRng(seed + run);
    const rate = drawBeta(rng, BORROWED_MEAN * 40, (1 - BORROWED_MEAN) * 40);
    const y = drawBinomial(rng, n, rate);
    ours += square(mixturePosterior(robustPrior(BORROWED_MEAN, 20), n, y).mean - rate);
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
        simulateStrongPrior(Math.min(runs, 1000), 3, 100, 7_150_000),
        0.93,
      ),
    ),
    atMost(s, 'RMSE over that of Jeffreys at n = 10', simulateSmallSample(runs, 10, 7_200_000), 0.6),
  ];
}
