import { ACTIVE_DAYS } from '../outcomes/dimensions';
import { DAY_MS } from '../time/iso-time';
import type { ChannelDrift } from './drift-document';

/** A channel and its newest send day, YYYY-MM-DD. */
export type ChannelUse = Pick<ChannelDrift, 'channel' | 'last_sent_on'>;

/**
 * Channels without a message in the last ACTIVE_DAYS days. What is known of one is old, and nobody is moved to it: its
 * posterior tells of the days after its newest message, and asked about it alone every answer would say not to act on it.
 */
export function idleChannels<Use extends ChannelUse>(channels: readonly Use[], at: Date): Use[] {
  const since = new Date(at.getTime() - ACTIVE_DAYS * DAY_MS).toISOString().slice(0, 10);
  return channels.filter(({ last_sent_on }) => last_sent_on < since);
}
