import {
  analysisDocument,
  DOCUMENTS,
  type AnalysisRecord,
  type BanditDocument,
  type ContactInsights,
  type DriftDocument,
  type MetricName,
  type PatternRecord,
  type VariantDocument,
} from '@outcomes/contracts';
import type { EvidenceAssessment } from '@outcomes/statistics';
import type { CohortTable } from '../cohorts/cohort-table';
import { currentRegime } from '../drift/current-regime';
import type { ClaimHistory } from '../evidence/claim-history';
import { patternFindings } from '../patterns/pattern-findings';
import { patternRecords } from '../patterns/pattern-records';
import { countsByLevel, countsByPosition } from '../rates/level-counts';
import { volumeDocument } from '../patterns/volume-document';
import { pooledRates } from '../rates/rate-estimates';
import type { SettledShare } from '../rates/settled-share';
import { recipientAnalysis, recipientProfiling } from '../recipients/recipient-analysis';
import { recipientSegments } from '../recipients/recipient-segments';
import type { RecipientReadings } from '../recipients/responder.repository';
import { measuredLlm } from '../llm/llm-record';
import { describedSegments, segmentDocument } from '../recipients/segment-texts';
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
import { runFrame } from './run-frame';
import { serialise, type SerialisedDocument } from './serialise';

/** What was found about messages. */
export interface MessageFindings {
  readonly assessments: readonly EvidenceAssessment[];
  readonly variants: VariantDocument;
}

export interface DocumentInputs {
  readonly companyId: string;
  readonly table: CohortTable;
  readonly settledShare: SettledShare;
  /** Null while nothing can be found about messages: then the records that stand are left as they are. */
  readonly found: MessageFindings | null;
  readonly standing: readonly PatternRecord[];
  readonly recipients: RecipientReadings;
  /** What a language model said earlier and still holds. */
  readonly llm?: AnalysisRecord | undefined;
  readonly bandit: BanditDocument;
  readonly drift: DriftDocument;
  /** The record of claims by code; asked for where there are findings. */
  readonly claims: ReadonlyMap<string, ClaimHistory>;
  readonly updated: string;
  /** End of the run, ISO 8601. */
  readonly analysedAt: string;
}

/** All documents of a run. The same inputs give the same bytes, whoever computes them and however often. */
export function runDocuments(inputs: DocumentInputs): SerialisedDocument[] {
  const { companyId, table, settledShare, updated } = inputs;
  const counts = countsByLevel(table, settledShare);
  const levels = { counts, rates: levelRates(counts) };
  const { found, claims: histories } = inputs;
  const volumes = volumeDocument(table, inputs.drift.data_as_of);
  const patterns =
    found === null
      ? inputs.standing
      : patternRecords({
          ...{ companyId, updated, histories, levelRates: levels.rates },
          findings: patternFindings(found.assessments, table, inputs.drift, volumes.channels),
        });
  const { from, changed } = currentRegime(inputs.drift);
  const ofToday = countsByPosition(table, settledShare, from);
  const segments = recipientSegments(inputs.recipients);
  const described = describedSegments(segments, inputs.recipients);
  const people = {
    responders: inputs.recipients.responders,
    segments,
    described,
    counts: countsByPosition(table, settledShare),
    today: { counts: ofToday, rates: pooledRates(ofToday), changed },
    updated,
  };
  const recipients = recipientAnalysis(people);
  const recordInputs = {
    companyId,
    table,
    levels,
    patterns,
    recipientProfiling: recipientProfiling({ ...people, insights: recipients.insights }),
    updated,
  };
  const metrics = metricRecords(recordInputs);
  if (inputs.llm !== undefined && table.size > 0) metrics.set('llm', measuredLlm(inputs.llm));
  const records =
    table.size > 0
      ? [
          ...[...metrics.values()].map(({ record }) => record),
          generalRecord(recordInputs),
          timingRecord(recordInputs),
        ]
      : [];
  return [
    ...(found === null
      ? []
      : [serialise(DOCUMENTS.patterns, patterns), serialise(DOCUMENTS.variants, found.variants)]),
    serialise(DOCUMENTS.bandit, inputs.bandit),
    serialise(DOCUMENTS.drift, inputs.drift),
    serialise(DOCUMENTS.frame, runFrame(inputs.drift, inputs.analysedAt)),
    serialise(DOCUMENTS.volumes, volumes),
    serialise(DOCUMENTS.chunks, chunkCatalogue(metrics, updated, { hasMessages: table.size > 0 })),
    serialise(DOCUMENTS.contactInsights, contactInsights(table, metrics)),
    serialise(DOCUMENTS.recipients, recipients),
    serialise(DOCUMENTS.segments, segmentDocument(segments, described)),
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
