import type { EvidenceAssessment } from '@outcomes/statistics';
import type { EvidenceNotes } from './evidence-notes.repository';
import type { EvidenceSource } from './evidence-source';

/** Campaigns that are read at a time. */
export const CAMPAIGNS_AT_A_TIME = 50;

/** A campaign that has variants. */
export interface CampaignVariants {
  readonly campaign: number;
  readonly campaignId: string | null;
  /** Packed messages and replies per variant and cell. */
  readonly variants: Buffer;
}

/** What the campaigns of a company say. */
export interface CompanyEvidence {
  /** One per code, in the order of the catalogue; fortnights are those since 1970-01-01. */
  readonly assessments: readonly EvidenceAssessment[];
  /** By first fortnight, then by key. */
  readonly variants: readonly CampaignVariants[];
  /** Campaigns in which the variant of every message was drawn by lot. */
  readonly randomized: ReadonlySet<string | null>;
  /** What the next run need not read again. */
  readonly notes: EvidenceNotes;
}

/** Those of some campaigns in which the variant of every message was drawn by lot. */
export async function randomizedOf(
  source: EvidenceSource,
  campaigns: readonly CampaignVariants[],
): Promise<Set<string | null>> {
  const found = new Set<string | null>();
  for (let from = 0; from < campaigns.length; from += CAMPAIGNS_AT_A_TIME) {
    for (const campaignId of await source.randomized(campaigns.slice(from, from + CAMPAIGNS_AT_A_TIME)))
      found.add(campaignId);
  }
  return found;
}
