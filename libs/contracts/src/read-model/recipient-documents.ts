import type { RateEstimate } from './documents';

/** A chart configuration as chart libraries take it; an empty object where there is no data. */
export type ChartConfiguration = Readonly<Record<string, unknown>>;

/** Parts of the recipient analysis that may be empty, and insights that a change of replies may withhold. */
export type RecipientPart = 'overview' | 'segments' | 'insights' | 'position_breakdown' | 'position_insights';

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
    /** How well the segment stays when replies are drawn again: mean Jaccard similarity, 0.75 to 1. */
    readonly stability: number;
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
    readonly messages?: number;
    readonly reply_rate?: RateEstimate | null;
  }[];
  readonly validation: {
    readonly has_significant_patterns: boolean;
    readonly significant_dimensions: readonly string[];
    readonly overall_confidence: 'high' | 'medium' | 'low';
  };
  /** Of each part that is empty or withheld, why it is, in a sentence for people. */
  readonly reasons?: Readonly<Partial<Record<RecipientPart, string>>>;
  readonly charts: {
    readonly position_distribution: ChartConfiguration;
    readonly confidence_levels: ChartConfiguration;
    readonly segment_sizes: ChartConfiguration;
  };
}

/** What recipients are grouped by. */
export const SEGMENT_ATTRIBUTES = ['industry', 'position'] as const;
export type SegmentAttribute = (typeof SEGMENT_ATTRIBUTES)[number];

/** Document `segments`: which recipients belong to which segment of the recipient analysis. Not served as it is. */
export interface SegmentDocument {
  /** Null where no segment was found. */
  readonly attribute: SegmentAttribute | null;
  /** In the order of the recipient analysis: the index is a profile's `cluster_assignment`. */
  readonly segments: readonly {
    readonly id: string;
    readonly name: string;
    readonly size: number;
    readonly confidence_level: 'high' | 'medium';
    /** Values of the attribute; industries in lower case. */
    readonly values: readonly string[];
    /** Tests that say the segments differ, as profiles of members carry them. */
    readonly statistical_tests: Readonly<Record<string, unknown>>;
  }[];
}

/** Element of GET /patterns/recommendation-profiles: one recipient who has answered at least once. */
export interface RecipientProfile {
  readonly companyId: string;
  /**
   * First 16 hexadecimal characters of the SHA-256 of the e-mail address; where none was ever sent, of
   * `recipient_id:` and the recipient_id.
   */
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
