import {
  dimensionOf,
  DIMENSIONS,
  levelIndex,
  levelIndexesOf,
  type AnalysisRecord,
  type DimensionName,
  type PatternRecord,
  type RateEstimate,
} from '@outcomes/contracts';
import { levelLabel, patternOfLevel } from '../patterns/level-label';
import { pooledRates, type GroupCounts } from '../rates/rate-estimates';
import { rounded } from './rounding';

/** One level of a dimension, as an analysis record shows it. */
export interface LevelAnalysis {
  readonly level: string;
  readonly label: string;
  /** Pattern code whose mark this level is; null where the level is only the other side. */
  readonly code: string | null;
  readonly messages: number;
  readonly replies: number;
  /** Share of the dimension's messages. */
  readonly share: number;
  readonly reply_rate: RateEstimate;
}

export interface DimensionAnalysis {
  readonly total_messages: number;
  readonly total_replies: number;
  readonly levels: readonly LevelAnalysis[];
}

/** What the records of a run are made from. */
export interface LevelData {
  /** per level of LEVELS */
  readonly counts: readonly GroupCounts[];
  readonly rates: readonly RateEstimate[];
}

/** Reply rates per level, each pooled with the other levels of its dimension. */
export function levelRates(counts: readonly GroupCounts[]): RateEstimate[] {
  return DIMENSIONS.flatMap(({ name }) =>
    pooledRates(
      levelIndexesOf(name).map(
        (index) => counts[index] ?? { messages: 0, replies: 0, settled: 0, answered: 0 },
      ),
    ),
  );
}

/** @returns undefined where no message could be judged by this dimension */
export function dimensionAnalysis(
  name: DimensionName,
  { counts, rates }: LevelData,
): DimensionAnalysis | undefined {
  const levels = dimensionOf(name).levels.map((level) => ({ level, index: levelIndex(name, level) }));
  const total = (field: 'messages' | 'replies') =>
    levels.reduce((sum, { index }) => sum + (counts[index]?.[field] ?? 0), 0);
  const messages = total('messages');
  if (messages === 0) return undefined;
  return {
    total_messages: messages,
    total_replies: total('replies'),
    levels: levels.flatMap(({ level, index }) => {
      const count = counts[index];
      const rate = rates[index];
      if (count === undefined || rate === undefined) return [];
      return [
        {
          level,
          label: levelLabel(name, level),
          code: patternOfLevel(name, level)?.code ?? null,
          messages: count.messages,
          replies: count.replies,
          share: rounded(count.messages / messages),
          reply_rate: rate,
        },
      ];
    }),
  };
}

/** Those of the records that speak of the given dimensions, in the form in which analysis records carry them. */
export function recommendationsOn(
  records: readonly PatternRecord[],
  belongs: (code: string) => boolean,
): AnalysisRecord['data']['recommendations'] {
  return records
    .filter((record) => belongs(record.code))
    .map(({ companyId: _company, updated: _updated, ...recommendation }) => recommendation);
}
