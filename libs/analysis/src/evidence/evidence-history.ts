import type { CompanionCounts, CompanionPair } from '@outcomes/statistics';
import type { CampaignEvidence } from './campaign-evidence';
import { EVIDENCE_DESIGN } from './evidence-design';
import type { EvidenceNotes } from './evidence-notes';
import type { EvidenceSource, RegisteredCampaign } from './evidence-source';
import type { MaturedSpan } from './matured-fortnights';
import { isSamePair, packStrata, type PairStrata, type Stratum } from './pair-strata';
import { strataPages } from './strata-pages';
import { hasVariants } from './variant-cells';

/** A campaign as a run has it before it. */
export interface ReadCampaign extends RegisteredCampaign, CampaignEvidence {
  readonly span: MaturedSpan;
  /** What is to be kept of it; null where it is kept already, or not in this run. */
  readonly packed: Buffer | null;
  /** Strata that are known. */
  strata: readonly PairStrata[];
  strataChanged: boolean;
}

const CAMPAIGNS_PER_STATEMENT = 200;

/** A company's evidence, campaign by campaign, in one order: by first fortnight, then by key. */
export class EvidenceHistory {
  /** @param waiting - campaigns of which nothing has matured */
  constructor(
    private readonly source: Pick<EvidenceSource, 'strata' | 'randomized'>,
    readonly campaigns: readonly ReadCampaign[],
    private readonly waiting: readonly ReadCampaign[],
  ) {}

  /** Strata of pairs of claims. Those of a campaign are counted once, until the campaign changes. */
  async strata(pairs: readonly CompanionPair[]): Promise<CompanionCounts[]> {
    const counted: CompanionCounts[] = [];
    for (const pair of pairs) {
      await this.countPair(pair);
      const strata = this.campaigns.flatMap(({ campaign, strata: own }) =>
        (own.find((one) => isSamePair(one, pair))?.strata ?? []).map((stratum) => ({ campaign, ...stratum })),
      );
      counted.push({ ...pair, strata });
    }
    this.forgetOtherPairs(pairs);
    return counted;
  }

  /** Campaigns in which the variant of every message was drawn by lot, of those that have variants. */
  async randomized(): Promise<Set<string | null>> {
    const withVariants = this.campaigns.filter(({ variants }) => hasVariants(variants));
    const found = new Set<string | null>();
    for (let from = 0; from < withVariants.length; from += CAMPAIGNS_PER_STATEMENT) {
      const page = withVariants.slice(from, from + CAMPAIGNS_PER_STATEMENT);
      for (const campaignId of await this.source.randomized(page)) found.add(campaignId);
    }
    return found;
  }

  /** What the next run need not read again. */
  get notes(): EvidenceNotes {
    const all = [...this.campaigns, ...this.waiting];
    const noteOf = ({ campaign, revision, span, strata }: ReadCampaign) => {
      return { campaign, revision, ...span, strata: strata.length > 0 ? packStrata(strata) : null };
    };
    return {
      campaigns: all.flatMap((own) => (own.packed ? [{ ...noteOf(own), evidence: own.packed }] : [])),
      strata: all.filter(({ packed, strataChanged }) => strataChanged && !packed).map(noteOf),
    };
  }

  private async countPair(pair: CompanionPair): Promise<void> {
    const unknown = this.campaigns.filter(
      (own) => !own.strata.some((one) => isSamePair(one, pair)) && compares(own, pair),
    );
    const found = new Map<number, Stratum[]>(unknown.map(({ campaign }) => [campaign, []]));
    for (const range of strataPages(unknown)) {
      for (const { campaign, ...stratum } of await this.source.strata(pair, range))
        found.get(campaign)?.push(stratum);
    }
    for (const own of unknown) {
      own.strata = [...own.strata, { ...pair, strata: found.get(own.campaign) ?? [] }];
      own.strataChanged = true;
    }
  }

  /** What nobody asks for is not kept for ever; it goes with the next change of what is kept. */
  private forgetOtherPairs(pairs: readonly CompanionPair[]): void {
    for (const own of this.campaigns) {
      if (!own.strataChanged) continue;
      own.strata = own.strata.filter((one) => pairs.some((pair) => isSamePair(one, pair)));
    }
  }
}

/** Whether a campaign compares a code with anything; where it does not, nor do its strata. */
function compares({ scores }: CampaignEvidence, { code }: CompanionPair): boolean {
  const index = EVIDENCE_DESIGN.codes.findIndex((one) => one.code === code);
  const contrast = EVIDENCE_DESIGN.features[EVIDENCE_DESIGN.featureOf[index] ?? -1]?.contrast ?? -1;
  for (let at = contrast; at < scores.v.length; at += EVIDENCE_DESIGN.contrasts.length) {
    if ((scores.v[at] ?? 0) > 0) return true;
  }
  return false;
}
