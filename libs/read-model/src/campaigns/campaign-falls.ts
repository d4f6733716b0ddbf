import {
  CHANNELS,
  STEP_BUCKETS,
  stepBucketOf,
  type CampaignHealth,
  type Channel,
  type RateChange,
} from '@outcomes/contracts';
import type { PosteriorTrust } from '../frame/trust';
import type { CampaignCell } from '../touches/campaign.repository';
import { JEFFREYS, rateEstimate } from './rate-estimate';

/** Channels on which a campaign sent in its window, or ever where it sent nothing in it; in the order of CHANNELS. */
export function channelsOf(cells: readonly CampaignCell[]): Channel[] {
  const inWindow = cells.filter((cell) => cell.inWindow);
  const counting = inWindow.length > 0 ? inWindow : cells;
  return CHANNELS.filter((channel) => counting.some((cell) => cell.channel === channel));
}

/**
 * The fall of replies, told of late, that concerns a campaign: on a channel of its window, and of the whole channel, of
 * the campaign itself, or of a position or step that it writes to. A ledger's fall is proved when it is told: that no next
 * look is possible until 14 days have settled since says nothing against it.
 * @returns undefined where there is none
 */
export function fallOf(
  campaignId: string,
  cells: readonly CampaignCell[],
  { channels }: PosteriorTrust,
): RateChange | undefined {
  const inWindow = cells.filter((cell) => cell.inWindow);
  for (const { drift, changedOfLate } of channels) {
    const last = drift.changes.at(-1);
    if (!changedOfLate || last?.direction !== 'down') continue;
    const own = inWindow.filter((cell) => cell.channel === drift.channel);
    if (concerns(last, campaignId, own)) return last;
  }
  return undefined;
}

function concerns(
  { scope: { kind, value } }: RateChange,
  campaignId: string,
  own: readonly CampaignCell[],
): boolean {
  switch (kind) {
    case 'channel':
      return own.length > 0;
    case 'campaign':
      return own.length > 0 && value === campaignId;
    case 'position':
      return own.some((cell) => cell.position === value);
    case 'step':
      return own.some((cell) => STEP_BUCKETS[stepBucketOf(cell.sequenceStep)] === value);
  }
}

/** The last change of each of the campaign's channels, with the campaign's own reply rates on both sides of it. */
export function ownChanges(
  cells: readonly CampaignCell[],
  { channels }: PosteriorTrust,
): CampaignHealth['changes'] {
  return channels.flatMap(({ drift }) => {
    const last = drift.changes.at(-1);
    const own = cells.filter((cell) => cell.channel === drift.channel && cell.mature);
    if (last === undefined || own.length === 0) return [];
    const { channel, since, direction } = last;
    return [
      {
        ...{ channel, since, direction },
        before: rateOf(own.filter((cell) => !cell.sinceChange)),
        after: rateOf(own.filter((cell) => cell.sinceChange)),
      },
    ];
  });
}

function rateOf(cells: readonly CampaignCell[]) {
  const messages = cells.reduce((sum, cell) => sum + cell.messages, 0);
  const replies = cells.reduce((sum, cell) => sum + (cell.outcome === 'responded' ? cell.messages : 0), 0);
  return rateEstimate(replies, messages, JEFFREYS);
}
