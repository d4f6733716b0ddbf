import {
  METRICS,
  NO_ANALYSIS_YET,
  analysisKeyOf,
  type ChunkCatalogue,
  type ContactInsights,
  type RecipientAnalysis,
} from '@outcomes/contracts';

/** What the read API answers before a run has written the document: well formed, and empty. */
export const EMPTY_RECIPIENTS: RecipientAnalysis = {
  overview: {
    total_profiled: 0,
    high_confidence_count: 0,
    segments_count: 0,
    last_updated: null,
    has_sufficient_data: false,
  },
  segments: [],
  insights: [],
  position_breakdown: [],
  validation: { has_significant_patterns: false, significant_dimensions: [], overall_confidence: 'low' },
  charts: { position_distribution: {}, confidence_levels: {}, segment_sizes: {} },
  reasons: {
    overview: NO_ANALYSIS_YET,
    segments: NO_ANALYSIS_YET,
    insights: NO_ANALYSIS_YET,
    position_breakdown: NO_ANALYSIS_YET,
  },
};

export const EMPTY_CHUNKS: ChunkCatalogue = {
  chunks: METRICS.map(({ metricName, title }) => ({
    metricName,
    title,
    analysisKey: analysisKeyOf(metricName),
    hasData: false,
    lastUpdated: null,
    recordCount: 0,
    sampleSize: 0,
    reason: NO_ANALYSIS_YET,
  })),
  summary: { total: METRICS.length, available: 0, lastUpdated: null, totalSampleSize: 0 },
};

export const EMPTY_INSIGHTS: ContactInsights = {
  total_messages: 0,
  total_opens: 0,
  total_replies: 0,
  total_meetings: 0,
  analyses_included: 0,
  by_analysis: [],
};
