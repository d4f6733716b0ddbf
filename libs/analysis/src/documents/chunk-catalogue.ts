import { analysisKeyOf, METRICS, type ChunkCatalogue, type MetricName } from '@outcomes/contracts';
import type { MeasuredRecord } from './analysis-records';

/** The eleven metric chunks and which of them have data. */
export function chunkCatalogue(
  records: ReadonlyMap<MetricName, MeasuredRecord>,
  updated: string,
): ChunkCatalogue {
  const chunks = METRICS.map(({ metricName, title }) => {
    const measured = records.get(metricName);
    return {
      metricName,
      title,
      analysisKey: analysisKeyOf(metricName),
      hasData: measured !== undefined,
      lastUpdated: measured === undefined ? null : updated,
      recordCount: measured?.recordCount ?? 0,
      sampleSize: measured?.sampleSize ?? 0,
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
