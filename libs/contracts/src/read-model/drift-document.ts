import type { Channel } from '../outcomes/dimensions';
import type { DriftTest, RateChange } from '../questions/drift-state';
import type { RateEstimate } from '../questions/parts/rates';

/** What is known of changes of one channel, as of the newest outcome of the company. */
export interface ChannelDrift {
  readonly channel: Channel;
  /** Whether there was enough to look for a change on the last settled day. */
  readonly look_possible: boolean;
  /** Last settled send day; null before the first. */
  readonly looked_through: string | null;
  /** Last send day whose messages have all settled, whether or not the channel sent on it. Absent in older documents. */
  readonly settled_through?: string;
  /** The days that the last look could look back over, those of them with messages, and replies. Absent in older documents. */
  readonly window?: { readonly days: number; readonly send_days: number; readonly replies: number };
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
  readonly mix: DriftTest['mix'];
  readonly volume: DriftTest['volume'];
  /** Campaigns with messages in the days of the last look. */
  readonly campaigns: number;
  /** Beside them, campaigns too small to be told apart: of a day with more than 256, the smallest are counted together. */
  readonly campaigns_merged?: number;
  /** Absent where replies come in time. */
  readonly late_replies?: ChannelLateReplies;
}

/** How replies arrive of which a notable share comes after messages have settled. */
export interface ChannelLateReplies {
  /** Days after which messages settle. */
  readonly settle_days: number;
  /** Of all replies those that come later, fraction. */
  readonly share: number;
  /** Last send day whose messages have nearly all of their replies. */
  readonly complete_through: string;
  /**
   * Share of their replies that has come to the messages of the last settled day, of the day before it and so on; to older ones
   * hardly any is to come.
   */
  readonly arrived: readonly number[];
}

/** At least so many days lie between false alarms of one channel, on average. */
export const AVERAGE_RUN_LENGTH_DAYS = 365;

/** A source that owes at least twenty deliveries by its own rhythm. */
export interface SilentSource {
  readonly source: string;
  readonly tool: string;
  readonly last_delivery_at: string;
}

export interface DriftDocument {
  readonly data_as_of: string;
  readonly engine_version: string;
  /** Latest moment of which any outcome tells; null where there is none. */
  readonly newest_outcome_at: string | null;
  /** Channels with messages, in the order of CHANNELS. */
  readonly channels: readonly ChannelDrift[];
  /** The longest silent first; absent where none is. */
  readonly silent_sources?: readonly SilentSource[];
  /** Twenty replies or more, and no message of which nothing came: absent elsewhere. */
  readonly no_silence?: true;
}
