import { cleanText } from '../text/clean-text';

/** A campaign of the tenant's, and when it sent last. */
export interface KnownCampaign {
  readonly campaignId: string;
  /** YYYY-MM-DD */
  readonly lastDay: string;
}

/** Two names that share fewer pairs of letters are not taken for one another. */
const LEAST_ALIKE = 0.35;

/**
 * Campaigns that somebody may have meant by an id that does not exist: one that answers show by it first, then the same
 * but for case, blanks and punctuation, then those of which the one is a part of the other, then those that are spelt
 * alike, then the most recent.
 */
export function likeliestCampaigns(
  asked: string,
  known: readonly KnownCampaign[],
  limit: number,
): readonly string[] {
  const wanted = plain(asked);
  const pairs = pairsOf(wanted);
  const shown = cleanText(asked);
  const likeness = ({ campaignId }: KnownCampaign) => {
    if (cleanText(campaignId) === shown) return 4;
    const own = plain(campaignId);
    if (own === '' || wanted === '') return 0;
    if (own === wanted) return 3;
    if (own.includes(wanted) || wanted.includes(own)) return 2;
    const alike = sharedShare(pairs, pairsOf(own));
    return alike >= LEAST_ALIKE ? alike : 0;
  };
  return known
    .map((campaign) => ({ campaign, alike: likeness(campaign) }))
    .sort(
      (a, b) =>
        b.alike - a.alike ||
        b.campaign.lastDay.localeCompare(a.campaign.lastDay, 'en') ||
        a.campaign.campaignId.localeCompare(b.campaign.campaignId, 'en'),
    )
    .slice(0, limit)
    .map(({ campaign }) => campaign.campaignId);
}

/**
 * Answers show ids as cleanText leaves them, so that such an id may come back.
 * @param likeliest - campaigns that may be meant by an id that does not exist
 * @returns the campaign that is shown by it; undefined where none is
 */
export function shownAs(asked: string, likeliest: readonly string[]): string | undefined {
  const shown = cleanText(asked);
  return likeliest.find((campaignId) => cleanText(campaignId) === shown);
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Pairs of neighbouring letters, each with how often it occurs. */
function pairsOf(text: string): Map<string, number> {
  const letters = [...text];
  const pairs = new Map<string, number>();
  for (const [place, letter] of letters.slice(0, -1).entries()) {
    const pair = letter + (letters[place + 1] ?? '');
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Dice's coefficient: 0 where nothing is shared, 1 where everything is. */
function sharedShare(some: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): number {
  const size = (pairs: ReadonlyMap<string, number>) => [...pairs.values()].reduce((sum, n) => sum + n, 0);
  const total = size(some) + size(others);
  let shared = 0;
  for (const [pair, times] of some) shared += Math.min(times, others.get(pair) ?? 0);
  return total > 0 ? (2 * shared) / total : 0;
}
