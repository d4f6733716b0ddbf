import { EMPTY_CHUNKS, EMPTY_INSIGHTS, EMPTY_RECIPIENTS } from './empty-documents';

describe('before there is a document', () => {
  it('the recipient analysis is well formed and empty, and says why', () => {
    expect(EMPTY_RECIPIENTS).toEqual({
      overview: {
        ...{ total_profiled: 0, high_confidence_count: 0, segments_count: 0 },
        ...{ last_updated: null, has_sufficient_data: false },
      },
      ...{ segments: [], insights: [], position_breakdown: [] },
      validation: {
        ...{ has_significant_patterns: false, significant_dimensions: [], overall_confidence: 'low' },
      },
      charts: { position_distribution: {}, confidence_levels: {}, segment_sizes: {} },
      reasons: Object.fromEntries(
        ['overview', 'segments', 'insights', 'position_breakdown'].map((part) => [
          part,
          expect.stringContaining('No analysis yet') as string,
        ]),
      ),
    });
  });

  it('the catalogue of chunks has all eleven, each without data', () => {
    expect(EMPTY_CHUNKS.chunks).toHaveLength(11);
    for (const chunk of EMPTY_CHUNKS.chunks)
      expect(chunk).toEqual({
        metricName: expect.stringMatching(/^[a-z_]+$/) as string,
        title: expect.stringMatching(/\S/) as string,
        analysisKey: `${chunk.metricName}_analysis`,
        ...{ hasData: false, lastUpdated: null, recordCount: 0, sampleSize: 0 },
        reason: expect.stringContaining('No analysis yet') as string,
      });
    expect(EMPTY_CHUNKS.summary).toEqual({ total: 11, available: 0, lastUpdated: null, totalSampleSize: 0 });
  });

  it('the sums over all analyses are zero', () => {
    expect(EMPTY_INSIGHTS).toEqual({
      ...{ total_messages: 0, total_opens: 0, total_replies: 0, total_meetings: 0 },
      ...{ analyses_included: 0, by_analysis: [] },
    });
  });
});
