import { POSITIONS, type Position, type RateEstimate, type RecipientAnalysis } from '@outcomes/contracts';
import { countText, levelText, percentText } from '../documents/phrasing';
import { decimals } from '../documents/rounding';
import { pooledRates, type GroupCounts } from '../rates/rate-estimates';
import { recipientCharts } from './recipient-charts';
import type { Responders } from './responder.repository';

/** Fewer profiled recipients than this say too little of a position, and could point at persons. */
const MIN_PROFILED_PER_POSITION = 3;
/** From here on the profiles as a whole count as enough to read something from them. */
const SUFFICIENT_PROFILES = 30;
const MANY_PROFILES = 100;

export interface RecipientInputs {
  readonly responders: readonly Responders[];
  /** per position of POSITIONS, over all messages sent: profiles hold responders only, so no rate rests on them */
  readonly counts: readonly GroupCounts[];
  readonly rates: readonly RateEstimate[];
  readonly updated: string;
}

/** Who answers: `data` of GET /patterns/recipients. */
export function recipientAnalysis({
  responders,
  counts,
  rates,
  updated,
}: RecipientInputs): RecipientAnalysis {
  const total = sumOf(responders, ({ people }) => people);
  const confident = sumOf(responders, (group) => group.confident);
  const breakdown = positionBreakdown(responders, counts, rates, total);
  const insights = positionInsights(counts, rates);
  return {
    overview: {
      total_profiled: total,
      high_confidence_count: confident,
      segments_count: 0,
      last_updated: total > 0 ? updated : null,
      has_sufficient_data: total >= SUFFICIENT_PROFILES,
    },
    segments: [],
    insights,
    position_breakdown: breakdown,
    validation: {
      has_significant_patterns: insights.length > 0,
      significant_dimensions: insights.length > 0 ? ['position'] : [],
      overall_confidence: total >= MANY_PROFILES ? 'high' : total >= SUFFICIENT_PROFILES ? 'medium' : 'low',
    },
    charts: recipientCharts(breakdown, { high: confident, other: total - confident }, []),
  };
}

/** The same positions with their rates, for the recipient_profiling chunk; undefined while nobody has answered. */
export function positionAnalyses({ responders, counts, rates }: Omit<RecipientInputs, 'updated'>) {
  if (responders.length === 0) return undefined;
  return {
    positions: POSITIONS.flatMap((position, index) => {
      const count = counts[index];
      if (count === undefined || count.messages === 0) return [];
      const group = responders.find((candidate) => candidate.position === position);
      return [
        {
          position,
          messages: count.messages,
          replies: count.replies,
          reply_rate: rates[index],
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

/** Positions whose interval leaves out the reply rate of all messages. Nothing to say where all went to one. */
function positionInsights(
  counts: readonly GroupCounts[],
  rates: readonly RateEstimate[],
): RecipientAnalysis['insights'] {
  const total = (field: keyof GroupCounts) => sumOf(counts, (count) => count[field]);
  const everybody = { messages: total('messages'), settled: total('settled'), replies: total('replies') };
  const overall = pooledRates([everybody])[0]?.value;
  if (overall == null || rates.filter(({ n }) => n > 0).length < 2) return [];
  return POSITIONS.flatMap((position, index) => {
    const rate = rates[index];
    if (position === 'unknown' || rate?.value == null || rate.ci_low === null || rate.ci_high === null)
      return [];
    if (rate.ci_low <= overall && overall <= rate.ci_high) return [];
    return [insight(position, rate, rate.ci_low > overall, overall)];
  });
}

function insight(position: Position, rate: RateEstimate, more: boolean, overall: number) {
  const name = levelText(position);
  const interval = `${percentText(rate.ci_low ?? 0)} to ${percentText(rate.ci_high ?? 1)}`;
  return {
    type: 'position_pattern',
    title: `Position ${name}: ${more ? 'more' : 'fewer'} replies than average`,
    description:
      `${percentText(rate.value ?? 0)} of ${countText(rate.n)} messages to this position are answered` +
      ` (95% interval: ${interval}), against ${percentText(overall)} of all messages.`,
    confidence: rate.n >= 300 ? 'high' : 'medium',
    icon: more ? 'trending-up' : 'trending-down',
    actionable: true,
    sample_size: rate.n,
  };
}

function sumOf<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}
