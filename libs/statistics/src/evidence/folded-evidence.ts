import { FEATURE_SUMS } from './campaign-scores';
import type { CompanionPair } from './companions';
import { type CompanyTotals, noTotals } from './company-totals';
import { CountedUnits } from './counted-units';
import { WINDOWS } from './effect-change';
import { type EvidenceBasis, lastFortnight } from './evidence-basis';
import { contrastsOf, type Feature, isTimingFeature } from './evidence-design';
import type { EvidenceFold } from './evidence-fold';
import { type FoldedPair, type FoldQuestions, SIDES, SUPPORT } from './fold-parts';
import { gridAt } from './evidence-starts';
import { addSums, EVIDENCE_SUMS, type EvidenceSums, noSums } from './evidence-sums';
import { type EvidenceUnit, fortnightUnits, sumsFromStarts } from './evidence-units';
import { addNumbers } from './exact-sums';
import type { CampaignSides, FeatureSupport, UnitEvidence } from './unit-evidence';

/** A fold as the rules ask it. What it cannot answer yet is in `missing` afterwards, and the judgement is void. */
export class FoldedEvidence implements EvidenceBasis {
  readonly totals: CompanyTotals;
  readonly asOf: number;
  private readonly fortnights: readonly EvidenceUnit[];
  private readonly timing: CountedUnits;
  private readonly watched = new Set<number>();
  private readonly changes = new Map<string, FoldQuestions['changes'][number]>();
  private readonly pairs = new Map<string, FoldedPair>();
  /** Grid starts of sheets by kind. */
  private readonly starts = new Map<string, number[]>();

  constructor(private readonly fold: EvidenceFold) {
    this.totals = totalsOf(fold);
    this.asOf = lastFortnight(this.totals);
    this.fortnights = fortnightUnits(fold.design, this.totals);
    this.timing = new CountedUnits(fold.design, this.fortnights, this.asOf);
  }

  /** What has to be asked of every family before a judgement holds. */
  get missing(): FoldQuestions {
    return {
      watched: [...this.watched].sort((a, b) => a - b),
      changes: [...this.changes.values()],
      pairs: [...this.pairs.values()],
    };
  }

  get isComplete(): boolean {
    return this.watched.size + this.changes.size + this.pairs.size === 0;
  }

  of(feature: Feature): UnitEvidence {
    if (isTimingFeature(this.fold.design, feature)) return this.timing.of(feature);
    const f = this.fold.design.features.indexOf(feature);
    return {
      from: (contrast, starts) => this.from(f, contrast, starts),
      until: (since) => this.until(f, since),
      newest: (from, now) => this.newest(f, from, now),
      support: (from) => this.support(f, from),
    };
  }

  sides(feature: Feature, since: number): CampaignSides | null {
    const f = this.fold.design.features.indexOf(feature);
    const counts = new Float64Array(SIDES);
    if (this.isOnGrid(since)) this.addSince('sides', since, counts, f * SIDES);
    else if (this.hasChange(f, since)) addSheet(counts, this.fold.sheets.get(`sides ${f} ${since}`), 0);
    else return null;
    const [campaigns, campaignsWith, campaignsWithout, campaignsWithBoth] = counts;
    return { campaigns, campaignsWith, campaignsWithout, campaignsWithBoth } as CampaignSides;
  }

  inside(pair: CompanionPair, feature: Feature, starts: readonly number[]): EvidenceSums[] | null {
    const { design, sheets } = this.fold;
    const name = `${pair.code} ${pair.within}`;
    if (!this.hasPair({ ...pair, since: null })) return null;
    if (isTimingFeature(design, feature)) {
      const units = this.fortnights.map(({ first, distances, ...unit }) => {
        const [z, v] = sheets.get(`inside ${name} ${first}`) ?? [0, 0];
        const own = distances.subarray(feature.contrast, feature.contrast + 1);
        return { ...unit, first, distances: own, z: Float64Array.of(z ?? 0), v: Float64Array.of(v ?? 0) };
      });
      return sumsFromStarts(units, 0, 1, starts, this.asOf);
    }
    const sums = starts.map((start) => {
      const own = noSums();
      if (this.isOnGrid(start)) {
        this.addSince(`inside whole ${name}`, start, own, 0);
        addSheet(own, sheets.get(`inside from ${name} ${start}`), 0);
        return own;
      }
      if (!this.hasPair({ ...pair, since: start })) return null;
      addSheet(own, sheets.get(`inside since ${name} ${start}`), 0);
      return own;
    });
    return sums.every((own) => own !== null) ? sums : null;
  }

  private from(f: number, contrast: number, starts: readonly number[]): EvidenceSums[] | null {
    const { design, plan, sheets } = this.fold;
    const offset = (plan.contrastPlaceOf.get(contrast) as number) * EVIDENCE_SUMS;
    const sums = starts.map((start) => {
      const own = noSums();
      if (this.isOnGrid(start)) {
        this.addSince('whole', start, own, offset);
        addSheet(own, sheets.get(`from ${start}`), offset);
        return own;
      }
      if (!this.hasChange(f, start)) return null;
      const place = contrastsOf(design.features[f] as Feature).indexOf(contrast);
      addSheet(own, sheets.get(`since ${f} ${start}`), place * EVIDENCE_SUMS);
      return own;
    });
    return sums.every((own) => own !== null) ? sums : null;
  }

  private until(f: number, since: number): EvidenceSums[] | null {
    const { plan, sheets } = this.fold;
    const isFirst = since === this.totals.first;
    if (!isFirst && !this.hasChange(f, since)) return null;
    const offset = isFirst ? (plan.placeOf.get(f) as number) * EVIDENCE_SUMS : 0;
    const sums = Array.from({ length: Math.max(0, this.asOf - since + 2) }, noSums);
    for (let t = 1; t < sums.length; t++) {
      const grown = since + t - 1;
      addSheet(
        sums[t] as EvidenceSums,
        sheets.get(isFirst ? `growth ${grown}` : `growth ${f} ${since} ${grown}`),
        offset,
      );
      addSums(sums[t] as EvidenceSums, sums[t - 1] as EvidenceSums);
    }
    return sums;
  }

  private newest(f: number, from: number, now: number): EvidenceSums | null {
    if (!this.fold.questions.watched.includes(f)) {
      this.watched.add(f);
      return null;
    }
    const own = noSums();
    const place = WINDOWS.indexOf(now - from + 1);
    addSheet(own, this.fold.sheets.get(`newest ${f} ${now}`), place * EVIDENCE_SUMS);
    return own;
  }

  private support(f: number, from: number): FeatureSupport | null {
    const numbers = new Float64Array(SUPPORT);
    if (this.isOnGrid(from)) {
      this.addSince('support', from, numbers, (this.fold.plan.placeOf.get(f) as number) * SUPPORT);
    } else if (this.hasChange(f, from)) {
      const contrasts = contrastsOf(this.fold.design.features[f] as Feature).length;
      addSheet(numbers, this.fold.sheets.get(`since ${f} ${from}`), contrasts * EVIDENCE_SUMS);
    } else return null;
    const [comparisons, textsWith, textsWithout] = numbers;
    return { comparisons, textsWith, textsWithout } as FeatureSupport;
  }

  /** What lies before the first message is as good as on the grid. */
  private isOnGrid(start: number): boolean {
    return gridAt(start) === start || start <= this.totals.first;
  }

  /** Adds the sheets of a kind of this grid start and of all later ones. */
  private addSince(kind: string, start: number, to: Float64Array, offset: number): void {
    for (const own of this.startsOf(kind)) {
      if (own >= gridAt(start)) addSheet(to, this.fold.sheets.get(`${kind} ${own}`), offset);
    }
  }

  private startsOf(kind: string): readonly number[] {
    let starts = this.starts.get(kind);
    if (!starts) {
      starts = [...this.fold.sheets.keys()].flatMap((name) => {
        const start = name.startsWith(`${kind} `) ? name.slice(kind.length + 1) : '';
        return /^-?\d+$/.test(start) ? [Number(start)] : [];
      });
      this.starts.set(kind, starts);
    }
    return starts;
  }

  private hasChange(feature: number, since: number): boolean {
    const isKnown = this.fold.questions.changes.some((own) => own.feature === feature && own.since === since);
    if (!isKnown) this.changes.set(`${feature} ${since}`, { feature, since });
    return isKnown;
  }

  private hasPair(pair: FoldedPair): boolean {
    const { code, within, since } = pair;
    const isKnown = this.fold.questions.pairs.some(
      (own) => own.code === code && own.within === within && own.since === since,
    );
    if (!isKnown) this.pairs.set(`${code} ${within} ${since}`, { code, within, since });
    return isKnown;
  }
}

function addSheet(to: Float64Array, sheet: Float64Array | undefined, offset: number): void {
  if (sheet) addNumbers(to, sheet.subarray(offset, offset + to.length));
}

function totalsOf({ design, plan, sheets }: EvidenceFold): CompanyTotals {
  // Of what was taken away again a sheet of zeros stays behind.
  const fortnights = [...sheets].flatMap(([name, sheet]) =>
    name.startsWith('total ') && sheet.some((value) => value !== 0)
      ? [Number(name.slice('total '.length))]
      : [],
  );
  if (fortnights.length === 0) return noTotals(design, 0, 0);
  const first = fortnights.reduce((a, b) => Math.min(a, b));
  const totals = noTotals(design, first, 1 + fortnights.reduce((a, b) => Math.max(a, b)) - first);
  const { width, features } = design;
  const perFeature = features.length * FEATURE_SUMS;
  for (const fortnight of fortnights) {
    const sheet = sheets.get(`total ${fortnight}`) as Float64Array;
    const row = fortnight - first;
    let at = 0;
    for (const [to, size] of [
      [totals.levelN, width],
      [totals.levelY, width],
      [totals.featureSums, perFeature],
      [totals.timingZ, plan.timing.length],
      [totals.timingV, plan.timing.length],
    ] as const) {
      to.set(sheet.subarray(at, at + size), row * size);
      at += size;
    }
  }
  return totals;
}
