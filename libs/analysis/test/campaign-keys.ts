import { campaignKeyOf } from '@outcomes/persistence';

const known = new Map<string | null, number>();

/** The key of a campaign, for whoever counts message by message: each id is hashed once. */
export function keyOf(campaignId: string | null): number {
  const key = known.get(campaignId) ?? campaignKeyOf(campaignId);
  known.set(campaignId, key);
  return key;
}
