import type { CompanionPair, CompanionStratum, FoldQuestions } from '@outcomes/statistics';
import type { CampaignRows } from './campaign-evidence';
import type { CampaignNote } from './evidence-notes.repository';
import type { JudgementNote } from './kept-judgement';
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

/** What is kept of a campaign, packed: for that revision of its counts, by a program of that make. */
export interface KeptEvidence extends KeptMark {
  readonly campaign: number;
  readonly evidence: Buffer;
}

/** Strata of pairs of claims that were counted in a campaign, packed: of that revision of its counts. */
export interface KeptStrata extends KeptMark {
  readonly campaign: number;
  readonly strata: Buffer;
}

/** The variants of a campaign of which evidence is kept, packed. */
export interface KeptVariants {
  readonly campaign: number;
  readonly variants: Buffer;
}

/** The campaigns of a company. */
export interface CampaignRegistry {
  /** Ascending by key. */
  readonly campaigns: readonly RegisteredCampaign[];
  /** Keys of campaigns that are no more, and of which evidence is kept all the same. */
  readonly gone: readonly number[];
}

/** Which campaigns are what they were when they were kept. */
export interface StandingCampaigns {
  /** Of those that are, as `nameOfMatured` has it. */
  readonly judgedOf: Buffer;
  /** Those that are not, ascending by key. */
  readonly others: readonly RegisteredCampaign[];
  /** As of the registry. */
  readonly gone: readonly number[];
}

/** What all campaigns together amounted to, packed. */
export interface StoredFold {
  readonly make: string;
  readonly fold: Buffer;
}

/** What was judged of a fold, packed. */
export interface StoredJudgement extends JudgementNote {
  readonly make: string;
}

/** Campaigns whose strata are asked for, and the fortnights that they can lie in. */
export interface StrataRange {
  readonly campaigns: readonly Pick<RegisteredCampaign, 'campaign' | 'campaignId'>[];
  readonly firstFortnight: number;
  readonly lastFortnight: number;
}

/** Where a run puts away what it has read before it publishes: beside the state that it reads. */
export interface EvidenceStore {
  keep(campaigns: readonly CampaignNote[]): Promise<void>;
  /** What was put away of some campaigns, in any order. */
  kept(campaigns: readonly number[]): Promise<readonly KeptEvidence[]>;
}

/** A company's counts by campaign, in one state of the database. */
export interface EvidenceSource {
  /** Without one a run holds what it has read until it publishes. */
  readonly store?: EvidenceStore;
  registry(): Promise<CampaignRegistry>;
  /** What the registry says of a day on which most campaigns are what they were, without a row for each of them. */
  standing(): Promise<StandingCampaigns>;
  fold(): Promise<StoredFold | null>;
  /** What was judged of the fold that stands; null where nothing is known of it. */
  judgement(): Promise<StoredJudgement | null>;
  /**
   * What a fold that is made from scratch will probably be asked, so that it is answered as campaigns are read. A wrong
   * guess costs time and changes nothing.
   */
  guess(): Promise<FoldQuestions>;
  /** What is kept of some campaigns, in any order. */
  kept(campaigns: readonly number[]): Promise<readonly KeptEvidence[]>;
  /** The variants of all campaigns of which evidence is kept, of those that have any. */
  variants(): Promise<readonly KeptVariants[]>;
  /** The counts of some campaigns, in any order. */
  rows(campaigns: readonly number[]): Promise<readonly CampaignRows[]>;
  /** The strata that were counted in some campaigns, in any order. */
  keptStrata(campaigns: readonly number[]): Promise<readonly KeptStrata[]>;
  /** Strata of a pair of claims among matured messages, at least those that compare anything; campaigns by key. */
  strata(pair: CompanionPair, range: StrataRange): Promise<readonly CompanionStratum[]>;
  /** Those of some campaigns in which the variant of every message was drawn by lot. */
  randomized(
    campaigns: readonly Pick<RegisteredCampaign, 'campaignId'>[],
  ): Promise<readonly (string | null)[]>;
}
