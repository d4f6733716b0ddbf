import { count, known, list, record, text, timestamp } from '../schemas/json-schema';
import { CAMPAIGN_LIST_EXAMPLE } from './examples/campaign-list';
import { CAMPAIGN_DAYS, CURSOR, limitOf } from './parts/arguments';
import { WINDOW } from './parts/counted-window';
import { resultOf, TRUST } from './parts/frame';
import { HEALTH_STATUSES, HEALTH_STATUS_MEANING } from './parts/health-statuses';
import { NEXT_CURSOR, rateOf } from './parts/rates';
import { question, type Answer, type Arguments } from './question';

export const CAMPAIGN_LIST = question({
  name: 'CampaignList',
  arguments: {
    window_days: CAMPAIGN_DAYS,
    limit: limitOf('Campaigns per page.', 100, 20),
    cursor: CURSOR,
  },
  required: [],
  result: resultOf({
    campaign_count: count('Campaigns of the company.'),
    window: WINDOW,
    campaigns: list(
      record({
        campaign_id: text('Campaign, as sent at ingestion.'),
        status: known(HEALTH_STATUSES, HEALTH_STATUS_MEANING),
        sample_size: count('Settled messages in the window.'),
        reply_rate: rateOf('Share of settled messages that were answered.'),
        first_sent_at: timestamp('First message of the campaign.'),
        last_sent_at: timestamp('Last message of the campaign.'),
      }),
      'In order of their id.',
    ),
    next_cursor: NEXT_CURSOR,
    ...TRUST,
  }),
  rest: [
    {
      path: '/intelligence/campaigns',
      operation: 'campaigns',
      says: 'Campaigns in order of their id.',
      summary: 'Campaigns',
      description: 'Campaigns of the company with their health, page by page.',
    },
  ],
  example: CAMPAIGN_LIST_EXAMPLE,
});
export type CampaignList = Answer<typeof CAMPAIGN_LIST>;
export type CampaignListQuery = Arguments<typeof CAMPAIGN_LIST>;
