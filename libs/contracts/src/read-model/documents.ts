import type { Channel, Position } from '../outcomes/dimensions';
import type { ArmRecord } from '../questions/bandit-state';
import type { VariantRecord } from '../questions/parts/evidence';
import type { DriftDocument } from './drift-document';

export * from './drift-document';

/**
 * The documents that a run writes and both interfaces (REST and MCP) read. Stored pre-serialised, one row per
 * company and document name. Fields are in wire form; they are only ever added to.
 */
export const DOCUMENTS = {
  patterns: 'patterns',
  variants: 'variants',
  bandit: 'bandit',
  drift: 'drift',
  chunks: 'chunks',
  recipients: 'recipients',
  segments: 'segments',
  profiles: 'profiles',
  contactInsights: 'contact_insights',
  calibration: 'calibration',
  frame: 'frame',
  volumes: 'volumes',
  backtest: 'backtest',
} as const;

/** Document name of a stored analysis record, e.g. `analysis/tone_analysis`. */
export function analysisDocument(analysisKey: string): string {
  return `analysis/${analysisKey}`;
}

/**
 * Document `frame`: what every answer about a run says of it, written with the run. Of each channel it holds the last
 * change alone.
 */
export interface RunFrame extends Pick<
  DriftDocument,
  'data_as_of' | 'newest_outcome_at' | 'channels' | 'silent_sources' | 'no_silence'
> {
  /** End of the run. */
  readonly analysed_at: string;
}

/** How the campaigns of one channel do beside its arms: a contact's chance is taken inside the contact's campaign. */
export interface ChannelCampaigns {
  readonly channel: Channel;
  /** Variance of the campaigns' levels on the logit; 0 where they are alike, or too few to tell. */
  readonly variance: number;
  /**
   * Of the campaigns with the most messages of the last 60 days, at most 200: key, replies, and the replies that the
   * arms expect of the same messages. None where campaigns are alike.
   */
  readonly records: readonly (readonly [campaign: number, replies: number, expected: number])[];
}

/** A Beta posterior of the reply rate of one arm. */
export interface ArmShape {
  readonly channel: Channel;
  readonly position: Position;
  readonly alpha: number;
  readonly beta: number;
}

export interface BanditDocument {
  readonly data_as_of: string;
  readonly engine_version: string;
  readonly prior: {
    readonly mean: number;
    readonly concentration: number;
    /** What the company's own mean leans on: what at least twenty other companies have in common, or a fixed prior. */
    readonly source?: 'platform' | 'market';
    /** Reply rate that it expects before any of the company's outcomes. */
    readonly expected_rate?: number;
  };
  readonly arms: readonly ArmRecord[];
  /**
   * What is known of each arm, before it is widened by what may come in the next 30 days. It cannot be told from what is
   * served, where the spread of what may come is rounded. Absent in documents of earlier versions.
   */
  readonly known?: readonly ArmShape[];
  /**
   * Posteriors of the mean rate of the next 30 days of an arm that was never used: of each channel with arms, and of an arm of
   * whichever channel. Absent in documents of earlier versions.
   */
  readonly unused?: {
    readonly channels: readonly (Pick<ArmShape, 'alpha' | 'beta'> & { readonly channel: Channel })[];
    readonly company: Pick<ArmShape, 'alpha' | 'beta'>;
  };
  /** Absent in documents of runs before campaigns were told apart. */
  readonly campaigns?: readonly ChannelCampaigns[];
}

/** Document `variants`, campaign by campaign. */
export interface VariantDocument {
  readonly data_as_of: string;
  readonly variants: readonly VariantRecord[];
}

/** What a channel sends in VOLUME_DAYS days, as it stands. */
export interface ChannelVolume {
  readonly channel: Channel;
  readonly messages: number;
  /** Of these messages those of each level of LEVELS, by its index; of the newest days, at the volume of all. */
  readonly levels: readonly number[];
}

/** Document `volumes`: what advice about messages can change. Channels with messages, in the order of CHANNELS. */
export interface VolumeDocument {
  readonly data_as_of: string;
  readonly channels: readonly ChannelVolume[];
}

/** Days that volumes count, back from the newest send day, and that gains are told for. */
export const VOLUME_DAYS = 30;
