import {
  analysisKeyOf,
  METRICS,
  type AnalysisRecord,
  type AnalysisSummary,
  type DimensionName,
  type MetricName,
  type PatternRecord,
} from '@outcomes/contracts';
import type { CohortTable } from '../cohorts/cohort-table';
import { dimensionOfCode } from '../patterns/level-label';
import {
  dimensionAnalysis,
  recommendationsOn,
  type DimensionAnalysis,
  type LevelData,
} from './level-analyses';
import { timingMatrix } from './timing-matrix';

/** Key of the record that every company with data has. */
export const GENERAL_ANALYSIS = 'general_analysis';
/** Dimensions that belong to no metric chunk: they describe the outreach as a whole. */
const GENERAL_DIMENSIONS: readonly DimensionName[] = ['channel', 'sequence_step'];

export interface RecordInputs {
  readonly companyId: string;
  readonly table: CohortTable;
  readonly levels: LevelData;
  readonly patterns: readonly PatternRecord[];
  /** Analysis of positions; undefined while nobody has answered. */
  readonly recipientProfiling:
    | {
        readonly positions: readonly unknown[];
        readonly segments: readonly unknown[];
        readonly insights: NonNullable<AnalysisRecord['data']['insights']>;
      }
    | undefined;
  readonly updated: string;
}

/** An analysis record, and how much it rests on. */
export interface MeasuredRecord {
  readonly record: AnalysisRecord;
  /** Groups with messages. */
  readonly recordCount: number;
  /** Messages judged, and the replies to them. */
  readonly sampleSize: number;
  readonly replies: number;
}

/** Records of the metrics that have data, by metric. */
export function metricRecords(inputs: RecordInputs): Map<MetricName, MeasuredRecord> {
  const records = new Map<MetricName, MeasuredRecord>();
  for (const { metricName, dimensions } of METRICS) {
    const analyses = analysesOf(dimensions, inputs.levels);
    if (analyses.length > 0) {
      records.set(metricName, {
        record: recordOf(analysisKeyOf(metricName), Object.fromEntries(analyses), dimensions, inputs),
        recordCount: sum(analyses, ({ levels }) => levels.filter(({ messages }) => messages > 0).length),
        // One message may be judged by several dimensions of the metric, and counts once.
        sampleSize: Math.max(...analyses.map(([, { total_messages }]) => total_messages)),
        replies: Math.max(...analyses.map(([, { total_replies }]) => total_replies)),
      });
    }
  }
  if (inputs.recipientProfiling !== undefined) {
    const { insights, ...analyses } = inputs.recipientProfiling;
    const record = recordOf(analysisKeyOf('recipient_profiling'), analyses, [], inputs);
    records.set('recipient_profiling', {
      record: { ...record, data: { ...record.data, insights } },
      recordCount: inputs.recipientProfiling.positions.length,
      sampleSize: inputs.table.totals.touches,
      replies: inputs.table.totals.replies,
    });
  }
  return records;
}

/** Totals over all messages, each counted once, with the dimensions that belong to no metric. */
export function generalRecord(inputs: RecordInputs): AnalysisRecord {
  const analyses = analysesOf(GENERAL_DIMENSIONS, inputs.levels);
  const summary = summaryOf(inputs.table);
  return recordOf(GENERAL_ANALYSIS, Object.fromEntries(analyses), GENERAL_DIMENSIONS, inputs, summary);
}

/** The weekday-by-hour table. */
export function timingRecord(inputs: RecordInputs): AnalysisRecord {
  return recordOf('timing_matrix', { timing_matrix: timingMatrix(inputs.table) }, [], inputs);
}

export function summaryOf({ totals }: CohortTable): AnalysisSummary {
  return {
    total_messages: totals.touches,
    total_opens: totals.opens,
    total_replies: totals.replies,
    total_meetings: totals.meetings,
  };
}

function analysesOf(
  dimensions: readonly DimensionName[],
  levels: LevelData,
): [DimensionName, DimensionAnalysis][] {
  return dimensions.flatMap((name): [DimensionName, DimensionAnalysis][] => {
    const analysis = dimensionAnalysis(name, levels);
    return analysis ? [[name, analysis]] : [];
  });
}

function recordOf(
  analysisKey: string,
  analyses: AnalysisRecord['data']['analyses'],
  dimensions: readonly DimensionName[],
  { companyId, patterns, updated }: RecordInputs,
  summary?: AnalysisSummary,
): AnalysisRecord {
  return {
    companyId,
    analysisKey,
    data: {
      analyses,
      recommendations: recommendationsOn(patterns, (code) => {
        const dimension = dimensionOfCode(code);
        return dimension !== undefined && dimensions.includes(dimension);
      }),
      ...(summary !== undefined && { summary }),
    },
    metadata: { metric: analysisKey.replace(/_analysis$/, ''), version: '2.0', updated },
  };
}

function sum<Item>(entries: readonly [string, Item][], value: (item: Item) => number): number {
  return entries.reduce((total, [, item]) => total + value(item), 0);
}
