import { square } from '../numerics/square';
import { Scratch } from './scratch';
import type { WindowResiduals } from './window-residuals';

/** A day beyond this many of its standard deviations is taken for one at just as many. */
export const LARGEST_DAY_DEVIATION = 3;

/**
 * Variance, on the logit, of what happens to all sends of a day. From differences of neighbouring days with sends,
 * into which a change of the level enters once only.
 */
export function dayVariance({ dayResidual, dayInformation }: WindowResiduals): number {
  let excess = 0;
  let weights = 0;
  for (let d = 0; d + 1 < dayInformation.length; d++) {
    const v0 = dayInformation[d] as number;
    const v1 = dayInformation[d + 1] as number;
    if (v0 <= 0 || v1 <= 0) continue;
    const difference = (dayResidual[d] as number) / v0 - (dayResidual[d + 1] as number) / v1;
    const weight = square((v0 * v1) / (v0 + v1));
    excess += weight * (difference * difference - 1 / v0 - 1 / v1);
    weights += 2 * weight;
  }
  return weights > 0 ? Math.max(0, excess / weights) : 0;
}

/**
 * The same residuals with each day weighted by what its sends really say, and with no day beyond so many standard
 * deviations: one odd day is no change of the level.
 * @param scratch - where they stand, until others are to stand there; not that of the residuals themselves
 */
export function weighDays(
  residuals: WindowResiduals,
  variance: number,
  largestDeviation = LARGEST_DAY_DEVIATION,
  scratch = new Scratch(),
): WindowResiduals {
  const { start, dayResidual, dayInformation } = residuals;
  const residual = scratch.float64(0, residuals.residual.length);
  const information = scratch.float64(1, residuals.information.length);
  for (let d = 0; d < dayInformation.length; d++) {
    const v = dayInformation[d] as number;
    const inflation = 1 + variance * v;
    const largest = largestDeviation * Math.sqrt(v * inflation);
    const size = Math.abs(dayResidual[d] as number);
    const cut = size > largest && largest > 0 ? largest / size : 1;
    for (let cell = start[d] as number; cell < (start[d + 1] as number); cell++) {
      information[cell] = (residuals.information[cell] as number) / inflation;
      residual[cell] = ((residuals.residual[cell] as number) / inflation) * cut;
    }
  }
  return { ...residuals, residual, information };
}
