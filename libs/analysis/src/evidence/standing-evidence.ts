import { setImmediate as nextTurn } from 'node:timers/promises';
import { CampaignShelf } from './campaign-shelf';
import {
  CAMPAIGNS_AT_A_TIME,
  randomizedOf,
  type CampaignVariants,
  type CompanyEvidence,
} from './company-evidence';
import type {
  CampaignRegistry,
  EvidenceSource,
  KeptMark,
  RegisteredCampaign,
  StandingCampaigns,
} from './evidence-source';
import { nameOfMatured, unpackJudgement, type Judgement } from './kept-judgement';
import { covers } from './matured-fortnights';
import { EVIDENCE_MAKE } from './packed-evidence';

/**
 * What was judged before, where no campaign of which anything has matured is another than it was then: on most days
 * messages are sent and answered that are still to mature, and nothing but the list of campaigns is read.
 * @returns null where it has to be judged anew
 */
export async function standingEvidence(
  source: EvidenceSource,
  observedUntil: number,
  room: number,
): Promise<CompanyEvidence | null> {
  const stored = await source.judgement();
  if (stored?.make !== EVIDENCE_MAKE) return null;
  const { judgedOf, others, gone } = await source.standing();
  if (!judgedOf.equals(stored.judgedOf)) return null;
  // What was to mature by now has.
  if (others.some(({ kept }) => kept?.maturesNext != null && kept.maturesNext <= observedUntil)) return null;
  const shelf = new CampaignShelf(source, observedUntil, room);
  for (let from = 0; from < others.length; from += CAMPAIGNS_AT_A_TIME) {
    const learnt = await shelf.learn(others.slice(from, from + CAMPAIGNS_AT_A_TIME));
    if (learnt.some(({ known }) => known.span.maturedOn !== null)) return null;
    await nextTurn();
  }
  const judgement = unpackJudgement(stored.judgement);
  const variants = await variantsOf(source, judgement);
  return {
    assessments: judgement.assessments,
    variants,
    randomized: await randomizedOf(source, variants),
    notes: { ...shelf.notes(judgement.pairs), gone, fold: 'stands' },
  };
}

/** What the campaigns of a registry are, taken one by one. */
export function standingOf({ campaigns, gone }: CampaignRegistry, observedUntil: number): StandingCampaigns {
  const unchanged = campaigns.filter((own) => isKept(own, observedUntil));
  const others = campaigns.filter((own) => !isKept(own, observedUntil));
  return { judgedOf: nameOfMatured(unchanged.map(stateOf)), others, gone };
}

/** Whether what is kept of a campaign is what its counts say today. */
function isKept(
  own: RegisteredCampaign,
  observedUntil: number,
): own is RegisteredCampaign & { kept: KeptMark } {
  const { kept, revision } = own;
  return kept?.revision === revision && kept.make === EVIDENCE_MAKE && covers(kept, observedUntil);
}

function stateOf({ campaign, revision, kept }: RegisteredCampaign & { kept: KeptMark }) {
  return { campaign, revision, span: kept };
}

async function variantsOf(source: EvidenceSource, { withVariants }: Judgement): Promise<CampaignVariants[]> {
  if (withVariants.length === 0) return [];
  const { campaigns } = await source.registry();
  const ids = new Map(campaigns.map(({ campaign, campaignId }) => [campaign, campaignId]));
  const found = new Map((await source.variants()).map(({ campaign, variants }) => [campaign, variants]));
  return withVariants.flatMap((campaign) => {
    const variants = found.get(campaign);
    return variants ? [{ campaign, campaignId: ids.get(campaign) ?? null, variants }] : [];
  });
}
