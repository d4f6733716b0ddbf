import type { Channel, Position } from '../outcomes/dimensions';

/**
 * The documents that a run writes and both faces (REST and MCP) read. Stored pre-serialised, one row per
 * company and document name. Fields are in wire form; they are only ever added to.
 */
export const DOCUMENTS = {
  patterns: 'patterns',
  bandit: 'bandit',
  drift: 'drift',
  chunks: 'chunks',
  recipients: 'recipients',
  profiles: 'profiles',
  contactInsights: 'contact_insights',
} as const;

/** Document name of a stored analysis record, e.g. `analysis/tone_analysis`. */
export function analysisDocument(analysisKey: string): string {
  return `analysis/${analysisKey}`;
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
  /** Exactly alpha / (alpha + beta). */
  readonly posterior_mean: number;
  readonly posterior_variance: number;
  readonly ci_low: number;
  readonly ci_high: number;
  readonly interval_type: 'equal_tailed_95';
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
  /** Share of the arm's touches whose cohort is not mature yet. */
  readonly immature_share: number;
  readonly probability_best: number;
  readonly last_outcome_at: string | null;
}

export interface BanditDocument {
  readonly data_as_of: string;
  readonly engine_version: string;
  readonly prior: { readonly mean: number; readonly concentration: number };
  readonly arms: readonly ArmRecord[];
}

export const DRIFT_KINDS = ['none', 'rate', 'mix', 'volume', 'insufficient_data'] as const;
export type DriftKind = (typeof DRIFT_KINDS)[number];

export interface DriftVerdict {
  /** A channel, or `all`. */
  readonly channel: Channel | 'all';
  readonly kind: DriftKind;
  readonly direction: 'up' | 'down' | null;
  /** First send day after the change, YYYY-MM-DD. */
  readonly since: string | null;
  readonly before: RateEstimate | null;
  readonly after: RateEstimate | null;
  readonly contributing_strata: readonly string[];
  readonly statistic: number | null;
  readonly threshold: number | null;
  /** Days between false alarms, on average, that the threshold is calibrated to. */
  readonly average_run_length_days: number | null;
  readonly posteriors_trustworthy: boolean;
}

export interface DriftDocument {
  readonly data_as_of: string;
  readonly engine_version: string;
  readonly verdicts: readonly DriftVerdict[];
}

export const EVIDENCE_TIERS = ['confirmed', 'likely', 'directional'] as const;
export type EvidenceTier = (typeof EVIDENCE_TIERS)[number];

/** Element of GET /patterns: the specification's record, and additive fields with the evidence. */
export interface PatternRecord {
  readonly companyId: string;
  readonly code: string;
  readonly title?: string;
  readonly message?: string;
  readonly type?: string;
  readonly positive?: boolean;
  /** 3 confirmed, 2 likely, 1 directional, 0 observation without evidence yet. */
  readonly tier?: number;
  readonly updated?: string;
  readonly evidence_tier?: EvidenceTier;
  readonly metric?: string;
  readonly evidence?: PatternEvidence;
  /** Set where the code was confirmed once and no longer is. */
  readonly first_confirmed_at?: string;
  readonly retracted_at?: string;
}

export interface PatternEvidence {
  readonly e_value: number;
  /** Adjusted for channel, step, position and time. */
  readonly odds_ratio: number;
  readonly odds_ratio_low: number;
  readonly odds_ratio_high: number;
  readonly probability_positive: number;
  /** Relative change of the reply rate, 0.25 = a quarter more replies. */
  readonly lift: number;
  readonly with_rate: RateEstimate;
  readonly without_rate: RateEstimate;
  /** How strong a hidden cause would have to be to explain the effect away (risk-ratio scale, >= 1). */
  readonly confounding_e_value: number;
  /** Expected further matured sends until the code is confirmed or dropped; null where it cannot be told. */
  readonly sends_to_decide: number | null;
  readonly basis: 'randomized' | 'observational';
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

/** A chart configuration as chart libraries take it; an empty object where there is no data. */
export type ChartConfiguration = Readonly<Record<string, unknown>>;

/** Document `recipients`: `data` of GET /patterns/recipients. */
export interface RecipientAnalysis {
  readonly overview: {
    readonly total_profiled: number;
    readonly high_confidence_count: number;
    readonly segments_count: number;
    readonly last_updated: string | null;
    readonly has_sufficient_data: boolean;
  };
  readonly segments: readonly {
    readonly id: string;
    readonly name: string;
    readonly size: number;
    readonly dominant_position: string;
    readonly key_insights: readonly string[];
    readonly optimal_patterns: Readonly<Record<string, unknown>>;
    readonly confidence_level: 'high' | 'medium';
  }[];
  readonly insights: readonly {
    readonly type: string;
    readonly title: string;
    readonly description: string;
    readonly confidence: string;
    readonly icon: string;
    readonly actionable: boolean;
    readonly sample_size: number;
  }[];
  readonly position_breakdown: readonly {
    readonly position: string;
    readonly count: number;
    readonly avg_confidence: number;
    readonly total_responses: number;
    readonly percentage: number;
  }[];
  readonly validation: {
    readonly has_significant_patterns: boolean;
    readonly significant_dimensions: readonly string[];
    readonly overall_confidence: 'high' | 'medium' | 'low';
  };
  readonly charts: {
    readonly position_distribution: ChartConfiguration;
    readonly confidence_levels: ChartConfiguration;
    readonly segment_sizes: ChartConfiguration;
  };
}

/** Element of GET /patterns/recommendation-profiles: one recipient who has answered at least once. */
export interface RecipientProfile {
  readonly companyId: string;
  /** First 16 hexadecimal characters of the SHA-256 of the e-mail address. */
  readonly recipientId: string;
  readonly inferred_position: string;
  readonly original_position: string | null;
  readonly position_confidence: number;
  readonly response_count: number;
  readonly cluster_assignment: number;
  readonly pattern_preferences: Readonly<Record<string, unknown>>;
  readonly response_metrics?: Readonly<Record<string, unknown>>;
  readonly statistical_tests?: Readonly<Record<string, unknown>>;
  readonly last_updated: string;
  readonly email_domain: string;
  readonly recommendation_code?: string;
}
