import {
  type CampaignScores,
  type CompanionCounts,
  type EvidenceCounts,
  type EvidenceJudgement,
  type EvidenceRules,
  judgeEvidence,
  scoreCampaign,
  textFamilies,
  textSpread,
  type TextSpread,
} from '../evidence';
import type { EvidenceCompany } from '../testing';

/** Deliberate mistakes, to see that the acceptance lines notice them. */
export interface EvidenceMutation {
  /** distance of texts in every unit: 0 takes messages for units, 2 whole campaigns */
  readonly distance?: number;
  /** false: campaigns that reuse each other's texts count as independent */
  readonly families?: boolean;
  /** false: nobody counts the strata of companions */
  readonly companions?: boolean;
  readonly rules?: Partial<EvidenceRules>;
}

interface Kept {
  readonly counts: EvidenceCounts;
  readonly scores: CampaignScores;
}

/**
 * What the fortnightly runs of one company show, through the functions that ship: only campaigns that have sent are
 * scored again, only families with such a campaign are spread again, and pairs of claims are counted as they come up.
 */
export function replayEvidence(
  company: EvidenceCompany,
  mutation: EvidenceMutation,
  look: (judgement: EvidenceJudgement, fortnight: number, isLast: boolean) => void,
): void {
  const kept = new Map<number, Kept>();
  let spreads = new Map<string, TextSpread>();
  for (let fortnight = 0; fortnight < company.fortnights; fortnight++) {
    const changed = new Set<number>();
    for (let campaign = 0; campaign < company.campaigns; campaign++) {
      if (!company.sendsIn(campaign, fortnight)) continue;
      const counts = company.campaignCounts(campaign, fortnight);
      kept.set(campaign, { counts, scores: scoreCampaign(company.design, counts) });
      changed.add(campaign);
    }
    const campaigns = [...kept.values()].map(({ counts }) => counts);
    const families =
      mutation.families === false ? campaigns.map(({ campaign }) => [campaign]) : textFamilies(campaigns);
    const known = spreads;
    spreads = new Map();
    const evidence = families.map((members) => {
      const key = members.join(' ');
      const before = members.some((campaign) => changed.has(campaign)) ? undefined : known.get(key);
      const spread =
        before ??
        spreadOf(
          company,
          members.map((campaign) => kept.get(campaign) as Kept),
          mutation,
        );
      spreads.set(key, spread);
      return { campaigns: members.map((campaign) => (kept.get(campaign) as Kept).scores), spread };
    });
    const options = { asOf: fortnight, rules: mutation.rules ?? {} };
    let judgement = judgeEvidence(company.design, evidence, options);
    if (judgement.pairs.length > 0 && mutation.companions !== false) {
      const companions = judgement.pairs.map((pair): CompanionCounts => ({
        ...pair,
        strata: company.companionStrata(pair, fortnight),
      }));
      judgement = judgeEvidence(company.design, evidence, { ...options, companions });
    }
    look(judgement, fortnight, fortnight === company.fortnights - 1);
  }
}

function spreadOf(
  { design }: EvidenceCompany,
  members: readonly Kept[],
  { distance }: EvidenceMutation,
): TextSpread {
  const spread = textSpread(
    design,
    members.map(({ counts }) => counts.bins),
  );
  return distance === undefined ? spread : { ...spread, distances: spread.distances.map(() => distance) };
}
