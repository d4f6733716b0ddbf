import { requireDomain } from '../numerics/stats-domain-error';
import table from './drift-thresholds.json';

/** Days that must have been seen before the first alarm; the thresholds are calibrated with it. */
export const BURN_IN_DAYS = 28;
/** Days looked back over; likewise. */
export const WINDOW_DAYS = 180;

/** Value of a piecewise linear function through (xs, ys), held constant beyond its ends. */
function interpolate(xs: readonly number[], ys: readonly number[], x: number): number {
  let i = 1;
  while (i < xs.length - 1 && (xs[i] as number) < x) i++;
  const x0 = xs[i - 1] as number;
  const x1 = xs[i] as number;
  const t = Math.min(1, Math.max(0, (x - x0) / (x1 - x0)));
  return (ys[i - 1] as number) + t * ((ys[i] as number) - (ys[i - 1] as number));
}

/**
 * Threshold of `bestCut` for a stated mean number of days between false alarms, at one look a day.
 *
 * Shapes: scalars in, scalar out.
 * @param eventsPerDay - expected replies per day without drift, >= 0
 * @param arl0Days - in the calibrated range (see drift-thresholds.json), in days
 * @returns threshold for the log likelihood ratio
 * @throws StatsDomainError with code `range`
 *
 * Reference: Siegmund and Venkatraman (1995), Annals of Statistics 23, 255-271 (thresholds by their ARL0).
 * Table: drift-thresholds.json, made by calibrate.mjs (seed inside), interpolated in the
 * logarithms of both arguments. Checked by verify:statistics (simulated ARL0 within 15 %).
 *
 * @example
 * driftThreshold(2, 365) > driftThreshold(2, 180); // true
 */
export function driftThreshold(eventsPerDay: number, arl0Days: number): number {
  const arls = table.arl0Days;
  const lowest = arls[0] as number;
  const highest = arls.at(-1) as number;
  requireDomain(eventsPerDay >= 0, 'range', 'events per day must be >= 0');
  requireDomain(
    arl0Days >= lowest && arl0Days <= highest,
    'range',
    `ARL0 must lie in ${lowest}..${highest} days`,
  );
  const logArls = arls.map(Math.log);
  const atRate = table.thresholds.map((row) => interpolate(logArls, row, Math.log(arl0Days)));
  if (atRate.length === 1) return atRate[0] as number;
  return interpolate(table.eventsPerDay.map(Math.log), atRate, Math.log(Math.max(1e-9, eventsPerDay)));
}
