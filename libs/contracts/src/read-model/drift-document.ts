import type { Channel } from '../outcomes/dimensions';
import type { RateEstimate } from './documents';

/** State of a reply rate: whether it could be looked at, and whether it has changed of late. */
export const DRIFT_STATES = ['none', 'rate', 'insufficient_data'] as const;
export type DriftStateName = (typeof DRIFT_STATES)[number];

/** Whose replies changed: of the whole channel, or of the one campaign, position or step without which nothing is left. */
export const CHANGE_SCOPES = ['channel', 'campaign', 'position', 'step'] as const;
export interface ChangeScope {
  readonly kind: (typeof CHANGE_SCOPES)[number];
  /** campaign_id, position or step bucket; null for the whole channel, and for messages that name no campaign. */
  readonly value: string | null;
}

/** One accepted change of a channel's reply rate: a row of the ledger, which no later look changes. */
export interface RateChange {
  readonly channel: Channel;
  /** First send day after the change, YYYY-MM-DD. */
  readonly since: string;
  /** Settled send day whose look accepted it. */
  readonly settled_on: string;
  /** Day on which that send day had matured, so that it could be told. */
  readonly told_at: string;
  readonly direction: 'up' | 'down';
  /** Odds of a reply after the change over those before it. */
  readonly ratio: number;
  /** At an equal mix of positions and steps, effects of single days and campaigns taken out. */
  readonly before: RateEstimate;
  readonly after: RateEstimate;
  /** Log likelihood ratio; above the threshold. */
  readonly statistic: number;
  readonly scope: ChangeScope;
}

/** What is known of changes of one channel, as of the newest outcome of the company. */
export interface ChannelDrift {
  readonly channel: Channel;
  /** Whether there was enough to look for a change on the last settled day. */
  readonly look_possible: boolean;
  /** Last settled send day; null before the first. */
  readonly looked_through: string | null;
  /** Last send day whose messages have all settled, whether or not the channel sent on it. Absent in older documents. */
  readonly settled_through?: string;
  /** Largest log likelihood ratio of the last look, and above which a change is accepted; null without a look. */
  readonly statistic: number | null;
  readonly threshold: number;
  /** First day that still counts: that of the last change, or of the first sends. */
  readonly data_from: string;
  /** Settled replies since then. */
  readonly settled_replies: number;
  /** Reply rate of the settled messages since then. */
  readonly rate: RateEstimate;
  readonly last_sent_on: string;
  readonly newest_outcome_at: string | null;
  /** Oldest first. */
  readonly changes: readonly RateChange[];
  /** When the ledger was last made anew from the counts, because messages were deleted or imported; null if never. */
  readonly recounted_at: string | null;
  /** The last 30 days of sends beside the 90 before: facts, which never touch trust. */
  readonly mix: {
    /** Total variation between the shares of positions and steps, 0 to 1; null where one of the two is empty. */
    readonly distance: number | null;
    readonly alert: boolean;
  };
  readonly volume: {
    /** Sends a day over those before; null where too little came before. */
    readonly ratio: number | null;
    readonly alert: boolean;
  };
  /** Campaigns with messages in the days of the last look. */
  readonly campaigns: number;
  /** Beside them, campaigns too small to be told apart: of a day with more than 256, the smallest are counted together. */
  readonly campaigns_merged?: number;
}

/** At least so many days lie between false alarms of one channel, on average. */
export const AVERAGE_RUN_LENGTH_DAYS = 365;

export interface DriftDocument {
  readonly data_as_of: string;
  readonly engine_version: string;
  /** Latest moment of which any outcome tells; null where there is none. */
  readonly newest_outcome_at: string | null;
  /** Channels with messages, in the order of CHANNELS. */
  readonly channels: readonly ChannelDrift[];
}
