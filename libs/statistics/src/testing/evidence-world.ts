import { evidenceDesign, type DimensionKind, type EvidenceDesign } from '../evidence';

/** How copy is written: a new text per message, texts per campaign and step, and which of them choose the features. */
export type CopyRegime = 'message' | 'template' | 'mixed' | 'campaign';

/** What a company of evidence is like; `{}` writes a new text per message, and nothing has an effect. */
export interface EvidenceWorld {
  readonly copy?: CopyRegime;
  /** send days; default 182 */
  readonly days?: number;
  /** mean messages a day; default 60 */
  readonly sendsPerDay?: number;
  /** campaigns in all, and how many run at a time; default 40 and 6 */
  readonly campaigns?: number;
  readonly running?: number;
  /** standard deviations on the logit: of campaigns, texts, recipients and days; default 0 */
  readonly campaignSd?: number;
  readonly textSd?: number;
  readonly recipientSd?: number;
  readonly daySd?: number;
  /** log odds ratio per "dimension.level", for days from `from` up to `until`; default none, always */
  readonly effects?: Readonly<Record<string, number>>;
  readonly from?: number;
  readonly until?: number;
  /** share of messages whose question follows the tone that works; default 0 */
  readonly companion?: number;
  /** texts per campaign and step; default 2 */
  readonly variants?: number;
  /** log odds ratio of the first variant, in every other campaign; default 0 */
  readonly variantEffect?: number;
  /** texts per step that all campaigns share; default 0: each campaign has its own */
  readonly library?: number;
  readonly baseRate?: number;
  /** share of messages whose text is edited beyond recognition; default .1, for mixed copy .3 */
  readonly edited?: number;
  /** share of recipients on a second channel; default 0 */
  readonly secondChannel?: number;
}

interface WorldDimension {
  readonly name: string;
  readonly kind: DimensionKind;
  /** usual shares of the levels; none where they follow from day, step or channel */
  readonly shares: readonly number[];
  readonly levels: number;
}

const FLAG: readonly number[] = [0.3, 0.7];
const THREE: readonly number[] = [0.35, 0.45, 0.2];
const FIVE: readonly number[] = [0.24, 0.2, 0.28, 0.13, 0.15];
const text = (name: string, shares: readonly number[]): WorldDimension => ({
  name,
  kind: 'text',
  shares,
  levels: shares.length,
});

/** Eighteen dimensions with 47 codes that may be claimed, then step and channel. */
export const WORLD_DIMENSIONS: readonly WorldDimension[] = [
  text('tone', FIVE),
  text('words', FIVE),
  text('subject', [0.3, 0.4, 0.2, 0.1]),
  text('question', FLAG),
  text('number', FLAG),
  text('personal', FLAG),
  text('reading', THREE),
  text('personalization', THREE),
  text('customers', FLAG),
  text('figures', FLAG),
  text('approach', FIVE),
  ...[1, 2, 3, 4, 5].map((phrase) => text(`phrase${phrase}`, FLAG)),
  { name: 'daypart', kind: 'daypart', shares: [0.2, 0.2, 0.2, 0.2, 0.2], levels: 5 },
  { name: 'weekday', kind: 'weekday', shares: [], levels: 7 },
  { name: 'step', kind: 'step', shares: [], levels: 3 },
  { name: 'channel', kind: 'channel', shares: [], levels: 2 },
];

/** Dimensions before this one belong to the text. */
export const TEXT_DIMENSIONS = 16;

/** Index of each dimension's first level in the count arrays. */
export const WORLD_OFFSETS: readonly number[] = WORLD_DIMENSIONS.map((_, d) =>
  WORLD_DIMENSIONS.slice(0, d).reduce((sum, { levels }) => sum + levels, 0),
);

/**
 * The design of a generated company: every level has a code, `with` alone in dimensions of two.
 *
 * @example
 * worldDesign().codes.length; // 52
 */
export function worldDesign(): EvidenceDesign {
  const dimensions = WORLD_DIMENSIONS.map(({ name, kind, levels }, d) => ({
    name,
    kind,
    levels: Array.from({ length: levels }, (_, l) => (WORLD_OFFSETS[d] as number) + l),
  }));
  const codes = dimensions.flatMap(({ name, kind, levels }) =>
    levels
      .filter((_, l) => levels.length > 2 || kind === 'channel' || l === 0)
      .map((level, l) => ({ code: `${name}.${l}`, dimension: name, level })),
  );
  return evidenceDesign(dimensions, codes);
}

/** Index of "dimension.level" in the count arrays. */
export function worldLevel(key: string): number {
  const [name, level] = key.split('.') as [string, string];
  return (WORLD_OFFSETS[WORLD_DIMENSIONS.findIndex((d) => d.name === name)] as number) + Number(level);
}
