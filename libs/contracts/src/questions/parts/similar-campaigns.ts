import { texts } from '../../schemas/json-schema';

/** What an answer about a campaign that does not exist suggests instead. */
export const SIMILAR_CAMPAIGN_IDS = texts(
  'Up to 10 campaign ids that may be meant, likeliest first, only where campaign_id is unknown.',
);
