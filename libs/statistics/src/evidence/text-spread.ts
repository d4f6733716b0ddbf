import { requireDomain } from '../numerics/stats-domain-error';
import { TEXT_BINS, waysOf } from './evidence-counts';
import { type EvidenceDesign, isTiming } from './evidence-design';

/** How the texts of a family are spread over the two sides of each contrast. */
export interface TextSpread {
  /** per contrast: squared distance of the sides' shares of texts */
  readonly distances: Float64Array;
  /** per contrast: effective numbers of texts with the level and with the others */
  readonly textsWith: Float64Array;
  readonly textsWithout: Float64Array;
}

/**
 * Sums over bins of the products of a dimension's levels. Counts are whole numbers and so are these sums, below 2^53:
 * they are exact, and those of any part of the levels are what is left of those of all.
 */
interface CrossProducts {
  /** by place of both levels in the dimension: place * levels + place */
  readonly products: Float64Array;
  /** per place: with all levels of the dimension */
  readonly withAll: Float64Array;
  /** of all levels with all */
  readonly ofAll: number;
  /** messages of all levels */
  readonly messages: number;
}

function crossProducts(levels: readonly number[], messages: Float64Array, bins: Float64Array): CrossProducts {
  const size = levels.length;
  const products = new Float64Array(size * size);
  const withAll = new Float64Array(size);
  let [ofAll, total] = [0, 0];
  for (let i = 0; i < size; i++) {
    const own = messages[levels[i] as number] as number;
    total += own;
    if (own === 0) continue;
    for (let j = i; j < size; j++) {
      if (messages[levels[j] as number] === 0) continue;
      const [a, b] = [(levels[i] as number) * TEXT_BINS, (levels[j] as number) * TEXT_BINS];
      let sum = 0;
      for (let bin = 0; bin < TEXT_BINS; bin++) sum += (bins[a + bin] as number) * (bins[b + bin] as number);
      products[i * size + j] = sum;
      products[j * size + i] = sum;
    }
  }
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) withAll[i] = (withAll[i] as number) + (products[i * size + j] as number);
    ofAll += withAll[i] as number;
  }
  return { products, withAll, ofAll, messages: total };
}

/** One text on each side. */
const FARTHEST = 2;

const effective = (n: number, squares: number): number => (squares > 0 ? (n * n) / squares : 0);

/** Adds up the bins of several campaigns, checked; those of a single one are taken as they are. */
function totalBins(width: number, campaigns: readonly ArrayLike<number>[]): Float64Array {
  const [only] = campaigns;
  const size = width * TEXT_BINS * (only ? waysOf(width, only) : 1);
  const isAlone = campaigns.length === 1 && only instanceof Float64Array;
  const total = isAlone ? only : new Float64Array(size);
  for (const bins of campaigns) {
    requireDomain(bins.length === size, 'size', 'text bins need a place per level and bin');
    if (isAlone) continue;
    for (let i = 0; i < size; i++) total[i] = (total[i] as number) + (bins[i] as number);
  }
  for (let i = 0; i < size; i++) {
    const count = total[i] as number;
    if (count !== 0 && !(Number.isSafeInteger(count) && count > 0))
      requireDomain(false, 'count', 'messages of a bin are whole numbers >= 0');
  }
  return total;
}

function messagesOf(width: number, bins: Float64Array): Float64Array {
  const messages = new Float64Array(width);
  for (let level = 0; level < width; level++) {
    let sum = 0;
    for (let bin = 0; bin < TEXT_BINS; bin++) sum += bins[level * TEXT_BINS + bin] as number;
    messages[level] = sum;
  }
  return messages;
}

/**
 * Squared distance between the texts of both sides of every contrast, over all campaigns of a family.
 *
 * Shapes: bins of the family's campaigns (ways x width x 64 each) in, one number per contrast out.
 * @param design - whose levels the bins count
 * @param campaigns - messages per level and text bin, whole numbers; added before anything else
 * @param wanted - features whose contrasts are asked for; those of others stay 0. Default all
 * @returns sums over bins of (share with - share without)^2, and effective numbers of texts on both sides; 0 for
 * weekday and daypart, whose units are days
 * @throws StatsDomainError with code `count` or `size`
 *
 * It is 1/K + 1/K' where the sides share no text (K, K': effective numbers), and near zero where every text carries
 * both sides or each message has its own. Where a side has no text at all it is 2, one text against another.
 *
 * Where texts are told apart in several ways, a contrast has the numbers of the way in which its sides are farthest apart: a
 * subject line that is sent with one body is one draw however the body is spread, and the other way about. Taken by their
 * bodies alone, two subject lines under one body are one text that carries both sides, and every reply speaks for itself.
 * Reference: statistics design, section 2.1; effective numbers: Simpson (1949), Nature 163, 688.
 * Oracle: fixtures/evidence.json.
 *
 * @example
 * textSpread(evidenceDesign([], []), []).distances.length; // 0
 */
export function textSpread(
  design: EvidenceDesign,
  campaigns: readonly ArrayLike<number>[],
  wanted?: ReadonlySet<number>,
): TextSpread {
  const bins = totalBins(design.width, campaigns);
  const block = design.width * TEXT_BINS;
  const spread = spreadOf(design, bins.subarray(0, block), wanted);
  for (let at = block; at < bins.length; at += block)
    takeFarther(spread, spreadOf(design, bins.subarray(at, at + block), wanted));
  return spread;
}

/** Replaces the numbers of contrasts whose sides are farther apart in another way of telling texts apart. */
function takeFarther(spread: TextSpread, other: TextSpread): void {
  other.distances.forEach((distance, contrast) => {
    if (distance <= (spread.distances[contrast] as number)) return;
    spread.distances[contrast] = distance;
    spread.textsWith[contrast] = other.textsWith[contrast] as number;
    spread.textsWithout[contrast] = other.textsWithout[contrast] as number;
  });
}

function spreadOf(
  design: EvidenceDesign,
  bins: Float64Array,
  wanted: ReadonlySet<number> | undefined,
): TextSpread {
  const messages = messagesOf(design.width, bins);
  const count = design.contrasts.length;
  const spread: TextSpread = {
    distances: new Float64Array(count),
    textsWith: new Float64Array(count),
    textsWithout: new Float64Array(count),
  };
  design.dimensions.forEach(({ levels, kind }, d) => {
    if (isTiming(kind)) return;
    const features = (design.featuresOf[d] as readonly number[]).filter((f) => wanted?.has(f) ?? true);
    if (features.length === 0) return;
    const products = crossProducts(levels, messages, bins);
    for (const f of features) {
      const { level, contrast, without } = design.features[f] as EvidenceDesign['features'][number];
      const place = levels.indexOf(level);
      const own = messages[level] as number;
      setSpread(spread, contrast, products, place, -1, own, 0);
      for (const left of without)
        setSpread(
          spread,
          left.contrast,
          products,
          place,
          levels.indexOf(left.level),
          own,
          messages[left.level] as number,
        );
    }
  });
  return spread;
}

/**
 * Sets what a contrast's sides have in common: a level against all others of its dimension, or all but one.
 *
 * @param place - of the level in its dimension
 * @param left - place of the level that is left out, or -1
 * @param na - messages of the level
 * @param leftN - messages of the level that is left out
 */
function setSpread(
  { distances, textsWith, textsWithout }: TextSpread,
  at: number,
  { products, withAll, ofAll, messages }: CrossProducts,
  place: number,
  left: number,
  na: number,
  leftN: number,
): void {
  const size = withAll.length;
  const aa = products[place * size + place] as number;
  const nb = messages - na - leftN;
  let ab = (withAll[place] as number) - aa;
  let bb = ofAll - 2 * (withAll[place] as number) + aa;
  if (left >= 0) {
    const shared = products[place * size + left] as number;
    ab -= shared;
    bb -= 2 * ((withAll[left] as number) - shared) - (products[left * size + left] as number);
  }
  textsWith[at] = effective(na, aa);
  textsWithout[at] = effective(nb, bb);
  distances[at] = na > 0 && nb > 0 ? Math.max(0, aa / na / na - (2 * ab) / na / nb + bb / nb / nb) : FARTHEST;
}
