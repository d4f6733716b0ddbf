import { logit } from '../numerics/logistic';
import { square } from '../numerics/square';
import { requireDomain } from '../numerics/stats-domain-error';
import { penalisedLogistic } from './penalised-logistic';

export interface Calibration {
  readonly predictions: number;
  readonly observedOverExpected: number;
  /** slope of the outcome on the predicted log-odds; null where the predictions do not differ enough */
  readonly slope: number | null;
  readonly slopeSe: number | null;
  /** expected calibration error over ten equal-mass bins */
  readonly ece: number;
  readonly brier: number;
  readonly baseRate: number;
  /** one minus Brier over that of the constant base rate; null where the base rate is 0 or 1 */
  readonly brierSkill: number | null;
}

const BINS = 10;
/** Spread of predicted log-odds below which a slope is noise. */
const SMALLEST_SPREAD = 1e-3;

/**
 * How well yesterday's predictions match today's outcomes.
 *
 * Shapes: m predictions and m outcomes in, one report out.
 * @param predictions - predicted reply chances, in (0, 1)
 * @param outcomes - 1 replied, 0 did not
 * @returns observed over expected replies, slope, calibration error in [0, 1], Brier score and skill
 * @throws StatsDomainError with code `size`, `mass` or `count`
 *
 * Ties in the predictions share a bin's mean, so that the order of equal predictions changes nothing.
 * Reference: Van Calster et al. (2019), BMC Medicine 17, 230.
 * Oracle: slope in fixtures/r-logistic.json (glm of R), rtol 1e-7.
 *
 * @example
 * calibrate([0.1, 0.1, 0.3, 0.3], [0, 0, 1, 0]).observedOverExpected; // 1.25
 */
export function calibrate(predictions: ArrayLike<number>, outcomes: ArrayLike<number>): Calibration {
  const m = predictions.length;
  requireDomain(
    m > 0 && outcomes.length === m,
    'size',
    'predictions and outcomes must agree and not be empty',
  );
  const groups = new Map<number, { n: number; y: number }>();
  let [expected, observed, brier] = [0, 0, 0];
  for (let i = 0; i < m; i++) {
    const p = predictions[i] as number;
    const y = outcomes[i] as number;
    requireDomain(p > 0 && p < 1, 'mass', 'a prediction must be in (0, 1)');
    requireDomain(y === 0 || y === 1, 'count', 'an outcome must be 0 or 1');
    expected += p;
    observed += y;
    brier += square(p - y);
    const group = groups.get(p);
    if (group) {
      group.n++;
      group.y += y;
    } else groups.set(p, { n: 1, y });
  }
  const baseRate = observed / m;
  const constantBrier = baseRate * (1 - baseRate);
  const sorted = [...groups].sort(([a], [b]) => a - b).map(([p, { n, y }]) => ({ p, n, y }));
  const { slope, slopeSe } = fitSlope(sorted, observed, m);
  return {
    predictions: m,
    observedOverExpected: observed / expected,
    slope,
    slopeSe,
    ece: equalMassError(sorted, m),
    brier: brier / m,
    baseRate,
    brierSkill: constantBrier > 0 ? 1 - brier / m / constantBrier : null,
  };
}

interface Group {
  readonly p: number;
  readonly n: number;
  readonly y: number;
}

function fitSlope(
  groups: readonly Group[],
  observed: number,
  m: number,
): { slope: number | null; slopeSe: number | null } {
  const logits = groups.map(({ p }) => logit(p));
  const mean = logits.reduce((sum, l, i) => sum + l * (groups[i] as Group).n, 0) / m;
  const spread = logits.reduce((sum, l, i) => sum + (groups[i] as Group).n * square(l - mean), 0) / m;
  if (spread < SMALLEST_SPREAD || observed === 0 || observed === m) return { slope: null, slopeSe: null };
  const fit = penalisedLogistic({
    x: logits.map((l) => [1, l - mean]),
    n: groups.map(({ n }) => n),
    y: groups.map(({ y }) => y),
    penalties: ['none', 'none'],
  });
  return { slope: fit.coefficients[1] as number, slopeSe: fit.standardErrors[1] as number };
}

/** Mean absolute gap between predicted and observed rate over bins of equal mass; a group may be split between bins. */
function equalMassError(groups: readonly Group[], m: number): number {
  const size = m / BINS;
  let error = 0;
  let [room, gap] = [size, 0];
  for (const { p, n, y } of groups) {
    let left = n;
    while (left > 1e-9) {
      const taken = Math.min(left, room);
      gap += taken * (p - y / n);
      left -= taken;
      room -= taken;
      if (room <= 1e-9) {
        error += Math.abs(gap);
        [room, gap] = [size, 0];
      }
    }
  }
  return (error + Math.abs(gap)) / m;
}
