import {
  judgeEvidence,
  textFamilies,
  textSpread,
  TEXT_BINS,
  type CompanionCounts,
  type CompanionPair,
  type EvidenceAssessment,
  type FamilyEvidence,
} from '@outcomes/statistics';
import { NumberReader, readKeyed } from '@outcomes/persistence';
import type { CampaignEvidence } from './campaign-evidence';
import { EVIDENCE_DESIGN } from './evidence-design';

/** What the analysis asks of a company. */
export interface EvidenceQuestions {
  /** By first fortnight, then by key; each has matured messages. */
  readonly campaigns: readonly CampaignEvidence[];
  /** Strata of pairs of claims; campaigns by key. */
  strata(pairs: readonly CompanionPair[]): Promise<readonly CompanionCounts[]>;
}

/**
 * Judges every code of the catalogue, asks for the strata of claims that may only keep company with stronger ones, and
 * judges again. Campaigns go by their place in the order, so that sums come about in one order only.
 * @returns one assessment per code, in the order of the catalogue; fortnights are those since 1970-01-01
 */
export async function analyseEvidence(questions: EvidenceQuestions): Promise<readonly EvidenceAssessment[]> {
  const { campaigns } = questions;
  const families = familiesOf(campaigns);
  const alone = judgeEvidence(EVIDENCE_DESIGN, families);
  const companions = await companionsOf(questions, alone.pairs);
  if (companions.length === 0) return alone.assessments;
  return judgeEvidence(EVIDENCE_DESIGN, families, { companions }).assessments;
}

/** Campaigns that share texts, with the spread of their texts. */
function familiesOf(campaigns: readonly CampaignEvidence[]): FamilyEvidence[] {
  const members = campaigns.map(({ texts }, campaign) => ({
    campaign,
    texts: { ids: texts.map(({ textId }) => textId), n: texts.map(({ touches }) => touches) },
  }));
  // One for all families of several: their bins are some 40 kB, and only their spread stays.
  const bins = new Float64Array(EVIDENCE_DESIGN.width * TEXT_BINS);
  return textFamilies(members).map((places) => {
    const family = places.map((place) => campaigns[place] as CampaignEvidence);
    const [only] = family;
    return {
      campaigns: places.map((place, i) => ({ ...(family[i] as CampaignEvidence).scores, campaign: place })),
      spread:
        only !== undefined && family.length === 1
          ? only.spread
          : textSpread(EVIDENCE_DESIGN, [sumBins(family, bins)]),
    };
  });
}

/** Sets messages per level and text bin, of all of them. */
function sumBins(campaigns: readonly CampaignEvidence[], sums: Float64Array): Float64Array {
  sums.fill(0);
  for (const { bins } of campaigns) {
    const reader = new NumberReader(bins);
    readKeyed(reader, (place) => {
      sums[place] = (sums[place] as number) + reader.count();
    });
  }
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
