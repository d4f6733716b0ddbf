import {
  POSITIONS,
  type DimensionName,
  type RateEstimate,
  type RecipientAnalysis,
} from '@outcomes/contracts';
import { chiSquareSurvival, FALSE_CLAIM } from '@outcomes/statistics';
import { countedText, countText, percentText, positionText } from '../documents/phrasing';
import { dimensionLabel } from '../patterns/level-label';
import { pooledRates, type GroupCounts } from '../rates/rate-estimates';
import type { RecipientSegments } from './recipient-segments';
import type { Responders } from './responder.repository';
import type { DescribedSegment } from './segment-texts';

type Insight = RecipientAnalysis['insights'][number];

/** What was sent since replies last changed: what is said of today's replies rests on these alone. */
export interface TodaysRates {
  /** Per position of POSITIONS. */
  readonly counts: readonly GroupCounts[];
  readonly rates: readonly RateEstimate[];
  /** Which channels changed when; null where none has. */
  readonly changed: string | null;
}

/** How many people have answered, and how often: said wherever anybody has. */
export function generalInsight(
  responders: readonly Responders[],
  { counts, changed }: Pick<TodaysRates, 'counts' | 'changed'>,
): Insight[] {
  const people = responders.reduce((sum, group) => sum + group.people, 0);
  if (people === 0) return [];
  const rate = overallRate(counts);
  return [
    {
      type: 'general',
      title: `${countedText(people, 'recipient')} ${people === 1 ? 'has' : 'have'} answered`,
      description: `${answeredText(rate, 'all recipients')}${sinceText(changed)}.`,
      confidence: confidenceOf(rate.n),
      icon: 'users',
      actionable: true,
      sample_size: rate.n,
    },
  ];
}

/**
 * Positions whose interval leaves out the reply rate of all messages, both since replies last changed: what was true
 * before is no advice for today. Nothing is said where all positions together might well be alike: of ten intervals one
 * or the other misses by chance.
 */
export function positionInsights({ counts, rates, changed }: TodaysRates): Insight[] {
  const overall = overallRate(counts).value;
  if (overall === null || !positionsDiffer(counts)) return [];
  return POSITIONS.flatMap((position, index) => {
    const rate = rates[index];
    if (position === 'unknown' || rate?.value == null || rate.ci_low === null || rate.ci_high === null)
      return [];
    if (rate.ci_low <= overall && overall <= rate.ci_high) return [];
    const more = rate.ci_low > overall;
    return [
      {
        type: 'position_pattern',
        title: `Position ${positionText(position)}: ${more ? 'more' : 'fewer'} replies than average`,
        description:
          `${answeredText(rate, 'this position')},` +
          ` against an estimated ${percentText(overall)} of all messages${sinceText(changed)}.`,
        confidence: confidenceOf(rate.n),
        icon: more ? 'trending-up' : 'trending-down',
        actionable: true,
        sample_size: rate.n,
      },
    ];
  });
}

/** Whether the whole history says something of positions that what was sent since the last change does not bear out. */
export function differedBefore(all: readonly GroupCounts[], { changed }: TodaysRates): boolean {
  return changed !== null && positionInsights({ counts: all, rates: pooledRates(all), changed }).length > 0;
}

/** One per segment. */
export function segmentInsights(segments: readonly DescribedSegment[]): Insight[] {
  return segments.map(({ name, size, key_insights, confidence_level }) => ({
    type: 'segment_pattern',
    title: `A segment of its own. ${name}`,
    description: key_insights.join(' '),
    confidence: confidence_level,
    icon: 'layers',
    actionable: true,
    sample_size: size,
  }));
}

/** What recipients' industry or position has to do with the messages they answer. */
export function correlationInsights({ differences }: RecipientSegments): Insight[] {
  return differences.map(({ attribute, test }) => {
    const dimension = dimensionLabel(test.dimension as DimensionName);
    return {
      type: 'correlation',
      title: `${dimension} and ${attribute} go together`,
      description:
        `What recipients answer to differs by their ${attribute}: ${dimension.toLowerCase()}` +
        ` (p ${pText(test.pValue)}, compared within campaign, channel and step).`,
      confidence: test.pValue < FALSE_CLAIM / 1_000 ? 'high' : 'medium',
      icon: 'git-compare',
      actionable: true,
      sample_size: 0,
    };
  });
}

/** Whether the reply rates of positions differ at all, by the chi-square of observed against common rates. */
function positionsDiffer(counts: readonly GroupCounts[]): boolean {
  const settled = counts.map((count) => Math.max(count.settled, count.answered));
  const replies = counts.reduce((sum, count) => sum + count.answered, 0);
  const rate = replies / settled.reduce((a, b) => a + b, 0);
  const told = counts
    .map((count, index) => ({ replies: count.answered, n: settled[index] ?? 0 }))
    .filter(({ n }) => n * rate * (1 - rate) >= 1);
  if (told.length < 2) return false;
  const statistic = told.reduce(
    (sum, { replies: y, n }) => sum + (y - n * rate) ** 2 / (n * rate * (1 - rate)),
    0,
  );
  return chiSquareSurvival(statistic, told.length - 1) < FALSE_CLAIM;
}

function overallRate(counts: readonly GroupCounts[]): RateEstimate {
  const total = (field: keyof GroupCounts) => counts.reduce((sum, count) => sum + count[field], 0);
  const everybody = {
    ...{ messages: total('messages'), settled: total('settled') },
    ...{ replies: total('replies'), answered: total('answered') },
  };
  return pooledRates([everybody])[0] ?? { value: null, ci_low: null, ci_high: null, n: 0 };
}

const sinceText = (changed: string | null) =>
  changed === null ? '' : `, since replies last changed (${changed})`;
const confidenceOf = (messages: number) => (messages >= 300 ? 'high' : 'medium');
const pText = (p: number) => (p < 0.0001 ? 'below 0.0001' : p.toFixed(4));

/** Rates are shrunk towards one another, so that none is a share that could be counted. */
function answeredText({ value, ci_low, ci_high, n }: RateEstimate, whom: string): string {
  if (value === null || ci_low === null || ci_high === null)
    return n === 0
      ? `None of 0 messages to ${whom} are answered`
      : `How many messages to ${whom} are answered cannot be told yet: all ${countText(n)} are too young`;
  return (
    `An estimated ${percentText(value)} of messages to ${whom} are answered` +
    ` (95% interval: ${percentText(ci_low)} to ${percentText(ci_high)}, from ${countedText(n, 'message')})`
  );
}
