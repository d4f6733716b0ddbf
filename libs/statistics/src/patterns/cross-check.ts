import { expit } from '../numerics/logistic';
import { forEachTable, type Sides } from './contrasts';
import type { CountTables } from './tables';

const MAX_STEPS = 50;

/**
 * log-F(1,1) penalised logistic log odds ratio with one free intercept per stratum (time pooled): a
 * second opinion on the Mantel-Haenszel estimate, by another method and another table. The intercepts
 * make the information matrix an arrow, so each Newton step costs one pass over the strata.
 */
export function crossCheckLogOr(weeks: CountTables, sides: Sides): number {
  const strata = weeks.stratum.reduce((most, s) => Math.max(most, s + 1), 0);
  const cells = new Float64Array(strata * 4);
  forEachTable(weeks, sides, (t, na, ya, nb, yb) => {
    const at = (weeks.stratum[t] as number) * 4;
    [na, ya, nb, yb].forEach((value, c) => (cells[at + c] = (cells[at + c] as number) + value));
  });
  const intercepts = new Float64Array(strata).fill(-3);
  let beta = 0;
  for (let step = 0; step < MAX_STEPS; step++) {
    let gradient = 0.5 - expit(beta);
    let information = expit(beta) * expit(-beta);
    const own = new Float64Array(strata);
    const cross = new Float64Array(strata);
    for (let s = 0; s < strata; s++) {
      const [na, ya, nb, yb] = cells.subarray(s * 4, s * 4 + 4) as unknown as [
        number,
        number,
        number,
        number,
      ];
      const alpha = intercepts[s] as number;
      const pa = expit(alpha + beta);
      const pb = expit(alpha);
      const va = na * pa * (1 - pa);
      // log-F(1,1) on the intercepts too: a stratum without replies keeps a finite one.
      const stratumInformation = va + nb * pb * (1 - pb) + pb * (1 - pb);
      const stratumGradient = ya - na * pa + yb - nb * pb + 0.5 - pb;
      own[s] = stratumGradient / stratumInformation;
      cross[s] = va / stratumInformation;
      gradient += ya - na * pa - va * (own[s] as number);
      information += va - va * (cross[s] as number);
    }
    const move = Math.max(-1, Math.min(1, gradient / information));
    beta += move;
    for (let s = 0; s < strata; s++) {
      const shift = (own[s] as number) - move * (cross[s] as number);
      intercepts[s] = (intercepts[s] as number) + Math.max(-1.5, Math.min(1.5, shift));
    }
    if (Math.abs(move) < 1e-9 && step > 3) break;
  }
  return beta;
}
