import type { PatternDefinition, PatternEvidence } from '@outcomes/contracts';
import type { EvidenceAssessment } from '@outcomes/statistics';

/** What the statistics say of one code of the catalogue, and the form in which it is served. */
export interface PatternFinding {
  readonly pattern: PatternDefinition;
  readonly assessment: EvidenceAssessment;
  readonly evidence: PatternEvidence;
}

/** Tiers as numbers; nothing claimed is 0. */
export const TIERS = { confirmed: 3, likely: 2, directional: 1 } as const;
