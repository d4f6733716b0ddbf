import { NO_QUESTIONS } from '@outcomes/statistics';
import type { CampaignNote, EvidenceNotes } from '../evidence/evidence-notes.repository';
import type {
  EvidenceSource,
  KeptEvidence,
  KeptStrata,
  StoredFold,
  StoredJudgement,
} from '../evidence/evidence-source';
import { EVIDENCE_MAKE } from '../evidence/packed-evidence';
import { STRATA_MAKE } from '../evidence/pair-strata';
import { standingOf } from '../evidence/standing-evidence';

/**
 * What weeks that are folded one after the other keep for the next, in memory: what runs keep in the database. Counts
 * are those of the company; what its own runs have kept is left alone.
 */
export class RememberedEvidence {
  private readonly evidence = new Map<number, KeptEvidence>();
  private readonly strata = new Map<number, KeptStrata>();
  private storedFold: (StoredFold & StoredJudgement) | null = null;

  /** @param counts - where the counts are read */
  over(counts: Pick<EvidenceSource, 'registry' | 'rows' | 'strata'>, observedUntil: number): EvidenceSource {
    const registry = async () => {
      const { campaigns } = await counts.registry();
      const known = campaigns.map((own) => ({ ...own, kept: this.evidence.get(own.campaign) ?? null }));
      return { campaigns: known, gone: [] };
    };
    const kept = (campaigns: readonly number[]) =>
      Promise.resolve(campaigns.flatMap((campaign) => this.evidence.get(campaign) ?? []));
    return {
      registry,
      standing: async () => standingOf(await registry(), observedUntil),
      fold: () => Promise.resolve(this.storedFold),
      judgement: () => Promise.resolve(this.storedFold),
      guess: () => Promise.resolve(NO_QUESTIONS),
      kept,
      store: {
        keep: (campaigns) => {
          for (const note of campaigns) this.note(note);
          return Promise.resolve();
        },
        kept,
      },
      keptStrata: (campaigns) =>
        Promise.resolve(campaigns.flatMap((campaign) => this.strata.get(campaign) ?? [])),
      rows: (campaigns) => counts.rows(campaigns),
      strata: (pair, range) => counts.strata(pair, range),
      // Of variants nothing is asked of the past.
      variants: () => Promise.resolve([]),
      randomized: () => Promise.resolve([]),
    };
  }

  /** Campaigns that are no more there are none: all weeks read one state of the database. */
  keep({ campaigns, strata, fold }: EvidenceNotes): void {
    for (const note of campaigns) this.note(note);
    for (const { strata: packed, ...note } of strata) {
      if (packed === null) this.strata.delete(note.campaign);
      else this.strata.set(note.campaign, { ...note, strata: packed, make: STRATA_MAKE });
    }
    if (fold === 'stands') return;
    this.storedFold = fold && { make: EVIDENCE_MAKE, ...fold };
  }

  private note({ variants: _variants, ...note }: CampaignNote): void {
    this.evidence.set(note.campaign, { ...note, make: EVIDENCE_MAKE });
  }
}
