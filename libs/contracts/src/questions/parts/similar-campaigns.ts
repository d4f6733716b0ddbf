import { texts } from '../../schemas/json-schema';

/** What an answer about a campaign that does not exist suggests instead. */
export const SIMILAR_CAMPAIGN_IDS = texts(
  'Where campaign_id is unknown: ids that may be meant. Up to 10, likeliest first.',
);
