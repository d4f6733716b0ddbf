import {
  analysisKeyOf,
  METRICS,
  NO_MESSAGES,
  type ChunkCatalogue,
  type MetricName,
} from '@outcomes/contracts';
import type { MeasuredRecord } from './analysis-records';

/** The eleven metric chunks and which of them have data. */
export function chunkCatalogue(
  records: ReadonlyMap<MetricName, MeasuredRecord>,
  updated: string,
  { hasMessages }: { readonly hasMessages: boolean },
): ChunkCatalogue {
  const chunks = METRICS.map(({ metricName, title, missing }) => {
    const measured = records.get(metricName);
    return {
      metricName,
      title,
      analysisKey: analysisKeyOf(metricName),
      hasData: measured !== undefined,
      lastUpdated: measured === undefined ? null : updated,
      recordCount: measured?.recordCount ?? 0,
      sampleSize: measured?.sampleSize ?? 0,
      ...(measured === undefined && { reason: hasMessages ? missing : NO_MESSAGES }),
    };
  });
  const available = chunks.filter(({ hasData }) => hasData);
  return {
    chunks,
    summary: {
      total: chunks.length,
      available: available.length,
      lastUpdated: available.length > 0 ? updated : null,
      totalSampleSize: available.reduce((sum, { sampleSize }) => sum + sampleSize, 0),
    },
  };
}
