import { analysisKeyOf, type AnalysisRecord, type ChunkCatalogue } from '@outcomes/contracts';
import type { MeasuredRecord } from '../documents/analysis-records';
import type { TextReading, SampledMessage } from './reading';

/** Said beside the texts, so that nobody takes them for findings. */
const BASIS =
  'Written by a language model about a sample of messages without names and numbers. No statistics.';

/** The `llm` chunk. */
export function llmRecord(
  companyId: string,
  { themes, strengths, weaknesses, suggestions }: TextReading,
  sample: readonly SampledMessage[],
  { model, updated }: { readonly model: string; readonly updated: string },
): AnalysisRecord {
  const answered = sample.filter((message) => message.answered).length;
  return {
    companyId,
    analysisKey: analysisKeyOf('llm'),
    data: {
      analyses: {
        llm: {
          basis: BASIS,
          model,
          messages_read: sample.length,
          answered_messages_read: answered,
          themes,
          strengths,
          weaknesses,
        },
      },
      recommendations: [],
      insights: suggestions.map((description) => ({
        type: 'llm_suggestion',
        title: 'Suggestion of a language model',
        description,
        confidence: 'low',
        icon: 'sparkles',
        actionable: true,
        sample_size: sample.length,
      })),
    },
    metadata: { metric: 'llm', version: '2.0', updated },
  };
}

/** What the catalogue of chunks says of the record. */
export function measuredLlm(record: AnalysisRecord): MeasuredRecord {
  const { llm } = record.data.analyses as {
    llm?: { messages_read?: number; answered_messages_read?: number; themes?: unknown[] };
  };
  return {
    record,
    recordCount: llm?.themes?.length ?? 0,
    sampleSize: llm?.messages_read ?? 0,
    replies: llm?.answered_messages_read ?? 0,
  };
}

/** A stored catalogue with the chunk in it, as the next run would write it. */
export function withLlmChunk(
  catalogue: ChunkCatalogue,
  { record, ...measured }: MeasuredRecord,
): ChunkCatalogue {
  const { updated } = record.metadata;
  const chunks = catalogue.chunks.map(({ reason, ...chunk }) =>
    chunk.metricName === 'llm'
      ? {
          ...chunk,
          hasData: true,
          lastUpdated: updated,
          recordCount: measured.recordCount,
          sampleSize: measured.sampleSize,
        }
      : { ...chunk, ...(reason !== undefined && { reason }) },
  );
  const available = chunks.filter(({ hasData }) => hasData);
  return {
    chunks,
    summary: {
      total: chunks.length,
      available: available.length,
      lastUpdated: updated,
      totalSampleSize: available.reduce((sum, { sampleSize }) => sum + sampleSize, 0),
    },
  };
}
