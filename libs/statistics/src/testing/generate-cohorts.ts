import { expit } from '../numerics/logistic';
import { drawPoisson, type Rng } from '../random';
import { type CompanyModel, drawSend, type StratumKey, weekdayOf } from './company-model';

/** All messages of one send day in one stratum. */
export interface Cohort {
  /** send day, whole days since the epoch */
  readonly day: number;
  readonly stratum: StratumKey;
  /** messages and replies, whatever their features */
  readonly totalN: number;
  readonly totalY: number;
  /** messages and replies per feature level, indexed by level; the same length in every cohort */
  readonly n: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

export interface CohortRun {
  readonly days: number;
  /** first send day, whole days since the epoch; default 20000 */
  readonly startDay?: number;
  readonly sendsPerDay: number;
}

interface Cell {
  n: number;
  y: number;
  levelN: Int32Array;
  levelY: Int32Array;
}

/**
 * Counts of a generated company, without events: what the daily run reads.
 *
 * Shapes: one cohort per send day and stratum that had sends, sorted by day then stratum.
 * @param model - the company's hidden truth
 * @param run - how long and how much
 * @param rng - source of randomness
 *
 * @example
 * generateCohorts(planCompany({}, seededRng(1)), { days: 2, sendsPerDay: 30 }, seededRng(2)).length > 0; // true
 */
export function generateCohorts(model: CompanyModel, run: CohortRun, rng: Rng): Cohort[] {
  const levels = new Int32Array(model.dimensions.length);
  const shares = Float64Array.from(model.strata, ({ share }) => share);
  const startDay = run.startDay ?? 20_000;
  const cohorts: Cohort[] = [];
  for (let d = 0; d < run.days; d++) {
    const sends = drawPoisson(rng, run.sendsPerDay);
    const cells = new Map<number, Cell>();
    for (let i = 0; i < sends; i++) {
      const send = drawSend(model, rng, weekdayOf(startDay + d), levels, shares);
      let cell = cells.get(send.stratum);
      if (!cell)
        cells.set(
          send.stratum,
          (cell = { n: 0, y: 0, levelN: new Int32Array(model.width), levelY: new Int32Array(model.width) }),
        );
      const replied = rng.next() < expit(send.logOdds) ? 1 : 0;
      cell.n++;
      cell.y += replied;
      for (const level of levels) {
        cell.levelN[level] = (cell.levelN[level] as number) + 1;
        cell.levelY[level] = (cell.levelY[level] as number) + replied;
      }
    }
    for (const index of [...cells.keys()].sort((a, b) => a - b)) {
      const { n, y, levelN, levelY } = cells.get(index) as Cell;
      const { key } = model.strata[index] as CompanyModel['strata'][number];
      cohorts.push({ day: startDay + d, stratum: key, totalN: n, totalY: y, n: levelN, y: levelY });
    }
  }
  return cohorts;
}
