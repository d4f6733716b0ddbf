import type { CompanionPair, CompanionStratum } from '@outcomes/statistics';
import type { CampaignRows } from './campaign-evidence';
import type { MaturedSpan } from './matured-fortnights';

/** What is kept of a campaign: for that revision of its counts, and while the same fortnights have matured. */
export interface KeptMark extends MaturedSpan {
  readonly revision: string;
  readonly make: string;
}

/** A campaign that has messages. */
export interface RegisteredCampaign {
  readonly campaign: number;
  /** null for messages that name none */
  readonly campaignId: string | null;
  /** Another one after every change of the campaign's counts. */
  readonly revision: string;
  readonly kept: KeptMark | null;
}

/** What is kept of a campaign, packed. */
export interface KeptEvidence {
  readonly campaign: number;
  readonly evidence: Buffer;
  /** Strata of the pairs of claims that were asked for; null where none were. */
  readonly strata: Buffer | null;
}

/** Campaigns whose strata are asked for, and the fortnights that they can lie in. */
export interface StrataRange {
  readonly campaigns: readonly RegisteredCampaign[];
  readonly firstFortnight: number;
  readonly lastFortnight: number;
}

/** A company's counts by campaign, in one state of the database. */
export interface EvidenceSource {
  /** All campaigns, ascending by key. */
  registry(): Promise<readonly RegisteredCampaign[]>;
  /** What is kept of some campaigns, in any order. */
  kept(campaigns: readonly number[]): Promise<readonly KeptEvidence[]>;
  /** The counts of some campaigns, in any order. */
  rows(campaigns: readonly number[]): Promise<readonly CampaignRows[]>;
  /** Strata of a pair of claims among matured messages, at least those that compare anything; campaigns by key. */
  strata(pair: CompanionPair, range: StrataRange): Promise<readonly CompanionStratum[]>;
  /** Those of some campaigns in which the variant of every message was drawn by lot. */
  randomized(campaigns: readonly RegisteredCampaign[]): Promise<readonly (string | null)[]>;
}
