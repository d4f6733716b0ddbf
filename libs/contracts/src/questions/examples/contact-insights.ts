/** As it was served to a generated company; of long lists the first. */
export const CONTACT_INSIGHTS_EXAMPLE = {
  total_messages: 2028,
  total_opens: 816,
  total_replies: 331,
  total_meetings: 0,
  analyses_included: 10,
  by_analysis: [
    {
      analysisKey: 'general_analysis',
      total_messages: 2028,
      total_opens: 816,
      total_replies: 331,
      total_meetings: 0,
    },
    {
      analysisKey: 'tone_analysis',
      total_messages: 2028,
      total_replies: 331,
    },
    {
      analysisKey: 'body_content_analysis',
      total_messages: 2028,
      total_replies: 331,
    },
    {
      analysisKey: 'subject_lines_analysis',
      total_messages: 2028,
      total_replies: 331,
    },
    {
      analysisKey: 'send_timing_analysis',
      total_messages: 2028,
      total_replies: 331,
    },
    {
      analysisKey: 'personalization_analysis',
      total_messages: 2028,
      total_replies: 331,
    },
    {
      analysisKey: 'social_proof_analysis',
      total_messages: 2028,
      total_replies: 331,
    },
    {
      analysisKey: 'messaging_approach_analysis',
      total_messages: 2028,
      total_replies: 331,
    },
    {
      analysisKey: 'key_phrases_analysis',
      total_messages: 2028,
      total_replies: 331,
    },
    {
      analysisKey: 'recipient_profiling_analysis',
      total_messages: 2028,
      total_replies: 331,
    },
  ],
} as const;
