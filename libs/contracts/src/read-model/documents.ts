import type { Channel, Position } from '../outcomes/dimensions';
import type { DriftDocument } from './drift-document';
import type { PatternRecord } from './pattern-document';

export * from './drift-document';
export * from './pattern-document';

/**
 * The documents that a run writes and both faces (REST and MCP) read. Stored pre-serialised, one row per
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
} as const;

/** Document name of a stored analysis record, e.g. `analysis/tone_analysis`. */
export function analysisDocument(analysisKey: string): string {
  return `analysis/${analysisKey}`;
}

/**
 * Document `frame`: what every answer about a run says of it, written with the run. Of each channel it holds the last
 * change alone.
 */
export interface RunFrame extends Pick<DriftDocument, 'data_as_of' | 'newest_outcome_at' | 'channels'> {
  /** End of the run. */
  readonly analysed_at: string;
}

/** A rate with its 95 % equal-tailed interval; nulls when n is 0. */
export interface RateEstimate {
  readonly value: number | null;
  readonly ci_low: number | null;
  readonly ci_high: number | null;
  readonly n: number;
}

/** Posterior of one (channel, position) arm. */
export interface ArmRecord {
  readonly channel: Channel;
  readonly position: Position;
  readonly alpha: number;
  readonly beta: number;
  /** What alpha, beta and the interval are about: the mean rate of the next 30 days. */
  readonly interval_target: 'next_30_days_mean_rate';
  /** Exactly alpha / (alpha + beta). */
  readonly posterior_mean: number;
  readonly posterior_variance: number;
  readonly ci_low: number;
  readonly ci_high: number;
  readonly interval_type: 'equal_tailed_95';
  /** 95 % interval of the next seven days' mean rate. */
  readonly current_low: number;
  readonly current_high: number;
  /** First send day that counts, YYYY-MM-DD: that of the channel's last change, or of its first message. */
  readonly data_from: string;
  /** Mean age of the messages as they are weighted, in days. */
  readonly memory_days: number;
  /** By how much the rate may move until then, as a standard deviation on the logit. */
  readonly forward_sd: number;
  /** migration: every outcome came with imported history; live: outcomes have streamed in. */
  readonly data_source: 'migration' | 'live';
  /** The tenant's own touches in the arm, undiscounted. */
  readonly observations: number;
  readonly replies: number;
  readonly effective_n: number;
  /** Share of the posterior's precision that is the tenant's own data, 0 to 1. */
  readonly own_data_share: number;
  /** 1 - own_data_share, kept for readers of the older name. */
  readonly prior_weight: number;
  /**
   * posterior_mean had no other company lent anything: under the fixed market prior. The difference is what the platform
   * prior did to the arm; the same number where that one is not used.
   */
  readonly market_mean: number;
  /** Share of the arm's touches whose cohort is not mature yet. */
  readonly immature_share: number;
  readonly probability_best: number;
  readonly last_outcome_at: string | null;
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
  /** Absent in documents of runs before campaigns were told apart. */
  readonly campaigns?: readonly ChannelCampaigns[];
}

/** One stored analysis record (GET /patterns/analysis, GET /patterns/chunks/{metricName}). */
export interface AnalysisRecord {
  readonly companyId: string;
  readonly analysisKey: string;
  readonly data: {
    readonly analyses: Readonly<Record<string, unknown>>;
    readonly recommendations: readonly Omit<PatternRecord, 'companyId' | 'updated'>[];
    readonly insights?: readonly Readonly<Record<string, unknown>>[];
    readonly summary?: AnalysisSummary;
  };
  readonly metadata: { readonly metric: string; readonly version: '2.0'; readonly updated: string };
}

export interface AnalysisSummary {
  readonly total_messages: number;
  readonly total_opens: number;
  readonly total_replies: number;
  readonly total_meetings: number;
}

export interface ChunkCatalogue {
  readonly chunks: readonly {
    readonly metricName: string;
    readonly title: string;
    readonly analysisKey: string;
    readonly hasData: boolean;
    readonly lastUpdated: string | null;
    readonly recordCount: number;
    readonly sampleSize: number;
    /** Why there is no data, and what to do; only where there is none. */
    readonly reason?: string;
  }[];
  readonly summary: {
    readonly total: number;
    readonly available: number;
    readonly lastUpdated: string | null;
    readonly totalSampleSize: number;
  };
}

/** Sum of the summary fields over the analyses (GET /patterns/contact-insights); each message counts once. */
export interface ContactInsights extends AnalysisSummary {
  readonly analyses_included: number;
  /** What each analysis could judge. Opens and meetings are counted per message, so only over all of them. */
  readonly by_analysis: readonly (Pick<AnalysisSummary, 'total_messages' | 'total_replies'> &
    Partial<AnalysisSummary> & { readonly analysisKey: string })[];
}

/** How probabilities that were frozen with decisions came out, for one group of them. */
export interface CalibrationScores {
  /** Decisions whose advice was followed by a message with a settled outcome. */
  readonly predictions: number;
  /** Sum of the predicted chances. */
  readonly expected_replies: number;
  readonly observed_replies: number;
  /** Observed over expected replies with its exact 95 % interval; 1 is perfect. */
  readonly observed_over_expected: {
    readonly value: number | null;
    readonly ci_low: number | null;
    readonly ci_high: number | null;
  };
  /** Mean squared error of the predictions, 0 to 1; lower is better. */
  readonly brier_score: number | null;
  /** Mean logarithm of the chance given to what happened; 0 is perfect. */
  readonly log_score: number | null;
  /** Groups of like predictions that expected at least two replies, and how many kept their 95 % interval. */
  readonly interval_coverage: {
    readonly groups: number;
    readonly covered: number;
    readonly share: number | null;
  };
}

/** Document `calibration`: frozen predictions against what came later. */
export interface CalibrationDocument extends CalibrationScores {
  readonly data_as_of: string;
  readonly engine_version: string;
  /** Decisions looked at, by decided_at; the newest `limit` of them where there are more. */
  readonly window: { readonly from: string | null; readonly to: string | null; readonly limit: number };
  /** Decisions of the window that cannot be scored yet. Absent in documents of earlier versions. */
  readonly awaiting?: {
    /** No message has followed. */
    readonly unfollowed: number;
    /** The message advised has followed, and has not settled. */
    readonly open: number;
    /** Day on which the first of these settles; null where there is none. */
    readonly first_settles_on: string | null;
  };
  readonly base_rate: number | null;
  /** One minus the Brier score over that of the base rate: above 0 the predictions tell contacts apart. */
  readonly brier_skill: number | null;
  /** Of outcomes on predicted log-odds; 1 is perfect, null where predictions do not differ enough. */
  readonly calibration_slope: {
    readonly value: number | null;
    readonly ci_low: number | null;
    readonly ci_high: number | null;
  };
  /** Mean gap between predicted and observed rate over ten bins of equal mass. */
  readonly expected_calibration_error: number | null;
  readonly reliability_bins: readonly {
    readonly predicted: number;
    readonly observed: RateEstimate;
  }[];
  /** Newest first, at most 30. */
  readonly by_run: readonly (CalibrationScores & { readonly run_id: string; readonly decided_at: string })[];
  readonly patterns: {
    readonly ever_confirmed: number;
    readonly retracted: number;
    readonly retracted_share: number | null;
  };
}
