import { requireDomain } from '../numerics/stats-domain-error';
import { BlockCutter, type ClosedBlock } from './block-cutter';
import { sidesOf, type CodeGroup } from './contrasts';
import { EProcess } from './e-process';
import type { Cohort } from './pattern-types';
import type { PatternDesign } from './pattern-design';
import { checkCohort } from './tables';

/** Evidence of one code over the closed blocks, and the sends that took part in it. */
export interface CodeEvidence {
  readonly logE: number;
  readonly na: number;
  readonly nb: number;
}

interface Tested {
  readonly process: EProcess;
  na: number;
  nb: number;
}

/**
 * The e-processes of all codes, over cohorts that come in day by day. Its state does not grow with the days; saved
 * and restored anywhere it goes on to the same numbers, bit for bit.
 */
export class PatternTest {
  private readonly tested: readonly Tested[];
  private readonly cutters: readonly { readonly group: CodeGroup; readonly cutter: BlockCutter }[];
  private width: number | undefined;
  private day = -Infinity;

  constructor(private readonly design: PatternDesign) {
    this.tested = design.codes.map(() => ({ process: new EProcess(), na: 0, nb: 0 }));
    this.cutters = design.groups.map((group) => ({ group, cutter: new BlockCutter(group) }));
  }

  /**
   * @param cohort - matured and frozen; sorted by day, and a day's all before they are asked about
   * @throws StatsDomainError with code `order`, `count`, `size` or `range`
   */
  add(cohort: Cohort): void {
    this.width ??= cohort.n.length;
    checkCohort(cohort, this.width, this.day);
    this.day = cohort.day;
    for (const { group, cutter } of this.cutters) {
      cutter.add(cohort, (block) => this.take(group, block));
    }
  }

  /**
   * @param asOfDay - blocks that have waited for a week by then are closed; default: the last cohort's day
   * @returns per code, in their order; the state stays as it is
   */
  evidence(asOfDay = this.day): CodeEvidence[] {
    const closed = PatternTest.restore(this.design, this.save());
    for (const { group, cutter } of closed.cutters) {
      cutter.closeThrough(asOfDay, (block) => closed.take(group, block));
    }
    return closed.tested.map(({ process, na, nb }) => ({ logE: process.logValue(), na, nb }));
  }

  /** The state in numbers. */
  save(): Float64Array {
    const codes = this.tested.flatMap(({ process, na, nb }) => [na, nb, ...process.logS]);
    const cutters = this.cutters.flatMap(({ cutter }) => cutter.save());
    return Float64Array.from([this.width ?? -1, this.day, ...codes, ...cutters]);
  }

  /**
   * @param design - the same with which the state was saved
   * @throws StatsDomainError with code `size`
   */
  static restore(design: PatternDesign, saved: Float64Array): PatternTest {
    const test = new PatternTest(design);
    let next = 0;
    const take = (): number => {
      requireDomain(next < saved.length, 'size', 'a saved state is longer than this');
      return saved[next++] as number;
    };
    const width = take();
    if (width >= 0) test.width = width;
    test.day = take();
    for (const tested of test.tested) {
      tested.na = take();
      tested.nb = take();
      tested.process.logS.forEach((_, g, logS) => (logS[g] = take()));
    }
    for (const { cutter } of test.cutters) cutter.load(take);
    requireDomain(next === saved.length, 'size', 'a saved state ends here');
    return test;
  }

  private take({ indexes, sides }: CodeGroup, { n, y, predictedRate }: ClosedBlock): void {
    indexes.forEach((index, i) => {
      const tested = this.tested[index] as Tested;
      const { na, ya, nb, yb } = sidesOf(n, y, 0, sides[i] as (typeof sides)[number]);
      tested.na += na;
      tested.nb += nb;
      tested.process.add(na, ya, nb, yb, predictedRate);
    });
  }
}
