import { generateEvidence } from '../testing';
import {
  assessEvidence,
  effectPosterior,
  type EvidenceCounts,
  type EvidenceDesign,
  familiesOf,
  logEValue,
} from '.';
import { type EffectChange, lastChange } from './effect-change';
import { addSums, type EvidenceSums, noSums, setUnitSums } from './evidence-sums';
import { CountedEvidence } from './evidence-basis';
import { isTimingFeature } from './evidence-design';
import { type EvidenceUnit, familyUnits, fortnightUnits } from './evidence-units';

let company: ReturnType<typeof generateEvidence>;
let design: EvidenceDesign;
let campaigns: EvidenceCounts[];
let basis: CountedEvidence;
let units: readonly [readonly EvidenceUnit[], readonly EvidenceUnit[]];
beforeAll(() => {
  company = generateEvidence(
    {
      campaignSd: 0.4,
      effects: { 'tone.4': 1.1, 'figures.0': 0.8 },
      until: 84,
      days: 168,
      sendsPerDay: 120,
      campaigns: 12,
      running: 4,
    },
    11,
  );
  ({ design } = company);
  campaigns = company.counts();
  const families = familiesOf(design, campaigns);
  basis = new CountedEvidence(design, families, 11, []);
  units = [familyUnits(design, families), fortnightUnits(design, basis.totals)];
});

/** Sums over [from, to], added up unit by unit each time anew. */
function sumsBetween(own: readonly EvidenceUnit[], contrast: number, from: number, to: number): EvidenceSums {
  const total = noSums();
  for (const { first, length, z, v, distances } of own) {
    let [score, variance] = [0, 0];
    for (let f = Math.max(from, first); f <= Math.min(to, first + length - 1); f++) {
      score += z[(f - first) * design.contrasts.length + contrast] as number;
      variance += v[(f - first) * design.contrasts.length + contrast] as number;
    }
    if (variance === 0) continue;
    const sums = noSums();
    setUnitSums(sums, score, variance, distances[contrast] as number);
    addSums(total, sums);
  }
  return total;
}

/** Rule 5 word by word. */
function changeByTheBook(own: readonly EvidenceUnit[], contrast: number, last: number): EffectChange | null {
  let change: EffectChange | null = null;
  let since = 0;
  for (let seen = 0; seen <= last; seen++) {
    const found = [2, 4, 6, 12].find((window) => {
      const from = seen - window + 1;
      if (from - since < 3) return false;
      const before = sumsBetween(own, contrast, since, from - 1);
      if (logEValue(before) < Math.log(20)) return false;
      const estimate = effectPosterior(before).mean;
      const newest = sumsBetween(own, contrast, from, seen);
      const isLess = ((newest[1] as number) / (newest[2] as number) - estimate) * estimate < 0;
      return isLess && logEValue(newest, estimate) >= Math.log(80);
    });
    if (found !== undefined) change = { since: (since = seen - found + 1), seen };
  }
  return change;
}

describe('an effect that ended', () => {
  it('is found where the rule, word by word, finds it', () => {
    const found = design.features.map((feature) => {
      const own = units[isTimingFeature(design, feature) ? 1 : 0];
      const change = lastChange(basis.of(feature), 0, 11);
      expect(change).toEqual(changeByTheBook(own, feature.contrast, 11));
      return change;
    });
    expect(found.filter((change) => change !== null).length).toBeGreaterThanOrEqual(2);
  });
  it('is claimed before, is not claimed after, and says so', () => {
    const at = (asOf: number) =>
      assessEvidence(design, company.counts(asOf), { asOf }).assessments.find(
        ({ code }) => code === 'tone.4',
      );
    expect(at(5)?.tier).toBe('confirmed');
    const after = at(11);
    expect(after?.tier).toBeNull();
    expect(after?.reason).toBe('changed');
    expect(after?.change?.since).toBeGreaterThanOrEqual(5);
    expect(after?.countedSince).toBe(after?.change?.since);
  });
  it('stays claimed without the rule', () => {
    const { assessments } = assessEvidence(design, campaigns, { rules: { changes: false } });
    expect(assessments.find(({ code }) => code === 'tone.4')?.tier).toBe('confirmed');
  });
});
