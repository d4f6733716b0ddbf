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
