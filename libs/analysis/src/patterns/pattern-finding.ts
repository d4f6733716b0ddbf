import type { EvidenceTier, PatternDefinition, PatternEvidence } from '@outcomes/contracts';

export type Tier = 0 | 1 | 2 | 3;

export const TIER_NAMES: Readonly<Record<Exclude<Tier, 0>, EvidenceTier>> = {
  3: 'confirmed',
  2: 'likely',
  1: 'directional',
};

/** What the statistics say of one code of the catalogue. */
export interface PatternFinding {
  readonly pattern: PatternDefinition;
  readonly tier: Tier;
  readonly evidence: PatternEvidence;
  /** 95 % interval of the lift. */
  readonly liftLow: number;
  readonly liftHigh: number;
}
