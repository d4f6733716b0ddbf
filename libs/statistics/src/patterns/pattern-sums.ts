import { type ContrastEstimate, forEachTable } from './contrasts';
import { MANTEL_HAENSZEL_SUMS, MantelHaenszelSums } from './mantel-haenszel';
import type { PatternDesign } from './pattern-design';
import type { Cohort } from './pattern-types';
import { checkCohorts, DAYS_PER_WEEK, weekTables } from './tables';

const PER_CODE = MANTEL_HAENSZEL_SUMS + 4;

/**
 * Sums behind the estimates of all codes, whose tables are stratum x calendar week. Weeks do not share a table, so
 * the sums of a history are those of its weeks, added in their order; a week that is corrected is summed again alone.
 */
export class PatternSums {
  private constructor(
    private readonly design: PatternDesign,
    /** per code: the sums of Mantel-Haenszel, then na, ya, nb, yb */
    readonly values: Float64Array,
  ) {}

  static none(design: PatternDesign): PatternSums {
    return new PatternSums(design, new Float64Array(design.codes.length * PER_CODE));
  }

  /**
   * @param cohorts - matured, of one calendar week (whole sevens of days since the epoch), sorted by day
   * @throws StatsDomainError with code `order`, `count`, `size` or `range`
   */
  static ofWeek(design: PatternDesign, cohorts: readonly Cohort[]): PatternSums {
    checkCohorts(cohorts);
    const week = PatternSums.none(design);
    // Blocks play no part here, so groups that differ by them alone would share a table; there is one such pair.
    for (const { indexes, sides, levels, drops } of design.groups) {
      const tables = weekTables(cohorts, levels, drops);
      indexes.forEach((index, i) => {
        const values = week.values.subarray(index * PER_CODE, (index + 1) * PER_CODE);
        const sums = new MantelHaenszelSums(values);
        forEachTable(tables, sides[i] as (typeof sides)[number], (_, ...counts) => {
          sums.add(...counts);
          counts.forEach((count, c) => {
            values[MANTEL_HAENSZEL_SUMS + c] = (values[MANTEL_HAENSZEL_SUMS + c] as number) + count;
          });
        });
      });
    }
    return week;
  }

  /** Sums of all weeks of a history. */
  static ofWeeks(design: PatternDesign, cohorts: readonly Cohort[]): PatternSums {
    const sums = PatternSums.none(design);
    for (let from = 0; from < cohorts.length;) {
      const week = weekOf(cohorts[from] as Cohort);
      let to = from + 1;
      while (to < cohorts.length && weekOf(cohorts[to] as Cohort) === week) to++;
      sums.add(PatternSums.ofWeek(design, cohorts.slice(from, to)).values);
      from = to;
    }
    return sums;
  }

  /** @param values - of one more week, later than those before */
  add(values: Float64Array): void {
    values.forEach((value, i) => (this.values[i] = (this.values[i] as number) + value));
  }

  /** Mantel-Haenszel estimate and crude totals per code. */
  estimates(): ContrastEstimate[] {
    return this.design.codes.map((_, index) => {
      const values = this.values.subarray(index * PER_CODE, (index + 1) * PER_CODE);
      const [na, ya, nb, yb] = values.subarray(MANTEL_HAENSZEL_SUMS) as unknown as [
        number,
        number,
        number,
        number,
      ];
      return { ...new MantelHaenszelSums(values).result(), totals: { na, ya, nb, yb } };
    });
  }
}

const weekOf = ({ day }: Cohort): number => Math.floor(day / DAYS_PER_WEEK);
