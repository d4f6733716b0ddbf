import {
  EVIDENCE_RECORD_SCHEMA,
  EVIDENCE_TIERS,
  UNDECIDED,
  VARIANT_CLAIMS,
  type CampaignRecommendations,
  type CampaignRecommendationsQuery,
  type Recommendation,
} from '@outcomes/contracts';
import {
  CAMPAIGN_ID,
  CHANNEL,
  choice,
  count,
  DATA_SOURCE,
  flag,
  input,
  limitOf,
  list,
  nullable,
  number,
  rate,
  record,
  result,
  share,
  text,
  texts,
  timestamp,
  TRUST,
} from '../json-schema';
import { defineTool } from './definition';

export const getCampaignRecommendations = defineTool<CampaignRecommendationsQuery>(
  {
    name: 'get_campaign_recommendations',
    title: 'Message-pattern recommendations',
    description:
      "Lists message-pattern recommendations learned from your company's outcomes, strongest evidence first: what to do more of or avoid in tone, length, subject, personalization and send time, with the measured effect. Use this tool when deciding how to write or schedule the next messages. Results are company-wide and over all channels: campaign_id and channel never leave any out, the second narrows posteriors_trustworthy, the first only adds the alert recommendations_are_company_scoped_not_per_campaign. To diagnose one campaign use get_campaign_health; to tailor to one person, get_recipient_intelligence; for channel-by-position odds, get_bandit_state. Set min_evidence_tier to confirmed before acting without human review; up to half of the directional ones may be wrong. undecided says of the other patterns why nothing is claimed and what to send to find out; variants lists texts that beat the others of their campaign. Recomputed daily; an empty list means too little evidence so far, not an error. Uses 1 call of the key's quota.",
    inputSchema: input<CampaignRecommendationsQuery>({
      campaign_id: {
        ...CAMPAIGN_ID,
        description: 'Campaign you are asking for. Echoed only; the list stays company-wide.',
      },
      channel: {
        ...CHANNEL,
        description:
          'Channel you are writing for: posteriors_trustworthy is about it. Effects are measured over all channels together, so it leaves none out.',
      },
      direction: choice(
        ['all', 'do_more', 'avoid'],
        'do_more keeps recommended patterns, avoid keeps harmful ones.',
        { default: 'all' },
      ),
      min_evidence_tier: choice(
        ['directional', 'likely', 'confirmed'],
        'Weakest tier to include: directional (hint), likely, confirmed (strongest).',
        { default: 'directional' },
      ),
      limit: limitOf(
        'Most recommendations to return; the catalogue has 51 codes. Left out: 10, or fewer where the answer would become large.',
        51,
        10,
      ),
    }),
    outputSchema: result<CampaignRecommendations>({
      requested_campaign_id: nullable(text('campaign_id as given, else null.')),
      recommendation_count: count('Recommendations that match the filters, before limit.'),
      recommendations: list(
        record<Recommendation>({
          code: text('Pattern code, e.g. TA-3.'),
          title: text('Plain text, no markup.'),
          message: text('What to do, plain text.'),
          category: texts('Category path.'),
          positive: flag('true: do more; false: avoid.'),
          tier: number('Higher means stronger evidence: 3 confirmed, 2 likely, 1 directional.'),
          evidence_tier: choice(EVIDENCE_TIERS, 'The same in words.'),
          channel: nullable(text('Channel measured, null for all.')),
          effect: record<Recommendation['effect']>(
            {
              with_rate: rate('Reply rate with the pattern.'),
              without_rate: rate('Reply rate without it.'),
              level_since: nullable(
                text(
                  'The rates are at the level of replies since this day, because replies changed; null: as observed.',
                ),
              ),
              lift: nullable(number('Relative change of the reply rate, 0.25 = 25 % more replies.')),
              probability_positive: nullable(share('Probability that the pattern helps.')),
            },
            'Reply rates, since the last change where there was one; lift is compared inside campaign, fortnight, step, position and channel.',
          ),
          evidence: nullable(EVIDENCE_RECORD_SCHEMA),
          sample_size: count('Messages that show the pattern.'),
          data_source: DATA_SOURCE,
          updated: timestamp('Last recompute.'),
        }),
        'Strongest first.',
      ),
      by_evidence_tier: record<CampaignRecommendations['by_evidence_tier']>(
        { confirmed: count('Matches.'), likely: count('Matches.'), directional: count('Matches.') },
        'Matches per tier, before limit.',
      ),
      variants: VARIANT_CLAIMS,
      undecided: UNDECIDED,
      ...TRUST,
    }),
  },
  (intelligence, scope, query) => intelligence.campaignRecommendations(scope, query),
);
