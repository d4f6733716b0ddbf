import { NO_ANALYSIS_YET, type RecipientAnalysis } from '@outcomes/contracts';
import { expectEnvelope } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

const EMPTY: RecipientAnalysis = {
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
  validation: {
    has_significant_patterns: false,
    significant_dimensions: [],
    overall_confidence: 'low',
  },
  charts: { position_distribution: {}, confidence_levels: {}, segment_sizes: {} },
};

describe('GET /patterns/recipients', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
  });
  afterAll(() => api.stop());

  it('answers 200 with a well-formed empty structure where there is no recipient, and says why', async () => {
    const answer = await api.request('/patterns/recipients');
    expectEnvelope(answer);
    expect(answer.body.data).toEqual({
      ...EMPTY,
      reasons: {
        overview: NO_ANALYSIS_YET,
        segments: NO_ANALYSIS_YET,
        insights: NO_ANALYSIS_YET,
        position_breakdown: NO_ANALYSIS_YET,
      },
    });
  });

  it('answers 200 with the stored document', async () => {
    await api.plantSnapshot(api.tenant.companyId, 'recipients', {
      ...EMPTY,
      overview: { ...EMPTY.overview, total_profiled: 3 },
    });
    const answer = await api.request('/patterns/recipients');
    expect(answer.body.data.overview.total_profiled).toBe(3);
  });
});
