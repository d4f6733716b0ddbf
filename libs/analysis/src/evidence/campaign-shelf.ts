import type { CompanionPair } from '@outcomes/statistics';
import { evidenceOf, NO_TEXT_ROWS, type CampaignRows } from './campaign-evidence';
import type { CampaignNote, StrataNote } from './evidence-notes.repository';
import type {
  EvidenceSource,
  EvidenceStore,
  KeptEvidence,
  KeptStrata,
  RegisteredCampaign,
} from './evidence-source';
import type { FoldMember } from './kept-fold';
import {
  compares,
  isOfState,
  knownCampaign,
  stateOf,
  strataOf,
  type KnownCampaign,
  type ReadCampaign,
} from './known-campaign';
import { EVIDENCE_MAKE, packEvidence, unpackEvidence } from './packed-evidence';
import { covers } from './matured-fortnights';
import {
  isSamePair,
  packStrata,
  STRATA_MAKE,
  unpackStrata,
  type PairStrata,
  type Stratum,
} from './pair-strata';
import { strataPages } from './strata-pages';

/** Held of what was read anew before it is put away; as it is sent, the driver holds it several times. */
const HELD_BYTES = 2 ** 21;

/** What came of a campaign in this run, to be kept for the next. */
interface News {
  readonly known: KnownCampaign;
  /** null where there is no more room, or where it was put away */
  readonly packed: Buffer | null;
  readonly isStored: boolean;
}

/** A campaign as a run knows it, and all that it amounts to, which is not held for longer than it is used. */
export interface LearntCampaign {
  readonly known: KnownCampaign;
  readonly read: ReadCampaign;
}

/** Strata of a campaign in its state, packed. */
interface OwnStrata {
  readonly known: KnownCampaign;
  readonly packed: Buffer | null;
  /** Whether any were counted in this run. */
  readonly isNew: boolean;
}

/**
 * The evidence of single campaigns: what earlier runs kept of them, and what their counts say where nothing is kept.
 * A run holds a few pages of them at a time, and what it will keep in packed form.
 */
export class CampaignShelf {
  private readonly news = new Map<number, News>();
  private readonly variantsOf = new Map<number, Buffer>();
  private readonly strataOf = new Map<number, OwnStrata>();

  /** Bytes of what was read anew and is held. */
  private held = 0;

  /**
   * @param room - bytes of what is read anew that a run may hold for the next; the runs after it keep the rest
   * @param store - takes all of it, as it is read
   */
  constructor(
    private readonly source: EvidenceSource,
    private readonly observedUntil: number,
    private readonly room: number,
    private readonly store?: EvidenceStore,
  ) {}

  /** Variants of campaigns that were read anew. */
  get newVariants(): ReadonlyMap<number, Buffer> {
    return this.variantsOf;
  }

  /** Whether a campaign's counts were read in this run. */
  isNew(campaign: number): boolean {
    return this.news.has(campaign);
  }

  /** Whether the next run finds everything that this one has read. */
  get keepsAll(): boolean {
    return [...this.news.values()].every(({ packed, isStored }) => packed !== null || isStored);
  }

  /**
   * Learns what campaigns amount to that are new or have changed.
   * @param toFold - whether they are folded as they are handed over
   */
  async learn(campaigns: readonly RegisteredCampaign[], toFold = false): Promise<LearntCampaign[]> {
    const usable = campaigns.filter(({ revision, kept }) => this.isUsable(revision, kept));
    const kept = await this.keptOf(usable);
    const counted = await this.rowsOf(campaigns.filter(({ campaign }) => !kept.has(campaign)));
    const learnt = campaigns.map((own) => {
      const found = kept.get(own.campaign);
      const rows = counted.get(own.campaign);
      return found && own.kept
        ? this.recall(own, found, own.kept)
        : this.discover(
            own,
            rows ?? { campaign: own.campaign, cells: [], later: [], texts: NO_TEXT_ROWS },
            toFold,
          );
    });
    if (this.held > Math.min(this.room, HELD_BYTES)) await this.putAway();
    return learnt;
  }

  private async putAway(): Promise<void> {
    if (!this.store) return;
    const held = [...this.news.values()].filter(({ packed }) => packed !== null);
    await this.store.keep(held.flatMap((own) => this.noteOf(own)));
    for (const { known } of held) this.news.set(known.campaign, { known, packed: null, isStored: true });
    this.held = 0;
  }

  /** What campaigns amount to that have been learnt, or have not changed. */
  async read(campaigns: readonly KnownCampaign[]): Promise<ReadCampaign[]> {
    // What was read anew and found no room is not what earlier runs kept.
    const kept = await this.keptOf(campaigns.filter(({ campaign }) => !this.isNew(campaign)));
    const stored = campaigns.filter(({ campaign }) => this.news.get(campaign)?.isStored);
    for (const [campaign, row] of await this.keptOf(stored, this.store)) kept.set(campaign, row);
    const lost = campaigns.filter(
      (own) => !this.news.get(own.campaign)?.packed && !isOfState(kept.get(own.campaign), own, EVIDENCE_MAKE),
    );
    const counted = await this.rowsOf(lost);
    return campaigns.map(({ campaign, campaignId }) => {
      const news = this.news.get(campaign);
      const row = kept.get(campaign);
      const rows = counted.get(campaign);
      const none = { campaignId, strata: [] };
      if (news?.packed) return { ...unpackEvidence(campaign, news.packed), ...none };
      if (rows) return { ...evidenceOf(rows, this.observedUntil).evidence, ...none };
      return { ...unpackEvidence(campaign, (row as KeptEvidence).evidence), ...none };
    });
  }

  /**
   * What earlier runs kept of campaigns.
   * @param pairs - whose strata belong to it
   * @returns null where anything is missing, or is of another state: of two runs at the same time, say
   */
  async recallAll(
    members: readonly FoldMember[],
    pairs: readonly CompanionPair[],
  ): Promise<ReadCampaign[] | null> {
    const kept = await this.keptOf(members);
    const keptStrata = await this.keptStrataOf(pairs.length > 0 ? members : []);
    const found = members.flatMap((member) => {
      const row = kept.get(member.campaign);
      if (!isOfState(row, member, EVIDENCE_MAKE)) return [];
      const strata = strataOf(keptStrata.get(member.campaign), member);
      const own = { ...unpackEvidence(member.campaign, row.evidence), campaignId: null, strata };
      const isWhole = pairs.every(
        (pair) => strata.some((one) => isSamePair(one, pair)) || !compares(own, pair),
      );
      return isWhole ? [own] : [];
    });
    return found.length === members.length ? found : null;
  }

  /** The same campaigns with the strata of some pairs, which are counted once for as long as a campaign stays the same. */
  async withStrata(
    campaigns: readonly ReadCampaign[],
    known: ReadonlyMap<number, KnownCampaign>,
    pairs: readonly CompanionPair[],
  ): Promise<ReadCampaign[]> {
    const asked = campaigns.filter((own) => pairs.some((pair) => compares(own, pair)));
    const strata = await this.recallStrata(asked.map((own) => known.get(own.campaign) as KnownCampaign));
    const counted = new Set<number>();
    for (const pair of pairs) {
      const unknown = asked.filter(
        (own) => !strata.get(own.campaign)?.some((one) => isSamePair(one, pair)) && compares(own, pair),
      );
      const found = new Map<number, Stratum[]>(unknown.map(({ campaign }) => [campaign, []]));
      for (const range of strataPages(unknown)) {
        for (const { campaign, ...stratum } of await this.source.strata(pair, range))
          found.get(campaign)?.push(stratum);
      }
      for (const [campaign, own] of found) {
        const all = strata.get(campaign) as PairStrata[];
        all.push({ code: pair.code, within: pair.within, strata: own });
        counted.add(campaign);
      }
    }
    for (const campaign of counted) {
      const packed = packStrata(strata.get(campaign) ?? []);
      this.strataOf.set(campaign, { known: known.get(campaign) as KnownCampaign, packed, isNew: true });
    }
    return campaigns.map((own) => ({ ...own, strata: strata.get(own.campaign) ?? [] }));
  }

  /** The same where all of the strata are known. @returns null where any would have to be counted */
  async withKnownStrata(
    campaigns: readonly ReadCampaign[],
    known: ReadonlyMap<number, KnownCampaign>,
    pairs: readonly CompanionPair[],
  ): Promise<ReadCampaign[] | null> {
    const asked = campaigns.filter((own) => pairs.some((pair) => compares(own, pair)));
    const strata = await this.recallStrata(asked.map((own) => known.get(own.campaign) as KnownCampaign));
    const isWhole = asked.every((own) =>
      pairs.every(
        (pair) => strata.get(own.campaign)?.some((one) => isSamePair(one, pair)) || !compares(own, pair),
      ),
    );
    return isWhole ? campaigns.map((own) => ({ ...own, strata: strata.get(own.campaign) ?? [] })) : null;
  }

  /** What is to be kept; strata that nobody asks for any more go with the next change. */
  notes(pairs: readonly CompanionPair[]): { campaigns: CampaignNote[]; strata: StrataNote[] } {
    const campaigns: CampaignNote[] = [];
    const strata: StrataNote[] = [];
    for (const own of this.news.values()) {
      const { known } = own;
      campaigns.push(...this.noteOf(own));
      if (!this.strataOf.has(known.campaign)) strata.push({ ...stateOf(known), strata: null });
    }
    for (const { known, packed, isNew } of this.strataOf.values()) {
      if (!isNew || packed === null) continue;
      const asked = unpackStrata(packed).filter((one) => pairs.some((pair) => isSamePair(one, pair)));
      strata.push({ ...stateOf(known), strata: asked.length > 0 ? packStrata(asked) : null });
    }
    return { campaigns, strata };
  }

  private noteOf({ known, packed }: News): CampaignNote[] {
    const variants = this.variantsOf.get(known.campaign) ?? null;
    return packed === null ? [] : [{ ...stateOf(known), evidence: packed, variants }];
  }

  /** Strata that earlier runs, or this one, have counted in campaigns in the state in which they are. */
  private async recallStrata(campaigns: readonly KnownCampaign[]): Promise<Map<number, PairStrata[]>> {
    const unread = campaigns.filter(({ campaign }) => !this.strataOf.has(campaign));
    const kept = await this.keptStrataOf(unread);
    for (const known of unread) {
      const row = kept.get(known.campaign);
      const packed = isOfState(row, known, STRATA_MAKE) ? row.strata : null;
      this.strataOf.set(known.campaign, { known, packed, isNew: false });
    }
    return new Map(
      campaigns.map(({ campaign }) => {
        const packed = this.strataOf.get(campaign)?.packed;
        return [campaign, packed ? unpackStrata(packed) : []];
      }),
    );
  }

  private async keptStrataOf(campaigns: readonly { campaign: number }[]): Promise<Map<number, KeptStrata>> {
    if (campaigns.length === 0) return new Map();
    const rows = await this.source.keptStrata(campaigns.map(({ campaign }) => campaign));
    return new Map(rows.map((row) => [row.campaign, row]));
  }

  private recall(own: RegisteredCampaign, row: KeptEvidence, span: KnownCampaign['span']): LearntCampaign {
    const evidence = unpackEvidence(own.campaign, row.evidence);
    const known = knownCampaign(own, span, evidence.scores.first, evidence.texts);
    return { known, read: { ...evidence, campaignId: own.campaignId, strata: [] } };
  }

  private discover(own: RegisteredCampaign, rows: CampaignRows, toFold: boolean): LearntCampaign {
    const { evidence, span } = evidenceOf(rows, this.observedUntil, toFold);
    const known = knownCampaign(own, span, evidence.scores.first, evidence.texts);
    const packed = this.store || this.held < this.room ? packEvidence(evidence) : null;
    this.held += packed?.length ?? 0;
    if (evidence.variants) this.variantsOf.set(own.campaign, evidence.variants);
    this.news.set(own.campaign, { known, packed, isStored: false });
    return { known, read: { ...evidence, campaignId: own.campaignId, strata: [] } };
  }

  private isUsable(revision: string, kept: RegisteredCampaign['kept']): boolean {
    return kept?.revision === revision && kept.make === EVIDENCE_MAKE && covers(kept, this.observedUntil);
  }

  private async keptOf(
    campaigns: readonly { campaign: number }[],
    from: Pick<EvidenceSource, 'kept'> = this.source,
  ): Promise<Map<number, KeptEvidence>> {
    if (campaigns.length === 0) return new Map();
    const rows = await from.kept(campaigns.map(({ campaign }) => campaign));
    return new Map(rows.map((row) => [row.campaign, row]));
  }

  private async rowsOf(campaigns: readonly { campaign: number }[]) {
    if (campaigns.length === 0) return new Map<number, never>();
    const rows = await this.source.rows(campaigns.map(({ campaign }) => campaign));
    return new Map(rows.map((row) => [row.campaign, row]));
  }
}
