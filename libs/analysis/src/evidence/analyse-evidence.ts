import {
  assessVariants,
  judgeEvidence,
  textFamilies,
  textSpread,
  TEXT_BINS,
  type CompanionCounts,
  type CompanionPair,
  type EvidenceAssessment,
  type FamilyEvidence,
  type VariantAssessment,
} from '@outcomes/statistics';
import { NumberReader } from '@outcomes/persistence';
import type { CampaignEvidence } from './campaign-evidence';
import { EVIDENCE_DESIGN } from './evidence-design';
import { addSparseCounts } from './sparse-numbers';
import { unpackVariants } from './variant-cells';

/** A campaign's evidence, and the campaign by name. */
export interface NamedEvidence extends CampaignEvidence {
  readonly campaignId: string | null;
}

/** What the analysis asks of a company. */
export interface EvidenceQuestions {
  /** By first fortnight, then by key; each has matured messages. */
  readonly campaigns: readonly NamedEvidence[];
  /** Strata of pairs of claims; campaigns by key. */
  strata(pairs: readonly CompanionPair[]): Promise<readonly CompanionCounts[]>;
}

/** A variant of a campaign. */
export interface VariantFinding extends Omit<VariantAssessment, 'campaign'> {
  readonly campaignId: string | null;
}

/** What a company's campaigns say. Fortnights are those since 1970-01-01. */
export interface EvidenceFindings {
  /** One per code, in the order of the catalogue. */
  readonly assessments: readonly EvidenceAssessment[];
  /** By campaign in the order of their first fortnights, then by variant. */
  readonly variants: readonly VariantFinding[];
}

/**
 * Judges every code of the catalogue, asks for the strata of claims that may only keep company with stronger ones, and
 * judges again. Campaigns go by their place in the order, so that sums come about in one order only.
 */
export async function analyseEvidence(questions: EvidenceQuestions): Promise<EvidenceFindings> {
  const { campaigns } = questions;
  const families = familiesOf(campaigns);
  const alone = judgeEvidence(EVIDENCE_DESIGN, families);
  const companions = await companionsOf(questions, alone.pairs);
  const { assessments } =
    companions.length === 0 ? alone : judgeEvidence(EVIDENCE_DESIGN, families, { companions });
  return { assessments, variants: variantsOf(campaigns) };
}

/** Campaigns that share texts, with the spread of their texts. */
function familiesOf(campaigns: readonly NamedEvidence[]): FamilyEvidence[] {
  const members = campaigns.map(({ texts }, campaign) => ({
    campaign,
    texts: { ids: texts.map(({ textId }) => textId), n: texts.map(({ touches }) => touches) },
  }));
  return textFamilies(members).map((places) => {
    const family = places.map((place) => campaigns[place] as NamedEvidence);
    return {
      campaigns: places.map((place, i) => ({ ...(family[i] as NamedEvidence).scores, campaign: place })),
      spread: textSpread(EVIDENCE_DESIGN, [binsOf(family)]),
    };
  });
}

/** Messages per level and text bin of all of them. */
function binsOf(campaigns: readonly NamedEvidence[]): Float64Array {
  const sums = new Float64Array(EVIDENCE_DESIGN.width * TEXT_BINS);
  for (const { bins } of campaigns) addSparseCounts(new NumberReader(bins), sums);
  return sums;
}

async function companionsOf(
  questions: EvidenceQuestions,
  pairs: readonly CompanionPair[],
): Promise<CompanionCounts[]> {
  if (pairs.length === 0) return [];
  const places = new Map(questions.campaigns.map(({ campaign }, place) => [campaign, place]));
  const counted = await questions.strata(pairs);
  return counted.map((own) => ({
    ...own,
    strata: own.strata.flatMap((stratum) => {
      const place = places.get(stratum.campaign);
      return place === undefined ? [] : [{ ...stratum, campaign: place }];
    }),
  }));
}

function variantsOf(campaigns: readonly NamedEvidence[]): VariantFinding[] {
  const counts = campaigns.flatMap(({ variants }, place) => unpackVariants(variants, place));
  return assessVariants(counts).map(({ campaign, ...own }) => ({
    campaignId: campaigns[campaign]?.campaignId ?? null,
    ...own,
  }));
}
