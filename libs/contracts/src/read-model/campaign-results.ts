/** The result documents about campaigns. */
import type { Channel } from '../outcomes/dimensions';
import type { RateChange, RateEstimate, VariantRecord } from './documents';
import type { NumberSource, OutcomeCounts, ResultFrame, Trust } from './results';

export const HEALTH_STATUSES = ['insufficient_data', 'healthy', 'watch', 'critical'] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

export interface HealthIssue {
  /** The code in `alerts` where one exists. */
  readonly code: string;
  readonly severity: 'info' | 'warning' | 'critical';
  readonly message: string;
  readonly suggested_action: string;
  /** The number behind the issue, with its 95 % interval. */
  readonly value: number | null;
  readonly ci_low: number | null;
  readonly ci_high: number | null;
}

/** A period in whole send days, and how much of it can be counted. */
export interface CountedWindow {
  readonly from: string | null;
  readonly to: string | null;
  readonly days: number;
  /** Send days, inclusive, that reply rates count: settled, and since replies last changed; nulls where there is none. */
  readonly settled: readonly {
    readonly channel: Channel;
    readonly from: string | null;
    readonly to: string | null;
    readonly days: number;
  }[];
}

export interface CampaignHealth extends ResultFrame, Trust {
  readonly campaign_id: string;
  readonly similar_campaign_ids: readonly string[];
  readonly window: CountedWindow;
  readonly status: HealthStatus;
  /** Matured messages of the window: the ones whose outcome is settled. */
  readonly sample_size: number;
  /** Messages of the window that are too young to count as answered or not. */
  readonly pending: number;
  readonly outcomes: OutcomeCounts;
  /** Messages of the window that were answered and led to an unsubscribe. They count as unsubscribes alone. */
  readonly replied_and_unsubscribed: number;
  readonly unique_recipients: number;
  readonly reply_rate: RateEstimate;
  /** Over all messages of the window: a bounce is known at once. */
  readonly bounce_rate: RateEstimate;
  readonly unsubscribe_rate: RateEstimate;
  readonly replies: {
    readonly observed: number;
    /** What the arms expect for the campaign's own mix of channel, position and step. */
    readonly expected: number | null;
    readonly ratio: number | null;
    readonly ci_low: number | null;
    readonly ci_high: number | null;
  };
  readonly baseline: {
    readonly reply_rate: RateEstimate;
    readonly difference: number | null;
    readonly probability_below: number | null;
  };
  readonly by_step: readonly {
    readonly sequence_step: number;
    readonly channel: Channel;
    readonly sent: number;
    readonly responded: number;
  }[];
  readonly issues: readonly HealthIssue[];
  /** The last change of each of its channels, with the campaign's own reply rates on both sides. */
  readonly changes: readonly Pick<RateChange, 'channel' | 'since' | 'direction' | 'before' | 'after'>[];
  /** Over the campaign's whole life and all channels. */
  readonly variants: readonly Omit<VariantRecord, 'campaign_id'>[];
  readonly first_sent_at: string | null;
  readonly last_sent_at: string | null;
  readonly data_source: NumberSource;
  /** Share of the reply rate's weight that is the campaign's own outcomes, 0 to 1. */
  readonly own_data_share: number;
}

export interface CampaignList extends ResultFrame, Trust {
  readonly campaign_count: number;
  readonly window: CountedWindow;
  readonly campaigns: readonly {
    readonly campaign_id: string;
    readonly status: HealthStatus;
    readonly sample_size: number;
    readonly reply_rate: RateEstimate;
    readonly first_sent_at: string;
    readonly last_sent_at: string;
  }[];
  readonly next_cursor: string | null;
}
