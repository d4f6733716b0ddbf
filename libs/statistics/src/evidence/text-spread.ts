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

/** Sums over bins of the products of two levels' counts, place times levels plus place. */
function crossProducts(levels: readonly number[], messages: Float64Array, bins: Float64Array): Float64Array {
  const products = new Float64Array(levels.length * levels.length);
  for (let i = 0; i < levels.length; i++) {
    if (messages[levels[i] as number] === 0) continue;
    for (let j = i; j < levels.length; j++) {
      if (messages[levels[j] as number] === 0) continue;
      const [a, b] = [(levels[i] as number) * TEXT_BINS, (levels[j] as number) * TEXT_BINS];
      let sum = 0;
      for (let bin = 0; bin < TEXT_BINS; bin++) sum += (bins[a + bin] as number) * (bins[b + bin] as number);
      products[i * levels.length + j] = sum;
      products[j * levels.length + i] = sum;
    }
  }
  return products;
}

/** One text on each side. */
const FARTHEST = 2;

const effective = (n: number, squares: number): number => (squares > 0 ? (n * n) / squares : 0);

/** Adds up the bins of several campaigns, checked; those of a single one are taken as they are. */
function totalBins(width: number, campaigns: readonly ArrayLike<number>[]): Float64Array {
  const size = width * TEXT_BINS;
  const [only] = campaigns;
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
  const messages = messagesOf(design.width, bins);
  const count = design.contrasts.length;
  const spread: TextSpread = {
    distances: new Float64Array(count),
    textsWith: new Float64Array(count),
    textsWithout: new Float64Array(count),
  };
  design.dimensions.forEach(({ levels, kind }, d) => {
    if (isTiming(kind)) return;
    const products = crossProducts(levels, messages, bins);
    const between = (a: number, b: number): number =>
      products[levels.indexOf(a) * levels.length + levels.indexOf(b)] as number;
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
    if (messages[other] === 0) continue;
    nb += messages[other] as number;
    ab += between(level, other);
    for (const another of others) if (messages[another] !== 0) bb += between(other, another);
  }
  textsWith[at] = effective(na, aa);
  textsWithout[at] = effective(nb, bb);
  distances[at] = na > 0 && nb > 0 ? Math.max(0, aa / na / na - (2 * ab) / na / nb + bb / nb / nb) : FARTHEST;
}
