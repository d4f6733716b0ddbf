/** As it was served to a generated company; of long lists the first. */
export const RECIPIENT_ANALYSIS_EXAMPLE = {
  overview: {
    total_profiled: 277,
    high_confidence_count: 229,
    segments_count: 0,
    last_updated: '2026-02-03T02:04:50.098Z',
    has_sufficient_data: true,
  },
  segments: [],
  insights: [
    {
      type: 'general',
      title: '277 recipients have answered',
      description:
        'An estimated 16% of messages to all recipients are answered (95% interval: 15% to 18%, from 2,028 messages).',
      confidence: 'high',
      icon: 'users',
      actionable: true,
      sample_size: 2028,
    },
  ],
  position_breakdown: [
    {
      position: 'vp',
      count: 64,
      avg_confidence: 0.97,
      total_responses: 76,
      percentage: 23.1,
      messages: 408,
      reply_rate: {
        value: 0.178516,
        ci_low: 0.146899,
        ci_high: 0.212464,
        n: 408,
      },
    },
    {
      position: 'technical',
      count: 62,
      avg_confidence: 0.92,
      total_responses: 72,
      percentage: 22.4,
      messages: 405,
      reply_rate: {
        value: 0.172966,
        ci_low: 0.142358,
        ci_high: 0.205853,
        n: 405,
      },
    },
    {
      position: 'c_suite',
      count: 54,
      avg_confidence: 0.97,
      total_responses: 62,
      percentage: 19.5,
      messages: 405,
      reply_rate: {
        value: 0.156667,
        ci_low: 0.127655,
        ci_high: 0.188022,
        n: 405,
      },
    },
    {
      position: 'manager',
      count: 49,
      avg_confidence: 0.93,
      total_responses: 63,
      percentage: 17.7,
      messages: 405,
      reply_rate: {
        value: 0.15865,
        ci_low: 0.129548,
        ci_high: 0.190069,
        n: 405,
      },
    },
  ],
  validation: {
    has_significant_patterns: false,
    significant_dimensions: [],
    overall_confidence: 'high',
  },
  charts: {
    position_distribution: {
      type: 'doughnut',
      labels: ['VP', 'technical', 'C-suite', 'manager'],
      datasets: [
        {
          label: 'Recipients who answered, by position',
          data: [64, 62, 54, 49],
          backgroundColor: ['#0072B2', '#E69F00', '#009E73', '#CC79A7'],
        },
      ],
      options: {
        responsive: true,
        plugins: {
          title: {
            display: true,
            text: 'Recipients who answered, by position',
          },
          legend: {
            display: true,
          },
        },
      },
    },
    confidence_levels: {
      type: 'bar',
      labels: ['high', 'medium or low'],
      datasets: [
        {
          label: 'Confidence in the position',
          data: [229, 48],
          backgroundColor: ['#0072B2', '#E69F00'],
        },
      ],
      options: {
        responsive: true,
        plugins: {
          title: {
            display: true,
            text: 'Confidence in the position',
          },
          legend: {
            display: false,
          },
        },
        scales: {
          y: {
            beginAtZero: true,
            ticks: {
              precision: 0,
            },
          },
        },
      },
    },
    segment_sizes: {},
  },
  reasons: {
    segments:
      'No group of recipients, by industry or position, has been shown to answer to other messages than the rest.',
  },
} as const;
