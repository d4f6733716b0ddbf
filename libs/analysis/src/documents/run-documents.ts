import {
  analysisDocument,
  DOCUMENTS,
  type BanditDocument,
  type ContactInsights,
  type DriftDocument,
  type MetricName,
} from '@outcomes/contracts';
import type { CohortTable } from '../cohorts/cohort-table';
import { patternRecords, type Confirmations } from '../patterns/pattern-records';
import type { PatternFinding } from '../patterns/pattern-finding';
import { countsByLevel, countsByPosition } from '../rates/level-counts';
import { pooledRates } from '../rates/rate-estimates';
import type { SettledShare } from '../rates/settled-share';
import { positionAnalyses, recipientAnalysis } from '../recipients/recipient-analysis';
import type { Responders } from '../recipients/responder.repository';
import {
  GENERAL_ANALYSIS,
  generalRecord,
  metricRecords,
  summaryOf,
  timingRecord,
  type MeasuredRecord,
} from './analysis-records';
import { chunkCatalogue } from './chunk-catalogue';
import { levelRates } from './level-analyses';
import { serialise, type SerialisedDocument } from './serialise';

export interface DocumentInputs {
  readonly companyId: string;
  readonly table: CohortTable;
  readonly settledShare: SettledShare;
  readonly findings: readonly PatternFinding[];
  readonly responders: readonly Responders[];
  readonly bandit: BanditDocument;
  readonly drift: DriftDocument;
  readonly earlier: Confirmations;
  readonly dataAsOf: string;
  readonly updated: string;
}

/** All documents of a run. The same inputs give the same bytes, whoever computes them and however often. */
export function runDocuments(inputs: DocumentInputs): SerialisedDocument[] {
  const { companyId, table, settledShare, updated } = inputs;
  const counts = countsByLevel(table, settledShare);
  const levels = { counts, rates: levelRates(counts) };
  const patterns = patternRecords({ ...inputs, levelRates: levels.rates });
  const byPosition = countsByPosition(table, settledShare);
  const people = {
    responders: inputs.responders,
    counts: byPosition,
    rates: pooledRates(byPosition),
    updated,
  };
  const recordInputs = {
    companyId,
    table,
    levels,
    patterns,
    recipientProfiling: positionAnalyses(people),
    updated,
  };
  const metrics = metricRecords(recordInputs);
  const records =
    table.size > 0
      ? [
          ...[...metrics.values()].map(({ record }) => record),
          generalRecord(recordInputs),
          timingRecord(recordInputs),
        ]
      : [];
  return [
    serialise(DOCUMENTS.patterns, patterns),
    serialise(DOCUMENTS.bandit, inputs.bandit),
    serialise(DOCUMENTS.drift, inputs.drift),
    serialise(DOCUMENTS.chunks, chunkCatalogue(metrics, updated)),
    serialise(DOCUMENTS.contactInsights, contactInsights(table, metrics)),
    serialise(DOCUMENTS.recipients, recipientAnalysis(people)),
    ...records.map((record) => serialise(analysisDocument(record.analysisKey), record)),
  ];
}

/** Totals count each message once, however many analyses it is part of. */
function contactInsights(
  table: CohortTable,
  metrics: ReadonlyMap<MetricName, MeasuredRecord>,
): ContactInsights {
  const summary = summaryOf(table);
  const byAnalysis = [...metrics.values()].map(({ record, sampleSize, replies }) => ({
    analysisKey: record.analysisKey,
    total_messages: sampleSize,
    total_replies: replies,
  }));
  const analyses = table.size > 0 ? [{ analysisKey: GENERAL_ANALYSIS, ...summary }, ...byAnalysis] : [];
  return { ...summary, analyses_included: analyses.length, by_analysis: analyses };
}
