import { randomUUID } from 'node:crypto';
import { CampaignCellCounts, CampaignTextCounts, fortnightOf, textShardOf } from '@outcomes/persistence';
import { NO_QUESTIONS, type EvidenceAssessment, type FoldQuestions } from '@outcomes/statistics';
import { analyseVariants, type VariantFinding } from '../src/evidence/analyse-variants';
import type { EvidenceNotes } from '../src/evidence/evidence-notes.repository';
import type {
  EvidenceSource,
  EvidenceStore,
  KeptStrata,
  RegisteredCampaign,
  StoredFold,
  StoredJudgement,
} from '../src/evidence/evidence-source';
import { NO_TEXT_ROWS } from '../src/evidence/campaign-evidence';
import type { WaysOfTexts } from '../src/evidence/own-texts';
import { newestMatured } from '../src/evidence/matured-fortnights';
import { EVIDENCE_MAKE } from '../src/evidence/packed-evidence';
import { STRATA_MAKE } from '../src/evidence/pair-strata';
import { readEvidence } from '../src/evidence/read-evidence';
import { standingOf } from '../src/evidence/standing-evidence';
import { keyOf } from './campaign-keys';
import type { SentMessage } from './generated-messages';
import { strataOf } from './strata-of';

const bytesOf = (shards: ReadonlyMap<number, CampaignTextCounts>) =>
  [...shards.values()].flatMap((counts) => counts.encode() ?? []);

/** What a run finds. */
export interface EvidenceFindings {
  readonly assessments: readonly EvidenceAssessment[];
  readonly variants: readonly VariantFinding[];
}

interface Stored {
  readonly campaignId: string | null;
  revision: string;
  touches: number;
  readonly cells: Map<number, CampaignCellCounts>;
  readonly texts: WaysOfTexts<Map<number, CampaignTextCounts>>;
}

/** Counts by campaign as Postgres keeps them, in memory: what a fold adds and takes away, and what runs leave. */
export class StoredCampaigns {
  private readonly campaigns = new Map<number, Stored>();
  private kept = new Map<number, EvidenceNotes['campaigns'][number]>();
  private strata = new Map<number, KeptStrata>();
  private fold: (StoredFold & StoredJudgement) | null = null;
  private messages: SentMessage[] = [];
  /**
   * Campaigns whose counts were read, or what was kept of them or put away, folds, and pairs of claims that were counted,
   * since the beginning.
   */
  readonly asked = { rows: 0, kept: 0, putAway: 0, folds: 0, strata: [] as string[] };

  constructor(messages: readonly SentMessage[] = []) {
    this.send(messages);
  }

  send(messages: readonly SentMessage[]): void {
    for (const message of messages) this.count(message, 1);
    this.messages = [...this.messages, ...messages];
  }

  erase(messages: readonly SentMessage[]): void {
    for (const message of messages) this.count(message, -1);
    const gone = new Set(messages);
    this.messages = this.messages.filter((message) => !gone.has(message));
  }

  forget(): void {
    this.kept.clear();
    this.strata.clear();
    this.fold = null;
  }

  /** As a program does that makes other evidence of the same counts: the strata are counts. */
  forgetEvidence(): void {
    this.kept.clear();
    this.fold = null;
  }

  /** As if what is kept of a campaign had been lost. */
  lose(campaignId: string): void {
    this.kept.delete(keyOf(campaignId));
  }

  /** By campaign, in which state its counts are. */
  marks(): ReadonlyMap<number, string> {
    return new Map([...this.campaigns].map(([campaign, { revision }]) => [campaign, revision]));
  }

  /** As if nothing had been noted of what changed since. */
  mark(marks: ReadonlyMap<number, string>): void {
    for (const [campaign, own] of this.campaigns) own.revision = marks.get(campaign) ?? own.revision;
  }

  /** What is kept of each campaign, as bytes. */
  get keptBytes(): [number, string, string | undefined][] {
    return [...this.kept.values()]
      .map(({ campaign, evidence }): [number, string, string | undefined] => [
        campaign,
        evidence.toString('base64'),
        this.strata.get(campaign)?.strata.toString('base64'),
      ])
      .sort(([a], [b]) => a - b);
  }

  /** The rows of each campaign. */
  packed() {
    const rows = (counts: ReadonlyMap<number, { encode(): Buffer | null }>): [number, Buffer][] =>
      [...counts].flatMap(([key, one]) => {
        const bytes = one.encode();
        return bytes === null ? [] : [[key, bytes]];
      });
    return [...this.campaigns].map(([campaign, { campaignId, touches, cells, texts }]) => {
      return { campaign, campaignId, touches, cells: rows(cells), texts: texts.map(rows) };
    });
  }

  /** One run: reads, judges, and keeps what the next one goes on from. */
  async run(observedUntil: number, mostKeptBytes?: number): Promise<EvidenceFindings> {
    const found = await readEvidence(this.source(observedUntil), observedUntil, mostKeptBytes);
    this.publish(found.notes);
    return { assessments: found.assessments, variants: analyseVariants(found.variants) };
  }

  /** What a fold from scratch is thought to be asked. */
  guess: FoldQuestions = NO_QUESTIONS;

  /** Whether runs put away what they read from scratch. */
  putsAway = false;

  source(observedUntil: number): EvidenceSource {
    const stored = [...this.campaigns].sort(([a], [b]) => a - b);
    const present = new Set(stored.map(([campaign]) => campaign));
    // Of one state: what is kept later is not seen.
    const keptBefore = new Map(this.kept);
    const registry = () => ({
      campaigns: stored.map(([campaign, own]) => this.registered(campaign, own)),
      gone: [...keptBefore.keys()].filter((campaign) => !present.has(campaign)),
    });
    return {
      ...(this.putsAway && { store: this.store() }),
      registry: async () => registry(),
      standing: async () => standingOf(registry(), observedUntil),
      fold: async () => {
        this.asked.folds += 1;
        return this.fold;
      },
      judgement: async () => this.fold,
      guess: async () => this.guess,
      kept: async (campaigns) => {
        const found = campaigns.flatMap((campaign) => keptBefore.get(campaign) ?? []);
        this.asked.kept += found.length;
        return found.map((note) => ({ ...note, make: EVIDENCE_MAKE })).toReversed();
      },
      keptStrata: async (campaigns) => {
        const found = campaigns.flatMap((campaign) => this.strata.get(campaign) ?? []);
        return found.toReversed();
      },
      variants: async () =>
        [...this.kept.values()].flatMap(({ campaign, variants }) =>
          variants ? [{ campaign, variants }] : [],
        ),
      rows: async (campaigns) => {
        this.asked.rows += campaigns.length;
        return campaigns.map((campaign) => {
          const { cells, texts } = this.campaigns.get(campaign) as Stored;
          const filled = [...cells].flatMap(([fortnight, counts]) => {
            const bytes = counts.encode();
            return bytes === null ? [] : [{ fortnight, counts: bytes }];
          });
          const matured = filled.filter(({ fortnight }) => fortnight <= newestMatured(observedUntil));
          return {
            campaign,
            cells: matured,
            later: filled.filter((own) => !matured.includes(own)).map(({ fortnight }) => fortnight),
            texts: matured.length === 0 ? NO_TEXT_ROWS : [bytesOf(texts[0]), bytesOf(texts[1])],
          };
        });
      },
      strata: async (pair, { campaigns, firstFortnight, lastFortnight }) => {
        this.asked.strata.push(
          ...campaigns.map(({ campaignId }) => `${pair.code} ${pair.within} ${campaignId}`),
        );
        const names = new Set(campaigns.map(({ campaignId }) => campaignId));
        return strataOf(
          this.messages.filter(
            ({ campaignId, day }) =>
              names.has(campaignId) &&
              fortnightOf(day) >= firstFortnight &&
              fortnightOf(day) <= lastFortnight,
          ),
          pair,
          observedUntil,
        );
      },
      randomized: async () => [],
    };
  }

  private store(): EvidenceStore {
    return {
      keep: async (notes) => {
        for (const note of notes) this.kept.set(note.campaign, note);
      },
      kept: async (campaigns) => {
        this.asked.putAway += campaigns.length;
        return campaigns
          .flatMap((campaign) => this.kept.get(campaign) ?? [])
          .map((note) => ({ ...note, make: EVIDENCE_MAKE }));
      },
    };
  }

  private registered(campaign: number, { campaignId, revision }: Stored): RegisteredCampaign {
    const kept = this.kept.get(campaign);
    return { campaign, campaignId, revision, kept: kept ? { ...kept, make: EVIDENCE_MAKE } : null };
  }

  /** As the statements of `keepEvidence` do. */
  publish({ campaigns, strata, gone, fold }: EvidenceNotes): void {
    for (const campaign of gone ?? [...this.kept.keys(), ...this.strata.keys()]) {
      if (gone === null && this.campaigns.has(campaign)) continue;
      this.kept.delete(campaign);
      this.strata.delete(campaign);
    }
    if (fold !== 'stands') this.fold = fold && { make: EVIDENCE_MAKE, ...fold };
    for (const note of campaigns) this.kept.set(note.campaign, note);
    for (const note of strata) {
      const own = this.strata.get(note.campaign);
      const isSame =
        own?.revision === note.revision &&
        own.maturedOn === note.maturedOn &&
        own.maturesNext === note.maturesNext;
      if (note.strata) this.strata.set(note.campaign, { ...note, strata: note.strata, make: STRATA_MAKE });
      else if (!isSame) this.strata.delete(note.campaign);
    }
  }

  private count(message: SentMessage, sign: 1 | -1): void {
    const key = keyOf(message.campaignId);
    const { campaignId, textId, levels, day } = message;
    const none = {
      campaignId,
      revision: '',
      touches: 0,
      cells: new Map(),
      texts: [new Map(), new Map()] as const,
    };
    const own: Stored = this.campaigns.get(key) ?? none;
    this.campaigns.set(key, own);
    own.touches += sign;
    own.revision = randomUUID();
    const fortnight = fortnightOf(day);
    const cells = own.cells.get(fortnight) ?? new CampaignCellCounts();
    own.cells.set(fortnight, cells);
    cells.add(message, sign);
    // Where nothing else is said the subject is told apart as the body is.
    for (const [way, id] of [textId, message.subjectId ?? textId].entries()) {
      const shards = own.texts[way] as Map<number, CampaignTextCounts>;
      const texts = shards.get(textShardOf(id)) ?? new CampaignTextCounts();
      shards.set(textShardOf(id), texts);
      texts.add(id, levels, sign);
    }
    if (own.touches === 0) this.campaigns.delete(key);
  }
}

/** Packed counts of messages, by campaign. */
export function storedCounts(messages: readonly SentMessage[]) {
  return new StoredCampaigns(messages).packed();
}
