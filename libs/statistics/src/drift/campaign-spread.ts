import { square } from '../numerics/square';
import type { WindowResiduals } from './window-residuals';

/** Three campaigns' worth of the spread .3 that campaigns usually have. */
const PRIOR_CAMPAIGNS = 3;
const PRIOR_VARIANCE = 0.3 * 0.3;
const WEEK = 7;

/** Adds the deviations of the campaigns of one week from that week's level to the campaigns' totals. */
function addWeek(
  touched: readonly number[],
  week: { readonly R: Float64Array; readonly V: Float64Array },
  total: { readonly R: Float64Array; readonly V: Float64Array },
): void {
  let [R, V] = [0, 0];
  for (const c of touched) {
    R += week.R[c] as number;
    V += week.V[c] as number;
  }
  for (const c of touched) {
    const v = week.V[c] as number;
    const own = v * (1 - v / V);
    if (own > 0) {
      total.R[c] = (total.R[c] as number) + (week.R[c] as number) - (v * R) / V;
      total.V[c] = (total.V[c] as number) + own;
    }
    week.R[c] = 0;
    week.V[c] = 0;
  }
}

/**
 * Variance of the campaigns' levels on the logit. Campaigns are compared with those that ran in the same weeks, so a
 * change of the level does not enter. Zero where two never ran in one week: the start of a campaign that runs alone
 * is the change, and the ledger then names it.
 */
export function campaignVariance(residuals: WindowResiduals): number {
  const { day, start, campaign, campaigns, residual, information } = residuals;
  const week = { R: new Float64Array(campaigns), V: new Float64Array(campaigns) };
  const total = { R: new Float64Array(campaigns), V: new Float64Array(campaigns) };
  const seenIn = new Int32Array(campaigns).fill(-1);
  let touched: number[] = [];
  let weeks = 0;
  for (let d = 0; d < day.length; d++) {
    if (d > 0 && Math.floor((day[d] as number) / WEEK) !== Math.floor((day[d - 1] as number) / WEEK)) {
      addWeek(touched, week, total);
      touched = [];
      weeks++;
    }
    for (let cell = start[d] as number; cell < (start[d + 1] as number); cell++) {
      const c = campaign[cell] as number;
      if (seenIn[c] !== weeks) {
        seenIn[c] = weeks;
        touched.push(c);
      }
      week.R[c] = (week.R[c] as number) + (residual[cell] as number);
      week.V[c] = (week.V[c] as number) + (information[cell] as number);
    }
  }
  addWeek(touched, week, total);
  return shrunkVariance(total);
}

/** The moment estimate, shrunk towards the usual spread as three campaigns would. */
function shrunkVariance({ R, V }: { readonly R: Float64Array; readonly V: Float64Array }): number {
  let [excess, squares, compared] = [0, 0, 0];
  for (let c = 0; c < V.length; c++) {
    const v = V[c] as number;
    if (v <= 0) continue;
    excess += square(R[c] as number) - v;
    squares += v * v;
    compared++;
  }
  if (compared < 2) return 0;
  const estimate = Math.max(0, excess / squares);
  return (compared * estimate + PRIOR_CAMPAIGNS * PRIOR_VARIANCE) / (compared + PRIOR_CAMPAIGNS);
}
