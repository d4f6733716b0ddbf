const RATE = { value: 0.08, ci_low: 0.05, ci_high: 0.12, n: 400 };
const AT = '2026-01-10T00:00:00.000Z';

/** Document `recipients` with the canary in its texts, as a run leaves it. */
export function recipientAnalysis(canary: string) {
  const bars = {
    ...{ type: 'bar', labels: [`${canary}_label`, 'other'], options: {} },
    datasets: [{ label: `${canary}_chart`, data: [11, 7], backgroundColor: ['#0072B2', '#E69F00'] }],
  };
  return {
    overview: {
      ...{ total_profiled: 18, high_confidence_count: 11, segments_count: 1 },
      ...{ last_updated: AT, has_sufficient_data: true },
    },
    segments: [
      {
        ...{ id: `${canary}_segment`, name: `${canary}_name`, size: 18, dominant_position: 'vp' },
        ...{ key_insights: [`${canary}_insight`], optimal_patterns: {}, confidence_level: 'high' },
        stability: 0.8,
      },
    ],
    insights: [
      {
        ...{ type: 'general', title: `${canary}_title`, description: `${canary}_recipients` },
        ...{ confidence: 'high', icon: 'users', actionable: true, sample_size: 400 },
      },
    ],
    position_breakdown: [
      {
        ...{ position: 'vp', count: 11, avg_confidence: 0.9, total_responses: 12, percentage: 61.1 },
        ...{ messages: 400, reply_rate: RATE },
      },
    ],
    validation: {
      ...{ has_significant_patterns: true, significant_dimensions: ['position'] },
      overall_confidence: 'high',
    },
    charts: {
      position_distribution: { ...bars, type: 'doughnut' },
      confidence_levels: bars,
      segment_sizes: bars,
    },
  };
}

/** The record of one metric, likewise. */
export function toneAnalysis(canary: string) {
  const level = (name: string, messages: number, replies: number) => ({
    ...{
      level: name,
      label: `${canary}_${name}`,
      code: name === 'direct' ? 'TA-1' : null,
      messages,
      replies,
    },
    ...{ share: 0.5, reply_rate: { ...RATE, n: messages } },
  });
  return {
    ...{ companyId: `${canary}_company`, analysisKey: 'tone_analysis' },
    data: {
      analyses: {
        tone: {
          ...{ total_messages: 800, total_replies: 64 },
          levels: [level('direct', 400, 32), level('professional', 400, 32)],
        },
      },
      recommendations: [],
    },
    metadata: { metric: 'tone', version: '2.0', updated: AT },
  };
}
