/** As it was served to a generated company; of long lists the first. */
export const ANALYSIS_OF_METRIC_EXAMPLE = {
  companyId: 'b9a7c1de-5f0f-4a39-9c36-0d7c3a1e2f44',
  analysisKey: 'tone_analysis',
  data: {
    analyses: {
      tone: {
        total_messages: 6,
        total_replies: 0,
        levels: [
          {
            level: 'direct',
            label: 'Direct tone',
            code: 'TA-1',
            messages: 3,
            replies: 0,
            share: 0.5,
            reply_rate: {
              value: 0.045791,
              ci_low: 0.0000130258,
              ci_high: 0.236908,
              n: 3,
            },
          },
          {
            level: 'conversational',
            label: 'Conversational tone',
            code: 'TA-2',
            messages: 0,
            replies: 0,
            share: 0,
            reply_rate: {
              value: null,
              ci_low: null,
              ci_high: null,
              n: 0,
            },
          },
          {
            level: 'professional',
            label: 'Professional tone',
            code: 'TA-3',
            messages: 3,
            replies: 0,
            share: 0.5,
            reply_rate: {
              value: 0.0444322,
              ci_low: 0.0000148451,
              ci_high: 0.228166,
              n: 3,
            },
          },
          {
            level: 'empathetic',
            label: 'Empathetic tone',
            code: 'TA-4',
            messages: 0,
            replies: 0,
            share: 0,
            reply_rate: {
              value: null,
              ci_low: null,
              ci_high: null,
              n: 0,
            },
          },
          {
            level: 'questioning',
            label: 'Questioning tone',
            code: 'TA-5',
            messages: 0,
            replies: 0,
            share: 0,
            reply_rate: {
              value: null,
              ci_low: null,
              ci_high: null,
              n: 0,
            },
          },
        ],
      },
    },
    recommendations: [
      {
        code: 'TA-OBS-1',
        title: '<b>Tone</b>: no clear pattern yet',
        message:
          'So far <b>Direct tone</b> has the highest estimated reply rate: <b>4.6%</b>, from 3 messages (95% interval: 0.0% to 24%). The difference to the others may well be chance, or the audience.',
        tier: 0,
      },
    ],
  },
  metadata: {
    metric: 'tone',
    version: '2.0',
    updated: '2026-02-03T02:04:50.098Z',
  },
} as const;
