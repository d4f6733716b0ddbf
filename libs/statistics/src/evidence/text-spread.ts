import { requireDomain } from '../numerics/stats-domain-error';
import { TEXT_BINS } from './evidence-counts';
import { type Contrast, type EvidenceDesign, isTiming } from './evidence-design';

/** How the texts of a family are spread over the two sides of each contrast. */
export interface TextSpread {
  /** per contrast: squared distance of the sides' shares of texts */
  readonly distances: Float64Array;
  /** per contrast: effective numbers of texts with the level and with the others */
  readonly textsWith: Float64Array;
  readonly textsWithout: Float64Array;
}

/** Sums over bins of the products of two levels' counts, by their places in the dimension. */
function crossProducts(levels: readonly number[], bins: Float64Array): number[][] {
  const products = levels.map(() => new Array<number>(levels.length).fill(0));
  for (let i = 0; i < levels.length; i++) {
    for (let j = i; j < levels.length; j++) {
      const [a, b] = [(levels[i] as number) * TEXT_BINS, (levels[j] as number) * TEXT_BINS];
      let sum = 0;
      for (let bin = 0; bin < TEXT_BINS; bin++) sum += (bins[a + bin] as number) * (bins[b + bin] as number);
      (products[i] as number[])[j] = sum;
      (products[j] as number[])[i] = sum;
    }
  }
  return products;
}

/** One text on each side. */
const FARTHEST = 2;

const effective = (n: number, squares: number): number => (squares > 0 ? (n * n) / squares : 0);

/** Adds up the bins of several campaigns, checked. */
function totalBins(width: number, campaigns: readonly ArrayLike<number>[]): Float64Array {
  const total = new Float64Array(width * TEXT_BINS);
  for (const bins of campaigns) {
    requireDomain(bins.length === total.length, 'size', 'text bins need a place per level and bin');
    for (let i = 0; i < total.length; i++) total[i] = (total[i] as number) + (bins[i] as number);
  }
  requireDomain(
    total.every((count) => Number.isSafeInteger(count) && count >= 0),
    'count',
    'messages of a bin are whole numbers >= 0',
  );
  return total;
}

/**
 * Squared distance between the texts of both sides of every contrast, over all campaigns of a family.
 *
 * Shapes: bins of the family's campaigns (width x 64 each) in, one number per contrast out.
 * @param design - whose levels the bins count
 * @param campaigns - messages per level and text bin, whole numbers; added before anything else
 * @returns sums over bins of (share with - share without)^2, and effective numbers of texts on both sides; 0 for
 * weekday and daypart, whose units are days
 * @throws StatsDomainError with code `count` or `size`
 *
 * It is 1/K + 1/K' where the sides share no text (K, K': effective numbers), and near zero where every text carries
 * both sides or each message has its own. Where a side has no text at all it is 2, one text against another.
 * Reference: statistics design, section 2.1; effective numbers: Simpson (1949), Nature 163, 688.
 * Oracle: fixtures/evidence.json.
 *
 * @example
 * textSpread(evidenceDesign([], []), []).distances.length; // 0
 */
export function textSpread(design: EvidenceDesign, campaigns: readonly ArrayLike<number>[]): TextSpread {
  const bins = totalBins(design.width, campaigns);
  const messages = Float64Array.from({ length: design.width }, (_, level) =>
    bins.subarray(level * TEXT_BINS, (level + 1) * TEXT_BINS).reduce((a, b) => a + b, 0),
  );
  const count = design.contrasts.length;
  const spread: TextSpread = {
    distances: new Float64Array(count),
    textsWith: new Float64Array(count),
    textsWithout: new Float64Array(count),
  };
  design.dimensions.forEach(({ levels, kind }, d) => {
    if (isTiming(kind)) return;
    const products = crossProducts(levels, bins);
    const place = new Map(levels.map((level, i) => [level, i]));
    const between = (a: number, b: number): number =>
      (products[place.get(a) as number] as number[])[place.get(b) as number] as number;
    for (const f of design.featuresOf[d] as readonly number[]) {
      const { contrast, without } = design.features[f] as EvidenceDesign['features'][number];
      for (const c of [contrast, ...without.map((left) => left.contrast)]) {
        setSpread(spread, c, design.contrasts[c] as Contrast, messages, between);
      }
    }
  });
  return spread;
}

function setSpread(
  { distances, textsWith, textsWithout }: TextSpread,
  at: number,
  { level, others }: Contrast,
  messages: Float64Array,
  between: (a: number, b: number) => number,
): void {
  const na = messages[level] as number;
  const aa = between(level, level);
  let nb = 0;
  let ab = 0;
  let bb = 0;
  for (const other of others) {
    nb += messages[other] as number;
    ab += between(level, other);
    for (const another of others) bb += between(other, another);
  }
  textsWith[at] = effective(na, aa);
  textsWithout[at] = effective(nb, bb);
  distances[at] = na > 0 && nb > 0 ? Math.max(0, aa / na / na - (2 * ab) / na / nb + bb / nb / nb) : FARTHEST;
}
