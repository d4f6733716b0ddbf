import { chiSquareSurvival } from '../numerics/incomplete-gamma';
import { requireDomain } from '../numerics/stats-domain-error';
import type { TwoByTwo } from './pattern-types';

export interface StratifiedOddsRatio {
  readonly logOr: number;
  /** null where no stratum compares the two columns */
  readonly se: number | null;
  /** Cochran-Mantel-Haenszel chi-square (1 degree of freedom, no continuity correction) and its p-value */
  readonly chiSquare: number;
  readonly pValue: number;
}

/** Half a reply and half a non-reply on each side: keeps the estimate finite where a cell sum is empty. */
const PSEUDO_CELL = 0.5;

/** Length of the sums of `MantelHaenszelSums`. */
export const MANTEL_HAENSZEL_SUMS = 7;
const [R, S, PR, PS_QR, QS, EXCESS, VARIANCE] = [0, 1, 2, 3, 4, 5, 6] as const;

/** Running sums over strata; cheap enough for thousands of tables per code. Sums of different strata may be added. */
export class MantelHaenszelSums {
  /** @param sums - memory to count in; taken as it is */
  constructor(private readonly sums: Float64Array = new Float64Array(MANTEL_HAENSZEL_SUMS)) {}

  /** Adds one stratum; a stratum with an empty column says nothing and is skipped. */
  add(na: number, ya: number, nb: number, yb: number): void {
    if (na <= 0 || nb <= 0) return;
    const total = na + nb;
    const replies = ya + yb;
    if (replies > 0) {
      addCells(this.sums, ya, na - ya, yb, nb - yb);
      bump(this.sums, EXCESS, ya - (na * replies) / total);
      if (total > 1)
        bump(this.sums, VARIANCE, (na * nb * replies * (total - replies)) / (total * total * (total - 1)));
    }
  }

  result(): StratifiedOddsRatio {
    const sums = this.sums.slice(0, MANTEL_HAENSZEL_SUMS);
    const at = (place: number): number => sums[place] as number;
    if (at(R) + at(S) <= 0) return { logOr: 0, se: null, chiSquare: 0, pValue: 1 };
    if (at(R) <= 0 || at(S) <= 0) addCells(sums, PSEUDO_CELL, PSEUDO_CELL, PSEUDO_CELL, PSEUDO_CELL);
    const [r, s] = [at(R), at(S)];
    const variance = at(PR) / (2 * r * r) + at(PS_QR) / (2 * r * s) + at(QS) / (2 * s * s);
    const chiSquare = at(VARIANCE) > 0 ? (at(EXCESS) * at(EXCESS)) / at(VARIANCE) : 0;
    return {
      logOr: Math.log(r / s),
      se: Math.sqrt(variance),
      chiSquare,
      pValue: chiSquareSurvival(chiSquare, 1),
    };
  }
}

function addCells(sums: Float64Array, a: number, b: number, c: number, d: number): void {
  const total = a + b + c + d;
  const r = (a * d) / total;
  const s = (b * c) / total;
  const p = (a + d) / total;
  const q = (b + c) / total;
  bump(sums, R, r);
  bump(sums, S, s);
  bump(sums, PR, p * r);
  bump(sums, PS_QR, p * s + q * r);
  bump(sums, QS, q * s);
}

function bump(sums: Float64Array, place: number, by: number): void {
  sums[place] = (sums[place] as number) + by;
}

/**
 * Mantel-Haenszel odds ratio over strata, with its Robins-Breslow-Greenland standard error and the
 * Cochran-Mantel-Haenszel test.
 *
 * Shapes: any number of 2 x 2 tables in, one estimate out.
 * @param tables - per stratum: sends and replies with the feature (na, ya) and without it (nb, yb)
 * @returns log odds ratio (with / without), standard error (null where nothing can be compared), test
 * @throws StatsDomainError with code `count`
 *
 * Consistent both for few large strata and for many sparse ones, which is what send days are.
 * Where one of the two sums is zero, one pseudo-table of half cells keeps the estimate finite.
 * Reference: Robins, Breslow and Greenland (1986), Biometrics 42, 311-323.
 * Oracle: fixtures/patterns.json (statsmodels StratifiedTable) and fixtures/r-patterns.json (mantelhaen.test of R), rtol 1e-10.
 *
 * @example
 * mantelHaenszel([{ na: 100, ya: 10, nb: 100, yb: 5 }]).logOr; // 0.7472144018302211
 */
export function mantelHaenszel(tables: readonly TwoByTwo[]): StratifiedOddsRatio {
  const sums = new MantelHaenszelSums();
  for (const { na, ya, nb, yb } of tables) {
    requireDomain(na >= 0 && nb >= 0 && Number.isFinite(na + nb), 'count', 'sends must be finite and >= 0');
    requireDomain(
      ya >= 0 && ya <= na && yb >= 0 && yb <= nb,
      'count',
      'replies must lie between zero and the sends',
    );
    sums.add(na, ya, nb, yb);
  }
  return sums.result();
}
