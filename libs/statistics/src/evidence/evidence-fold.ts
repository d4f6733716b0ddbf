import { type CampaignScores, FEATURE_SUMS } from './campaign-scores';
import { type CompanionPair, companionUnits } from './companions';
import { addGrowth } from './counted-units';
import { WINDOWS } from './effect-change';
import { headsOf } from './evidence-basis';
import { contrastsOf, type EvidenceDesign, type Feature, isTimingFeature } from './evidence-design';
import { gridAt } from './evidence-starts';
import { addWindows } from './newest-windows';
import { EVIDENCE_SUMS, noSums, setUnitSums } from './evidence-sums';
import { type EvidenceUnit, familyUnit } from './evidence-units';
import { addNumbers } from './exact-sums';
import {
  featureOfPair,
  type FoldedFamily,
  type FoldedPair,
  type FoldPlan,
  foldPlan,
  type FoldQuestions,
  lastRows,
  NO_QUESTIONS,
  SIDES,
  stratumScores,
  SUPPORT,
  supportOf,
} from './fold-parts';

/**
 * Everything that the rules ask of a company, folded over its families: a family can be added, and taken away again
 * without a trace, because sums are exact. So a judgement costs what has changed, not what there is.
 *
 * Its numbers stand in sheets by name; a sheet of zeros is as if it had never been.
 */
export class EvidenceFold {
  readonly plan: FoldPlan;
  /** By kind and fortnight: families ask for the same again and again, and a name costs more than a sum. */
  private readonly known = new Map<string, Map<number, Float64Array>>();

  /** @param questions - that the sheets answer */
  constructor(
    readonly design: EvidenceDesign,
    public questions: FoldQuestions = NO_QUESTIONS,
    readonly sheets = new Map<string, Float64Array>(),
  ) {
    this.plan = foldPlan(design);
  }

  /** Adds a family, or takes one away that had been added. */
  add(family: FoldedFamily, sign: 1 | -1 = 1): void {
    for (const campaign of family.campaigns) {
      this.addTotals(campaign, sign);
      this.addSides(campaign, sign);
    }
    const unit = familyUnit(this.design, family);
    if (unit) this.addUnit(unit, sign);
    this.answer(family, this.questions, sign);
  }

  /** The same fold with more questions, to be answered with every family that is in it. */
  asked(more: FoldQuestions): EvidenceFold {
    const { watched, changes, pairs } = this.questions;
    return new EvidenceFold(
      this.design,
      {
        watched: [...watched, ...more.watched],
        changes: [...changes, ...more.changes],
        pairs: [...pairs, ...more.pairs],
      },
      this.sheets,
    );
  }

  /** Forgets pairs that nobody asks for any more. */
  forgetPairs(isForgotten: (pair: CompanionPair) => boolean): void {
    for (const pair of this.questions.pairs.filter(isForgotten)) {
      const part = ` ${pair.code} ${pair.within} `;
      for (const name of this.sheets.keys()) {
        if (name.startsWith('inside') && name.includes(part)) this.sheets.delete(name);
      }
    }
    this.questions = { ...this.questions, pairs: this.questions.pairs.filter((pair) => !isForgotten(pair)) };
  }

  /** Features that some questions are about: `answer` looks at the texts of no others. */
  featuresAsked({ watched, changes, pairs }: FoldQuestions): Set<number> {
    const ofPairs = pairs.map((pair) => this.design.features.indexOf(featureOfPair(this.design, pair)));
    return new Set([...watched, ...changes.map(({ feature }) => feature), ...ofPairs]);
  }

  /** What a family says to some questions. */
  answer(family: FoldedFamily, { watched, changes, pairs }: FoldQuestions, sign: 1 | -1 = 1): void {
    if (watched.length + changes.length + pairs.length === 0) return;
    for (const { feature, since } of changes) {
      for (const campaign of family.campaigns) this.addSidesSince(campaign, feature, since, sign);
    }
    const unit = familyUnit(this.design, family);
    if (!unit) return;
    for (const feature of watched) this.addNewest(unit, feature, sign);
    for (const { feature, since } of changes) this.addSince(unit, feature, since, sign);
    for (const pair of pairs) this.addInside(unit, family, pair, sign);
  }

  sheet(name: string, size: number): Float64Array {
    let sheet = this.sheets.get(name);
    if (!sheet) this.sheets.set(name, (sheet = new Float64Array(size)));
    return sheet;
  }

  private sheetAt(kind: string, fortnight: number, size: number): Float64Array {
    let ofKind = this.known.get(kind);
    if (!ofKind) this.known.set(kind, (ofKind = new Map<number, Float64Array>()));
    let sheet = ofKind.get(fortnight);
    if (!sheet) ofKind.set(fortnight, (sheet = this.sheet(`${kind} ${fortnight}`, size)));
    return sheet;
  }

  private addTotals({ first, length, ...scores }: CampaignScores, sign: 1 | -1): void {
    const { width, features, contrasts } = this.design;
    const { timing } = this.plan;
    const perFeature = features.length * FEATURE_SUMS;
    for (let row = 0; row < length; row++) {
      const size = 2 * width + perFeature + 2 * timing.length;
      const sheet = this.sheetAt('total', first + row, size);
      addNumbers(sheet, scores.levelN.subarray(row * width, (row + 1) * width), 0, sign);
      addNumbers(sheet, scores.levelY.subarray(row * width, (row + 1) * width), width, sign);
      const sums = scores.featureSums.subarray(row * perFeature, (row + 1) * perFeature);
      addNumbers(sheet, sums, 2 * width, sign);
      let at = 2 * width + perFeature;
      for (const values of [scores.z, scores.v]) {
        for (const contrast of timing) {
          sheet[at] = (sheet[at] as number) + sign * (values[row * contrasts.length + contrast] as number);
          at++;
        }
      }
    }
  }

  /** A campaign counts for all starts up to its last fortnight of the kind. */
  private addSides(campaign: CampaignScores, sign: 1 | -1): void {
    this.design.features.forEach((feature, f) => {
      lastRows(this.design, campaign, feature).forEach((last, i) => {
        if (last < 0) return;
        const size = this.design.features.length * SIDES;
        const sheet = this.sheetAt('sides', gridAt(campaign.first + last), size);
        sheet[f * SIDES + i] = (sheet[f * SIDES + i] as number) + sign;
      });
    });
  }

  private addSidesSince(campaign: CampaignScores, f: number, since: number, sign: 1 | -1): void {
    const rows = lastRows(this.design, campaign, this.design.features[f] as Feature);
    rows.forEach((last, i) => {
      if (last < 0 || campaign.first + last < since) return;
      const sheet = this.sheet(`sides ${f} ${since}`, SIDES);
      sheet[i] = (sheet[i] as number) + sign;
    });
  }

  /** The whole of a unit counts for every start before it; for a start inside it, what came since. */
  private addUnit(unit: EvidenceUnit, sign: 1 | -1): void {
    const { first, length } = unit;
    const { contrasts, features } = this.plan;
    const whole = this.sheetAt('whole', gridAt(first), contrasts.length * EVIDENCE_SUMS);
    const starts = Array.from({ length }, (_, row) =>
      row > 0 && gridAt(first + row) === first + row
        ? this.sheetAt('from', first + row, contrasts.length * EVIDENCE_SUMS)
        : null,
    );
    contrasts.forEach((contrast, place) => {
      this.addFrom(unit, contrast, this.design.contrasts.length, whole, starts, place * EVIDENCE_SUMS, sign);
    });
    const growth = Array.from({ length }, (_, row) =>
      this.sheetAt('growth', first + row, features.length * EVIDENCE_SUMS),
    );
    features.forEach((f, place) => {
      const { contrast } = this.design.features[f] as Feature;
      this.addSupport(unit, contrast, place, sign);
      addGrowth(unit, contrast, this.design.contrasts.length, first, Infinity, (fortnight) => ({
        to: growth[fortnight - first] as Float64Array,
        offset: place * EVIDENCE_SUMS,
        sign,
      }));
    });
  }

  private addFrom(
    { length, z, v, distances }: EvidenceUnit,
    contrast: number,
    contrasts: number,
    whole: Float64Array,
    starts: readonly (Float64Array | null)[],
    offset: number,
    sign: 1 | -1,
  ): void {
    let [score, variance] = [0, 0];
    for (let row = length - 1; row >= 0; row--) {
      score += z[row * contrasts + contrast] as number;
      variance += v[row * contrasts + contrast] as number;
      const to = row === 0 ? whole : starts[row];
      if (!to || variance === 0) continue;
      setUnitSums(OWN, score, variance, distances[contrast] as number);
      addNumbers(to, OWN, offset, sign);
    }
  }

  private addSupport(
    { first, length, v, ...unit }: EvidenceUnit,
    contrast: number,
    place: number,
    sign: 1 | -1,
  ) {
    let last = length - 1;
    while (last >= 0 && !((v[last * this.design.contrasts.length + contrast] as number) > 0)) last--;
    if (last < 0) return;
    const size = this.plan.features.length * SUPPORT;
    const sheet = this.sheetAt('support', gridAt(first + last), size);
    addNumbers(sheet, supportOf(unit, contrast), place * SUPPORT, sign);
  }

  private addNewest(unit: EvidenceUnit, f: number, sign: 1 | -1): void {
    if (!this.plan.placeOf.has(f)) return;
    const { contrast } = this.design.features[f] as Feature;
    const kind = `newest ${f}`;
    const sheetOf = (now: number) => this.sheetAt(kind, now, WINDOWS.length * EVIDENCE_SUMS);
    addWindows(unit, contrast, this.design.contrasts.length, sheetOf, sign);
  }

  private addSince(unit: EvidenceUnit, f: number, since: number, sign: 1 | -1): void {
    const feature = this.design.features[f] as Feature;
    const { first, length, z, v, distances } = unit;
    if (!this.plan.placeOf.has(f) || first + length <= since) return;
    const contrasts = contrastsOf(feature);
    const width = this.design.contrasts.length;
    contrasts.forEach((contrast, i) => {
      let [score, variance] = [0, 0];
      for (let row = Math.max(0, since - first); row < length; row++) {
        score += z[row * width + contrast] as number;
        variance += v[row * width + contrast] as number;
      }
      if (variance === 0) return;
      const sheet = this.sheet(`since ${f} ${since}`, contrasts.length * EVIDENCE_SUMS + SUPPORT);
      setUnitSums(OWN, score, variance, distances[contrast] as number);
      addNumbers(sheet, OWN, i * EVIDENCE_SUMS, sign);
      if (i === 0) addNumbers(sheet, supportOf(unit, contrast), contrasts.length * EVIDENCE_SUMS, sign);
    });
    addGrowth(unit, feature.contrast, width, since, Infinity, (fortnight) => ({
      to: this.sheet(`growth ${f} ${since} ${fortnight}`, EVIDENCE_SUMS),
      offset: 0,
      sign,
    }));
  }

  private addInside(unit: EvidenceUnit, family: FoldedFamily, pair: FoldedPair, sign: 1 | -1): void {
    const strata = family.strata?.(pair) ?? [];
    if (strata.length === 0) return;
    const feature = featureOfPair(this.design, pair);
    const name = `${pair.code} ${pair.within}`;
    if (isTimingFeature(this.design, feature)) {
      for (const { fortnight, z, v } of stratumScores(this.design, unit, feature, strata)) {
        const sheet = this.sheet(`inside ${name} ${fortnight}`, 2);
        addNumbers(sheet, Float64Array.of(z, v), 0, sign);
      }
      return;
    }
    for (const inside of companionUnits(this.design, [unit], headsOf([family]), feature, strata)) {
      if (pair.since === null) {
        const { first, length } = inside;
        const whole = this.sheet(`inside whole ${name} ${gridAt(first)}`, EVIDENCE_SUMS);
        const starts = Array.from({ length }, (_, row) =>
          row > 0 && gridAt(first + row) === first + row
            ? this.sheet(`inside from ${name} ${first + row}`, EVIDENCE_SUMS)
            : null,
        );
        this.addFrom(inside, 0, 1, whole, starts, 0, sign);
      } else this.addInsideSince(inside, name, pair.since, sign);
    }
  }

  private addInsideSince(
    { first, length, z, v, distances }: EvidenceUnit,
    name: string,
    since: number,
    sign: 1 | -1,
  ) {
    let [score, variance] = [0, 0];
    for (let row = Math.max(0, since - first); row < length; row++) {
      score += z[row] as number;
      variance += v[row] as number;
    }
    if (variance === 0) return;
    setUnitSums(OWN, score, variance, distances[0] as number);
    addNumbers(this.sheet(`inside since ${name} ${since}`, EVIDENCE_SUMS), OWN, 0, sign);
  }
}

const OWN = noSums();
