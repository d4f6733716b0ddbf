import { POSITIONS, type RateEstimate, type RecipientAnalysis } from '@outcomes/contracts';
import { decimals } from '../documents/rounding';
import type { GroupCounts } from '../rates/rate-estimates';
import { emptyRecipientParts } from './empty-recipient-parts';
import { recipientCharts } from './recipient-charts';
import {
  correlationInsights,
  differedBefore,
  generalInsight,
  positionInsights,
  segmentInsights,
  type TodaysRates,
} from './recipient-insights';
import type { RecipientSegments } from './recipient-segments';
import type { Responders } from './responder.repository';
import type { DescribedSegment } from './segment-texts';

/** Fewer profiled recipients than this say too little of a position, and could point at persons. */
const MIN_PROFILED_PER_POSITION = 3;
/** From here on the profiles as a whole count as enough to read something from them. */
const SUFFICIENT_PROFILES = 30;
const MANY_PROFILES = 100;

export interface RecipientInputs {
  readonly responders: readonly Responders[];
  /** per position of POSITIONS, over all messages sent: profiles hold responders only, so no rate rests on them */
  readonly counts: readonly GroupCounts[];
  readonly today: TodaysRates;
  readonly segments: RecipientSegments;
  /** The same segments in wire form. */
  readonly described: readonly DescribedSegment[];
  readonly updated: string;
}

/** Who answers: `data` of GET /patterns/recipients. */
export function recipientAnalysis({
  responders,
  counts,
  today,
  segments,
  described,
  updated,
}: RecipientInputs): RecipientAnalysis {
  const total = sumOf(responders, ({ people }) => people);
  const confident = sumOf(responders, (group) => group.confident);
  const breakdown = positionBreakdown(responders, counts, today.rates, total);
  const positions = positionInsights(today);
  const insights = [
    ...segmentInsights(described),
    ...positions,
    ...correlationInsights(segments),
    ...generalInsight(responders, today),
  ];
  const reasons = emptyRecipientParts({
    messages: sumOf(counts, ({ messages }) => messages),
    profiled: total,
    segments: described.length,
    compared: segments.compared,
    insights: insights.length,
    positions: breakdown.length,
    withheldSince: positions.length === 0 && differedBefore(counts, today) ? today.changed : null,
  });
  const significant = [
    ...(positions.length > 0 ? ['position'] : []),
    ...new Set(segments.differences.map(({ test }) => test.dimension)),
  ];
  return {
    overview: {
      total_profiled: total,
      high_confidence_count: confident,
      segments_count: described.length,
      last_updated: total > 0 ? updated : null,
      has_sufficient_data: total >= SUFFICIENT_PROFILES,
    },
    segments: described,
    insights,
    position_breakdown: breakdown,
    validation: {
      has_significant_patterns: significant.length > 0,
      significant_dimensions: significant,
      overall_confidence: total >= MANY_PROFILES ? 'high' : total >= SUFFICIENT_PROFILES ? 'medium' : 'low',
    },
    charts: recipientCharts(breakdown, { high: confident, other: total - confident }, described),
    ...(reasons && { reasons }),
  };
}

/** The same findings, and positions with their rates, for the recipient_profiling chunk; undefined while nobody has answered. */
export function recipientProfiling({
  responders,
  counts,
  today,
  described,
  insights,
}: Pick<RecipientInputs, 'responders' | 'counts' | 'today' | 'described'> & {
  readonly insights: RecipientAnalysis['insights'];
}) {
  if (responders.length === 0) return undefined;
  return {
    insights,
    segments: described,
    positions: POSITIONS.flatMap((position, index) => {
      const count = counts[index];
      if (count === undefined || count.messages === 0) return [];
      const group = responders.find((candidate) => candidate.position === position);
      return [
        {
          position,
          messages: count.messages,
          replies: count.replies,
          reply_rate: today.rates[index],
          profiled: group?.people ?? 0,
        },
      ];
    }),
  };
}

function positionBreakdown(
  responders: readonly Responders[],
  counts: readonly GroupCounts[],
  rates: readonly RateEstimate[],
  total: number,
) {
  return responders
    .filter(({ position, people }) => position !== 'unknown' && people >= MIN_PROFILED_PER_POSITION)
    .map(({ position, people, responses, confidence }) => ({
      position,
      count: people,
      avg_confidence: decimals(confidence, 2),
      total_responses: responses,
      percentage: decimals((100 * people) / total, 1),
      messages: counts[POSITIONS.indexOf(position)]?.messages ?? 0,
      reply_rate: rates[POSITIONS.indexOf(position)] ?? null,
    }))
    .sort((a, b) => b.count - a.count || (a.position < b.position ? -1 : 1));
}

function sumOf<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}
