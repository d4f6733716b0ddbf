import { contrastScore, logEValue } from '../evidence';
import { noSums, setUnitSums } from '../evidence/evidence-sums';
import { exp } from '../numerics/exp';
import { logGamma } from '../numerics/log-gamma';
import { type EvidenceWorld } from '../testing';
import { atMost, type Check } from './check';
import type { EvidenceSimulation } from './evidence-simulation';

const s = '2 evidence';

/** A cell's margins, and how many such cells are added. */
interface Margins {
  readonly na: number;
  readonly nb: number;
  readonly y: number;
  readonly cells: number;
}

/** Thin and thick cells, rare and even levels. */
export const MARGINS: readonly Margins[] = [
  { na: 3, nb: 17, y: 1, cells: 50 },
  { na: 3, nb: 17, y: 1, cells: 1_000 },
  { na: 2, nb: 38, y: 2, cells: 100 },
  { na: 2, nb: 38, y: 2, cells: 1_000 },
  { na: 10, nb: 10, y: 1, cells: 300 },
  { na: 300, nb: 1_700, y: 100, cells: 4 },
  { na: 20, nb: 980, y: 50, cells: 5 },
  { na: 20, nb: 980, y: 50, cells: 40 },
  { na: 5, nb: 995, y: 50, cells: 40 },
];

const logChoose = (n: number, k: number): number => logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);

/** Chances of 0, 1, ... replies with the level among y of one cell without effect. */
function hypergeometric({ na, nb, y }: Margins): Float64Array {
  return Float64Array.from({ length: Math.min(na, y) + 1 }, (_, ya) =>
    y - ya > nb ? 0 : exp(logChoose(na, ya) + logChoose(nb, y - ya) - logChoose(na + nb, y)),
  );
}

function convolve(a: Float64Array, b: Float64Array): Float64Array {
  const sum = new Float64Array(a.length + b.length - 1);
  a.forEach((p, i) => b.forEach((q, j) => (sum[i + j] = (sum[i + j] as number) + p * q)));
  return sum;
}

function power(base: Float64Array, times: number): Float64Array {
  let result: Float64Array = Float64Array.of(1);
  let square = base;
  for (let left = times; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = convolve(result, square);
    if (left > 1) square = convolve(square, square);
  }
  return result;
}

export interface ExactValidity {
  /** mean of the e-value, no more than this counted of any */
  readonly cappedMean: number;
  /** largest over thresholds t of t P(e >= t); at most 1 for an e-value */
  readonly markov: number;
}

const CAP = 1_000;
const THRESHOLDS: readonly number[] = [5, 20, 100, 800, 5_000];

/** What the e-value of many like cells does where there is no effect, summed over all outcomes and not drawn. */
export function exactValidity(margins: Margins): ExactValidity {
  const { na, nb, y, cells } = margins;
  const chances = power(hypergeometric(margins), cells);
  const expected = (cells * na * y) / (na + nb);
  const { v } = contrastScore(na, 0, nb, y);
  let cappedMean = 0;
  const beyond = THRESHOLDS.map(() => 0);
  chances.forEach((chance, replies) => {
    const sums = noSums();
    setUnitSums(sums, replies - expected, cells * v, 0);
    const e = exp(logEValue(sums));
    cappedMean += chance * Math.min(e, CAP);
    THRESHOLDS.forEach((t, i) => {
      if (e >= t) beyond[i] = (beyond[i] as number) + chance;
    });
  });
  return { cappedMean, markov: Math.max(...THRESHOLDS.map((t, i) => t * (beyond[i] as number))) };
}

/** Worlds with few campaigns, texts or companies in which a mean is most at the mercy of its tail. */
const FEW: readonly EvidenceWorld[] = [
  { copy: 'message', campaignSd: 0.5, textSd: 0.5 },
  { copy: 'template', campaignSd: 0.8, textSd: 0.8, campaigns: 3, running: 3 },
  { copy: 'template', campaignSd: 0.5, textSd: 0.5, library: 8 },
];

/** E-values without effect: exactly for messages, by simulation for texts. */
export async function verifyEvidenceValidity(
  runs: (full: number) => number,
  simulate: EvidenceSimulation,
): Promise<Check[]> {
  const exact = MARGINS.map(exactValidity);
  const means = await Promise.all(
    FEW.map((world, i) => simulate.claims(world, runs(400), 2_800_000 + 10_000 * i)),
  );
  return [
    atMost(s, 'exact: largest t P(e >= t), t 5 to 5,000', Math.max(...exact.map((x) => x.markov)), 1),
    atMost(
      s,
      'exact: mean e-value, each counted up to 1,000',
      Math.max(...exact.map((x) => x.cappedMean)),
      1.1,
    ),
    ...means.map(({ meanNullE, meanNullESe, runs: r }, i) =>
      atMost(
        s,
        `mean null e-value minus 3 s.e. (${meanNullESe.toFixed(3)}), ${FEW[i]?.copy ?? ''}, R ${r}`,
        meanNullE - 3 * meanNullESe,
        1,
      ),
    ),
  ];
}
