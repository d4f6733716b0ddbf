import type { CompanionPair } from '@outcomes/statistics';
import type { CampaignEvidence } from './campaign-evidence';
import { EVIDENCE_DESIGN } from './evidence-design';
import type { KeptMark, KeptStrata, RegisteredCampaign } from './evidence-source';
import type { FoldMember } from './kept-fold';
import type { PackedPart } from './packed-evidence';
import { STRATA_MAKE, unpackStrata, type PairStrata } from './pair-strata';

/** A campaign as a run knows it, without what can be read again. */
export interface KnownCampaign extends FoldMember {
  readonly campaignId: string | null;
}

/** A campaign with all that it amounts to. */
export interface ReadCampaign extends PackedPart {
  readonly campaignId: string | null;
  /** Strata that are known. */
  readonly strata: readonly PairStrata[];
}

/** What rows that are kept of a campaign are marked with. */
export function stateOf({ campaign, revision, span }: KnownCampaign) {
  return { campaign, revision, ...span };
}

/** Strata that are kept of a campaign in that state; none where they are of another. */
export function strataOf(row: KeptStrata | undefined, member: FoldMember): PairStrata[] {
  return isOfState(row, member, STRATA_MAKE) ? unpackStrata(row.strata) : [];
}

/** Whether a row is of a campaign as it is known, by a program of that make. */
export function isOfState<Row extends KeptMark>(
  row: Row | undefined,
  { revision, span }: FoldMember,
  make: string,
): row is Row {
  return (
    row?.revision === revision &&
    row.make === make &&
    row.maturedOn === span.maturedOn &&
    row.maturesNext === span.maturesNext
  );
}

export function knownCampaign(
  { campaign, campaignId, revision }: RegisteredCampaign,
  { maturedOn, maturesNext }: KnownCampaign['span'],
  first: number,
  texts: KnownCampaign['texts'],
): KnownCampaign {
  return { campaign, campaignId, revision, span: { maturedOn, maturesNext }, first, texts };
}

/** Whether a campaign compares a code with anything; where it does not, nor do its strata. */
export function compares({ scores }: Pick<CampaignEvidence, 'scores'>, { code }: CompanionPair): boolean {
  const index = EVIDENCE_DESIGN.codes.findIndex((one) => one.code === code);
  const contrast = EVIDENCE_DESIGN.features[EVIDENCE_DESIGN.featureOf[index] ?? -1]?.contrast ?? -1;
  for (let at = contrast; at < scores.v.length; at += EVIDENCE_DESIGN.contrasts.length) {
    if ((scores.v[at] ?? 0) > 0) return true;
  }
  return false;
}
