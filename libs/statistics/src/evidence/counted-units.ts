import { WINDOWS } from './effect-change';
import { addSums, EVIDENCE_SUMS, type EvidenceSums, noSums, setUnitSums } from './evidence-sums';
import type { EvidenceDesign, Feature } from './evidence-design';
import { type EvidenceUnit, sumsFromStarts } from './evidence-units';
import { exact } from './exact-sums';
import type { FeatureSupport, UnitEvidence } from './unit-evidence';

/** Distances below this count as this: one unit is worth no more than 2,000. */
const LEAST_DISTANCE = 0.001;

/** Comparisons of two texts that a unit is worth. */
export const comparisonsOf = (distance: number): number => exact(2 / Math.max(distance, LEAST_DISTANCE));

/** Units with all that they are made of, and the last fortnight that counts. */
export class CountedUnits {
  private readonly running: RunningUnits;

  constructor(
    private readonly design: EvidenceDesign,
    private readonly units: readonly EvidenceUnit[],
    private readonly asOf: number,
  ) {
    this.running = new RunningUnits(units, Math.max(...WINDOWS));
  }

  of(feature: Feature): UnitEvidence {
    const contrasts = this.design.contrasts.length;
    const { units, asOf, running } = this;
    return {
      from: (contrast, starts) => sumsFromStarts(units, contrast, contrasts, starts, asOf),
      until: (since) => sumsUntil(units, feature.contrast, contrasts, since, asOf),
      newest: (from, now) => {
        const [sums] = sumsFromStarts(running.until(now), feature.contrast, contrasts, [from], now);
        return sums ?? noSums();
      },
      support: (from) => this.support(feature, from),
    };
  }

  private support({ contrast }: Feature, from: number): FeatureSupport {
    let comparisons = 0;
    let textsWith = 0;
    let textsWithout = 0;
    for (const unit of this.units) {
      if (!comparesBetween(unit, contrast, this.design.contrasts.length, from, this.asOf)) continue;
      comparisons += comparisonsOf(unit.distances[contrast] as number);
      textsWith += exact(unit.with[contrast] as number);
      textsWithout += exact(unit.without[contrast] as number);
    }
    return { comparisons, textsWith, textsWithout };
  }
}

/** Whether a contrast has any score in some fortnights. */
export function comparesBetween(
  { first, length, v }: Pick<EvidenceUnit, 'first' | 'length' | 'v'>,
  contrast: number,
  contrasts: number,
  from: number,
  asOf: number,
): boolean {
  for (let row = Math.max(0, from - first); row < length && first + row <= asOf; row++) {
    if ((v[row * contrasts + contrast] as number) > 0) return true;
  }
  return false;
}

/**
 * Sums over [from, t) for every t up to the end, at once: each unit adds to the fortnights in which it grows, and its
 * whole to all that follow.
 */
function sumsUntil(
  units: readonly EvidenceUnit[],
  contrast: number,
  contrasts: number,
  from: number,
  asOf: number,
): EvidenceSums[] {
  const sums = Array.from({ length: Math.max(0, asOf - from + 2) }, noSums);
  for (const unit of units) {
    addGrowth(unit, contrast, contrasts, from, asOf, (fortnight) => ({
      to: sums[fortnight + 1 - from] as EvidenceSums,
      offset: 0,
      sign: 1,
    }));
  }
  for (let t = 1; t < sums.length; t++) addSums(sums[t] as EvidenceSums, sums[t - 1] as EvidenceSums);
  return sums;
}

/** Where a fortnight's growth goes. */
interface GrowthPlace {
  readonly to: Float64Array;
  readonly offset: number;
  readonly sign: 1 | -1;
}

/** Hands out what a unit's sums since a fortnight grow by in each of its fortnights, of those in which they do. */
export function addGrowth(
  { first, length, z, v, distances }: EvidenceUnit,
  contrast: number,
  contrasts: number,
  from: number,
  asOf: number,
  place: (fortnight: number) => GrowthPlace,
): void {
  let score = 0;
  let variance = 0;
  OWN.fill(0);
  for (let row = Math.max(0, from - first); row < length && first + row <= asOf; row++) {
    const at = row * contrasts + contrast;
    if ((v[at] as number) === 0) continue;
    score += z[at] as number;
    variance += v[at] as number;
    BEFORE.set(OWN);
    setUnitSums(OWN, score, variance, distances[contrast] as number);
    const { to, offset, sign } = place(first + row);
    for (let i = 0; i < EVIDENCE_SUMS; i++) {
      to[offset + i] = (to[offset + i] as number) + sign * ((OWN[i] as number) - (BEFORE[i] as number));
    }
  }
}

const OWN = noSums();
const BEFORE = noSums();

/** The units of the newest fortnights: of hundreds that a company has had, a few dozen. */
class RunningUnits {
  private readonly byFirst: readonly EvidenceUnit[];
  private running: EvidenceUnit[] = [];
  private begun = 0;
  private now = -Infinity;

  /** @param span - fortnights that are looked back over */
  constructor(
    units: readonly EvidenceUnit[],
    private readonly span: number,
  ) {
    this.byFirst = [...units].sort((a, b) => a.first - b.first);
  }

  /** @param now - fortnight; best ascending from call to call @returns those with a part in the span that ends there */
  until(now: number): readonly EvidenceUnit[] {
    if (now === this.now) return this.running;
    if (now < this.now) [this.running, this.begun] = [[], 0];
    this.now = now;
    const isRunning = ({ first, length }: EvidenceUnit) => first + length > now - this.span + 1;
    this.running = this.running.filter(isRunning);
    for (; this.begun < this.byFirst.length; this.begun++) {
      const unit = this.byFirst[this.begun] as EvidenceUnit;
      if (unit.first > now) break;
      if (isRunning(unit)) this.running.push(unit);
    }
    return this.running;
  }
}
