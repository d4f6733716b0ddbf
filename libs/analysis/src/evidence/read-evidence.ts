import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  judgeFold,
  type CompanionPair,
  type EvidenceAssessment,
  type EvidenceFold,
  type FoldedFamily,
} from '@outcomes/statistics';
import { CampaignShelf } from './campaign-shelf';
import {
  CAMPAIGNS_AT_A_TIME as PAGE,
  randomizedOf,
  type CampaignVariants,
  type CompanyEvidence,
} from './company-evidence';
import type { CampaignRegistry, EvidenceSource, RegisteredCampaign } from './evidence-source';
import { familiesOf, foldedFamilies, pagesOf } from './folded-families';
import { emptyFold, packFold, unpackFold, type Family, type FoldMember, type KeptFold } from './kept-fold';
import type { KnownCampaign, ReadCampaign } from './known-campaign';
import { nameOfMatured, packJudgement } from './kept-judgement';
import { covers } from './matured-fortnights';
import { EVIDENCE_MAKE } from './packed-evidence';
import { isSamePair } from './pair-strata';
import { standingEvidence } from './standing-evidence';

/** A run that goes on from a fold holds no more than this of what it read for the next; the runs after it keep the rest. */
const MAX_KEPT_BYTES = 32 * 2 ** 20;

/**
 * Judges every code of the catalogue. What all campaigns amount to is kept as one fold; families of campaigns that have
 * changed since are taken out of it and added again. Either way the same numbers come out as from the counts alone, bit
 * for bit, because sums are exact.
 * @param observedUntil - day up to which the company's outcomes are known, since 1970-01-01
 * @param mostKeptBytes - of what is read anew, for the next run
 */
export async function readEvidence(
  source: EvidenceSource,
  observedUntil: number,
  mostKeptBytes = MAX_KEPT_BYTES,
): Promise<CompanyEvidence> {
  const standing = await standingEvidence(source, observedUntil, mostKeptBytes);
  if (standing !== null) return standing;
  const registry = await source.registry();
  const stored = await source.fold();
  const anew = async () => emptyFold(await source.guess());
  const before = stored?.make === EVIDENCE_MAKE ? unpackFold(stored.fold) : await anew();
  const reading = (kept: KeptFold) =>
    new EvidenceReading(
      source,
      // What is in a fold must stay as it is in there until the next fold is published.
      new CampaignShelf(
        source,
        observedUntil,
        mostKeptBytes,
        kept.members.length === 0 ? source.store : undefined,
      ),
      registry,
      observedUntil,
      kept,
    );
  return (await reading(before).run()) ?? ((await reading(await anew()).run()) as CompanyEvidence);
}

/** One attempt to bring a fold up to date and to judge it. */
class EvidenceReading {
  private readonly campaigns = new Map<number, KnownCampaign>();
  private families: readonly Family[] = [];

  constructor(
    private readonly source: EvidenceSource,
    private readonly shelf: CampaignShelf,
    private readonly registry: CampaignRegistry,
    private readonly observedUntil: number,
    private readonly before: KeptFold,
  ) {}

  /** @returns null where something that is in the fold is not kept any more, so that it cannot be taken out */
  async run(): Promise<CompanyEvidence | null> {
    let { fold } = this.before;
    if (this.before.members.length === 0) await this.foldAll(fold);
    else if (!(await this.goOn(fold))) return null;
    for (;;) {
      const { missing, assessments, pairs } = judgeFold(fold);
      if (missing === null) return this.conclude(fold, assessments, pairs);
      const features = fold.featuresAsked(missing);
      await this.each(this.families, missing.pairs, (family) => fold.answer(family, missing), features);
      fold = fold.asked(missing);
    }
  }

  /** Brings a fold up to date. @returns whether all that is in it was found */
  private async goOn(fold: EvidenceFold): Promise<boolean> {
    const [outdated, current] = this.differing(await this.learn());
    if (!(await this.remove(fold, outdated))) return false;
    await this.each(current, fold.questions.pairs, (family) => fold.add(family));
    return true;
  }

  /**
   * Every campaign goes into the fold as it is read, so that nothing is read twice. Which ones are of one family is known
   * at the end only: those are taken out again one by one, without a trace, and added together.
   */
  private async foldAll(fold: EvidenceFold): Promise<void> {
    await this.learn(async (matured) => {
      const pairs = uniquePairs(fold.questions.pairs);
      const whole = await this.shelf.withKnownStrata(matured, this.campaigns, pairs);
      // A guess that costs anything is none; what turns out to be needed is asked afterwards.
      if (whole === null) fold.forgetPairs(() => true);
      const read = whole ?? matured;
      for (const family of foldedFamilies(single(read), read)) fold.add(family);
    });
    for (const page of pagesOf(this.families.filter(({ length }) => length > 1))) {
      const read = await this.read(page, fold.questions.pairs);
      for (const family of foldedFamilies(single(read), read)) fold.add(family, -1);
      for (const family of foldedFamilies(page, read)) fold.add(family);
      await nextTurn();
    }
  }

  /**
   * @param use - handed campaigns of which anything has matured, a page at a time
   * @returns keys of the campaigns that are new, or are not what they were
   */
  private async learn(
    use?: (matured: readonly ReadCampaign[]) => Promise<void>,
  ): Promise<ReadonlySet<number>> {
    const members = new Map(this.before.members.map((member) => [member.campaign, member]));
    const anew: RegisteredCampaign[] = [];
    for (const own of this.registry.campaigns) {
      const member = members.get(own.campaign);
      // One of which nothing is kept any more has no variants to show, and is learnt again.
      const stands = member?.revision === own.revision && own.kept?.revision === own.revision;
      if (stands && covers(member.span, this.observedUntil))
        this.campaigns.set(own.campaign, { ...member, campaignId: own.campaignId });
      else anew.push(own);
    }
    for (let from = 0; from < anew.length; from += PAGE) {
      const learnt = await this.shelf.learn(anew.slice(from, from + PAGE), use !== undefined);
      for (const { known } of learnt) this.campaigns.set(known.campaign, known);
      await use?.(learnt.flatMap(({ known, read }) => (known.span.maturedOn === null ? [] : [read])));
      await nextTurn();
    }
    this.families = familiesOf([...this.campaigns.values()]);
    return new Set(anew.map(({ campaign }) => campaign));
  }

  /** Families of the fold that are no more what they were, and those that take their place. */
  private differing(changed: ReadonlySet<number>): [readonly Family[], readonly Family[]] {
    const known = this.before.families;
    const nameOf = (family: Family) => family.join(' ');
    const names = new Set(known.map(nameOf));
    const isSame = (family: Family) =>
      names.has(nameOf(family)) && !family.some((campaign) => changed.has(campaign));
    const current = this.families.filter((family) => !isSame(family));
    const staying = new Set(this.families.filter(isSame).map(nameOf));
    return [known.filter((family) => !staying.has(nameOf(family))), current];
  }

  private async remove(fold: EvidenceFold, families: readonly Family[]): Promise<boolean> {
    const members = new Map(this.before.members.map((member) => [member.campaign, member]));
    for (const page of pagesOf(families)) {
      const read = await this.shelf.recallAll(
        page.flat().map((key) => members.get(key) as FoldMember),
        fold.questions.pairs,
      );
      if (read === null) return false;
      for (const family of foldedFamilies(page, read)) fold.add(family, -1);
      await nextTurn();
    }
    return true;
  }

  private async each(
    families: readonly Family[],
    pairs: readonly CompanionPair[],
    use: (family: FoldedFamily) => void,
    features?: ReadonlySet<number>,
  ): Promise<void> {
    for (const page of pagesOf(families)) {
      for (const family of foldedFamilies(page, await this.read(page, pairs), features)) use(family);
      await nextTurn();
    }
  }

  private async read(
    families: readonly Family[],
    pairs: readonly CompanionPair[],
  ): Promise<readonly ReadCampaign[]> {
    const known = families.flat().map((key) => this.campaigns.get(key) as KnownCampaign);
    return this.shelf.withStrata(await this.shelf.read(known), this.campaigns, uniquePairs(pairs));
  }

  private async conclude(
    fold: EvidenceFold,
    assessments: readonly EvidenceAssessment[],
    pairs: readonly CompanionPair[],
  ): Promise<CompanyEvidence> {
    const variants = await this.variants();
    const members = [...this.campaigns.values()].sort((a, b) => a.campaign - b.campaign);
    fold.forgetPairs((own) => !pairs.some((pair) => isSamePair(own, pair)));
    const withVariants = variants.map(({ campaign }) => campaign);
    return {
      assessments,
      variants,
      randomized: await randomizedOf(this.source, variants),
      notes: {
        ...this.shelf.notes(pairs),
        // Where evidence was lost, strata may have stayed that no row of it tells of.
        gone: this.before.members.length === 0 ? null : this.registry.gone,
        fold: this.shelf.keepsAll
          ? {
              fold: packFold({ members, families: this.families, fold }),
              judgedOf: nameOfMatured(members),
              judgement: packJudgement({ assessments, pairs, withVariants }),
            }
          : null,
      },
    };
  }

  private async variants(): Promise<CampaignVariants[]> {
    const found = new Map((await this.source.variants()).map((own) => [own.campaign, own.variants]));
    const learnt = this.shelf.newVariants;
    return [...this.campaigns.values()]
      .sort((a, b) => a.first - b.first || a.campaign - b.campaign)
      .flatMap(({ campaign, campaignId }) => {
        const variants = this.shelf.isNew(campaign) ? learnt.get(campaign) : found.get(campaign);
        return variants ? [{ campaign, campaignId, variants }] : [];
      });
  }
}

function uniquePairs(pairs: readonly CompanionPair[]): CompanionPair[] {
  return pairs.filter((pair, i) => pairs.findIndex((other) => isSamePair(pair, other)) === i);
}

/** Each campaign as a family of its own. */
function single(campaigns: readonly ReadCampaign[]): Family[] {
  return campaigns.map(({ campaign }) => [campaign]);
}
