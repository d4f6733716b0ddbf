import { requireDomain } from '../numerics/stats-domain-error';
import { tableVariance } from './contrast-score';
import {
  type EvidenceCounts,
  type DroppedPart,
  type EvidenceCell,
  mergeCells,
  type MergedCell,
} from './evidence-counts';
import { type DimensionKind, type EvidenceDesign, type Feature } from './evidence-design';
import { makeExact } from './exact-sums';

/** Numbers per feature and fortnight: the two sums of Mantel and Haenszel, and the messages in cells that compare. */
export const FEATURE_SUMS = 3;

/** What a campaign's cells say about every contrast, fortnight by fortnight. Depends on nothing but the campaign. */
export interface CampaignScores {
  readonly campaign: number;
  /** first fortnight, and how many there are from it to the last; 0 for a campaign without messages */
  readonly first: number;
  readonly length: number;
  /** scores and variances, fortnight * contrasts + contrast */
  readonly z: Float64Array;
  readonly v: Float64Array;
  /** FEATURE_SUMS numbers per fortnight and feature */
  readonly featureSums: Float64Array;
  /** messages and replies per level, fortnight * width + level; of a channel's levels first touches only */
  readonly levelN: Float64Array;
  readonly levelY: Float64Array;
}

const droppedBy = (kind: DimensionKind): DroppedPart => (kind === 'channel' || kind === 'step' ? kind : null);

/** The dimensions of a design by the way in which their cells are formed. */
function cellGroups(
  design: EvidenceDesign,
  cells: readonly EvidenceCell[],
): { readonly dimensions: readonly number[]; readonly cells: readonly MergedCell[] }[] {
  const parts: readonly DroppedPart[] = [null, 'channel', 'step'];
  return parts.flatMap((dropped) => {
    const dimensions = design.dimensions.flatMap(({ kind }, d) => (droppedBy(kind) === dropped ? [d] : []));
    if (dimensions.length === 0) return [];
    const counted = dropped === 'channel' ? cells.filter(({ step }) => step === design.firstStep) : cells;
    return [{ dimensions, cells: mergeCells(counted, design.width, dropped) }];
  });
}

function addTo(sums: Float64Array, at: number, by: number): void {
  sums[at] = (sums[at] as number) + by;
}

/** Adds the tables of one feature in one cell to the campaign's scores. */
function addFeature(
  scores: CampaignScores,
  row: number,
  contrasts: number,
  feature: Feature,
  sums: number,
  { counts, levelN, levelY }: MergedCell,
  totalN: number,
  totalY: number,
): void {
  const na = counts[levelN + feature.level] as number;
  const nb = totalN - na;
  if (na === 0 || nb === 0) return;
  addTo(scores.featureSums, sums + 2, totalN);
  if (totalY === 0) return;
  const ya = counts[levelY + feature.level] as number;
  const yb = totalY - ya;
  addTo(scores.featureSums, sums, (ya * (nb - yb)) / totalN);
  addTo(scores.featureSums, sums + 1, (yb * (na - ya)) / totalN);
  addScore(scores, row * contrasts + feature.contrast, na, ya, nb, yb);
  for (const { level, contrast } of feature.without) {
    const restN = nb - (counts[levelN + level] as number);
    addScore(scores, row * contrasts + contrast, na, ya, restN, yb - (counts[levelY + level] as number));
  }
}

function addScore(
  { z, v }: CampaignScores,
  at: number,
  na: number,
  ya: number,
  nb: number,
  yb: number,
): void {
  const variance = tableVariance(na, ya, nb, yb);
  if (variance === 0) return;
  addTo(z, at, ya - (na * (ya + yb)) / (na + nb));
  addTo(v, at, variance);
}

function addCell(
  design: EvidenceDesign,
  scores: CampaignScores,
  cell: MergedCell,
  dimensions: readonly number[],
): void {
  const row = cell.fortnight - scores.first;
  for (const d of dimensions) {
    let totalN = 0;
    let totalY = 0;
    for (const level of (design.dimensions[d] as EvidenceDesign['dimensions'][number]).levels) {
      const n = cell.counts[cell.levelN + level] as number;
      const y = cell.counts[cell.levelY + level] as number;
      if (n === 0 && y === 0) continue;
      totalN += n;
      totalY += y;
      addTo(scores.levelN, row * design.width + level, n);
      addTo(scores.levelY, row * design.width + level, y);
    }
    requireDomain(totalN <= cell.n && totalY <= cell.y, 'count', 'levels of a dimension exclude each other');
    for (const f of design.featuresOf[d] as readonly number[]) {
      const sums = (row * design.features.length + f) * FEATURE_SUMS;
      const feature = design.features[f] as Feature;
      addFeature(scores, row, design.contrasts.length, feature, sums, cell, totalN, totalY);
    }
  }
}

/** Arrays over one memory: of thousands of campaigns each piece would have to be found and given back. */
function parts(room: number): (size: number) => Float64Array {
  const whole = new Float64Array(room);
  let from = 0;
  return (size) => whole.subarray(from, (from += size));
}

/**
 * Scores of all contrasts of one campaign, per fortnight: what a caller may keep until the campaign's counts change.
 *
 * Shapes: a campaign of any number of cells in, arrays of fortnights x contrasts out.
 * @param design - whose levels the cells count
 * @param counts - whole numbers; cells of the same key are added first, and each sum needs 0 <= replies <= messages
 * @returns sums over the campaign's cells; the same bytes in whatever order the cells come
 * @throws StatsDomainError with code `count`, `range` or `size`
 *
 * Reference: statistics design, section 2.1. Oracle: fixtures/evidence.json.
 *
 * @example
 * scoreCampaign(evidenceDesign([], []), { campaign: 0, cells: [], bins: [], texts: { ids: [], n: [] } }).length; // 0
 */
export function scoreCampaign(
  design: EvidenceDesign,
  counts: Pick<EvidenceCounts, 'campaign' | 'cells'>,
): CampaignScores {
  const { campaign, cells } = counts;
  requireDomain(
    Number.isSafeInteger(campaign) && campaign >= 0,
    'range',
    'campaigns are numbered from zero upwards',
  );
  const groups = cellGroups(design, cells);
  const fortnights = groups.flatMap((group) => group.cells.map(({ fortnight }) => fortnight));
  const first = fortnights.reduce((a, b) => Math.min(a, b), Infinity);
  const length = fortnights.length === 0 ? 0 : 1 + fortnights.reduce((a, b) => Math.max(a, b)) - first;
  const [ofContrasts, ofFeatures] = [
    length * design.contrasts.length,
    length * design.features.length * FEATURE_SUMS,
  ];
  const ofLevels = length * design.width;
  const next = parts(2 * ofContrasts + ofFeatures + 2 * ofLevels);
  const scores: CampaignScores = {
    campaign,
    first: length === 0 ? 0 : first,
    length,
    z: next(ofContrasts),
    v: next(ofContrasts),
    featureSums: next(ofFeatures),
    levelN: next(ofLevels),
    levelY: next(ofLevels),
  };
  for (const group of groups) {
    for (const cell of group.cells) addCell(design, scores, cell, group.dimensions);
  }
  for (const sums of [scores.z, scores.v, scores.featureSums]) makeExact(sums);
  return scores;
}
