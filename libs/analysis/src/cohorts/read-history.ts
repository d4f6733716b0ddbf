import { MATURITY_DAYS } from '@outcomes/contracts';
import type { TestedCohorts } from '../runs/tested-cohorts';
import { CohortTable } from './cohort-table';
import { DAYS_PER_WEEK, dayOfTime } from './days';
import { FIRST_LINK, HistoryFold, isKept, linkOf, type Checkpoint } from './history-fold';
import type { HistorySource, KnownWeek, StoredWeek } from './history-source';
import { encodeSums, nameOfWeeks, StoredSums, type SettledSums } from './settled-sums';
import type { WeekCounts } from './week-counts';
import { decodeDigest, digestOf, encodeDigest, observedUntilOfDigest, type WeekDigest } from './week-digest';

const SLOWEST_MATURITY = Math.max(...Object.values(MATURITY_DAYS));

/** What a run leaves for the next, so that it need not read again what has not changed. */
export interface HistoryNotes {
  /** Cohorts that entered the tests for the first time. */
  readonly tested: TestedCohorts;
  /** Digests that were made now, each with the revision of the counts that it sums. */
  readonly digests: readonly { readonly week: number; readonly revision: string; readonly digest: Buffer }[];
  /** Weeks that are known and hold nothing any more. */
  readonly emptied: readonly KnownWeek[];
  /** New checkpoints, and the weeks of all that are valid; others are of no use. */
  readonly checkpoints: readonly Checkpoint[];
  readonly validCheckpoints: readonly number[];
  /** New sums, at the week of a checkpoint; undefined where those that stand are as good. */
  readonly sums: SettledSums | undefined;
}

export interface History {
  readonly table: CohortTable;
  readonly notes: HistoryNotes;
}

/** Told the share of the weeks that have been read, 0 to 1. */
export type OnProgress = (share: number) => void;

/**
 * Reads a history: weeks that are mature and unchanged from their sums or digests, the others from their counts; the
 * tests from the newest checkpoint before any change. What comes out is the same, byte for byte, however much of it was
 * stored before. Memory follows the number of weeks by some kilobytes each, not the number of messages.
 */
export async function readHistory(source: HistorySource, onProgress?: OnProgress): Promise<History> {
  const start = await startOf(source, await storedSums(source));
  // Where the newest messages were deleted, weeks that were settled may not be so any more.
  const isUsable = start.sums === undefined || isSettled(start.sums.week, start.observedUntil);
  return new HistoryReading(source, isUsable ? start : await startOf(source, undefined), onProgress).read();
}

/** Whether all days of a week are mature, so that all that is to come of them is corrections. */
function isSettled(week: number, observedUntil: number): boolean {
  return (week + 1) * DAYS_PER_WEEK - 1 + SLOWEST_MATURITY <= observedUntil;
}

/** Where a reading begins: behind the sums, with the weeks that are not in them. */
interface Start {
  readonly sums: StoredSums | undefined;
  readonly weeks: readonly StoredWeek[];
  readonly observedUntil: number;
}

async function storedSums(source: HistorySource): Promise<StoredSums | undefined> {
  const { sums, weeks } = source;
  if (sums === undefined) return undefined;
  const stand = nameOfWeeks(weeks.filter(({ week }) => week <= sums.week)).equals(sums.name);
  return stand ? new StoredSums(sums.week, await source.readSums()) : undefined;
}

async function startOf(source: HistorySource, sums: StoredSums | undefined): Promise<Start> {
  const known = source.weeks.filter(({ week }) => sums === undefined || week > sums.week);
  const digests = await source.digestsFrom(known[0]?.week ?? 0);
  const weeks = known.map((week) => ({ ...week, digest: digests.get(week.week) ?? null }));
  const unread = weeks.filter(({ digest }) => digest === null).map(({ week }) => week);
  const { newestDay, newestOutcomeAt } = await source.reachOf(unread);
  const observedUntil = Math.max(
    sums?.observedUntil ?? 0,
    newestDay ?? 0,
    newestOutcomeAt === undefined ? 0 : dayOfTime(newestOutcomeAt),
    ...weeks.map(({ digest }) => (digest === null ? 0 : observedUntilOfDigest(digest))),
  );
  return { sums, weeks, observedUntil };
}

class HistoryReading {
  private readonly table: CohortTable;
  private readonly digests: { week: number; revision: string; digest: Buffer }[] = [];
  private readonly emptied: KnownWeek[] = [];
  /** Names of the tests' state after each settled week. */
  private readonly links = new Map<number, Buffer>();
  private lastLink: Buffer = FIRST_LINK;
  private readonly valid: number[] = [];
  private readonly made = new Map<number, Checkpoint>();
  private weeksRead = 0;
  /** The tests so far; undefined where a week was passed by its digest. */
  private fold: HistoryFold | undefined;
  /** Set where a cohort waits to be tested among those that checkpoints have behind them. */
  private refoldAnyway = false;
  /** Set once the tests have gone beyond the newest settled week. */
  private passedSettled = false;
  private sums: SettledSums | undefined;
  private readonly observedUntil: number;

  constructor(
    private readonly source: HistorySource,
    private readonly start: Start,
    private readonly onProgress?: OnProgress,
  ) {
    this.observedUntil = start.observedUntil;
    this.table = new CohortTable(this.observedUntil);
    this.fold = new HistoryFold(this.observedUntil);
  }

  async read(): Promise<History> {
    const { weeks, sums } = this.start;
    if (sums !== undefined) await this.take(sums);
    for (let at = 0; at < weeks.length;) {
      const { week, digest } = weeks[at] as StoredWeek;
      if (digest !== null && this.isSettled(week)) {
        this.fold = undefined;
        await this.settle(week, decodeDigest(digest));
        this.advance();
        at += 1;
      } else {
        const to = this.endOfUnread(at);
        await this.readCounts(weeks.slice(at, to));
        at = to;
      }
    }
    const fold = this.fold ?? (await this.refold());
    this.keepNewest(fold);
    this.table.patternTests = fold.evidence();
    const newest = this.newestSettled;
    return {
      table: this.table,
      notes: {
        tested: fold.tested,
        digests: this.digests,
        emptied: this.emptied,
        checkpoints: [...this.made.values()],
        validCheckpoints: [
          ...this.valid.filter((week) => isKept(week) || week === newest),
          ...this.made.keys(),
        ],
        sums: this.sums,
      },
    };
  }

  private async take(sums: StoredSums): Promise<void> {
    this.fold = undefined;
    this.table.addDigest(sums.digest());
    for (const [week, link] of sums.links) await this.pass(week, link);
    this.advance(this.source.weeks.length - this.start.weeks.length);
  }

  private advance(weeks = 1): void {
    this.weeksRead += weeks;
    this.onProgress?.(this.weeksRead / this.source.weeks.length);
  }

  private get newestSettled(): number | undefined {
    return [...this.links.keys()].at(-1);
  }

  private isSettled(week: number): boolean {
    return isSettled(week, this.observedUntil);
  }

  /** Up to where sums are of use: before the weeks that are changing still, at a checkpoint that is kept. */
  private get lastSummed(): number | undefined {
    return this.source.weeks.findLast(({ week }) => isKept(week) && this.isSettled(week))?.week;
  }

  private endOfUnread(from: number): number {
    const { weeks } = this.start;
    const end = weeks.findIndex(
      ({ week, digest }, index) => index > from && digest !== null && this.isSettled(week),
    );
    return end < 0 ? weeks.length : end;
  }

  private async readCounts(unread: readonly StoredWeek[]): Promise<void> {
    const revisions = new Map(unread.map(({ week, revision }) => [week, revision]));
    for await (const counts of this.source.counts(unread[0]?.week ?? 0, unread.at(-1)?.week ?? 0)) {
      const { week } = counts;
      const revision = revisions.get(week);
      revisions.delete(week);
      this.advance();
      this.continueFold(this.fold, counts);
      if (!this.isSettled(week)) {
        this.table.addWeek(counts);
        continue;
      }
      const digest = digestOf(counts);
      if (revision !== undefined) this.digests.push({ week, revision, digest: encodeDigest(digest) });
      this.refoldAnyway ||= this.fold === undefined && counts.untested.length > 0;
      await this.settle(week, digest);
    }
    for (const [week, revision] of revisions) this.emptied.push({ week, revision });
  }

  /** Adds a week that is mature as a whole. */
  private async settle(week: number, digest: WeekDigest): Promise<void> {
    this.table.addDigest(digest);
    await this.pass(week, linkOf(this.lastLink, week, digest.frozen));
    if (isKept(week)) this.keep(week, this.fold);
    if (week === this.lastSummed) this.sums = this.summed(week);
  }

  /** Goes on behind a settled week, and looks for the tests' state after it. */
  private async pass(week: number, link: Buffer): Promise<void> {
    this.lastLink = link;
    this.links.set(week, link);
    const stored = this.source.checkpoints.find((checkpoint) => checkpoint.week === week);
    if (stored?.link.equals(link) && !this.refoldAnyway) {
      this.valid.push(week);
      // Earlier ones are only asked for where this one is of no use any more.
      if (stored === this.source.checkpoints.at(-1)) this.fold ??= await this.continued(week);
    }
  }

  private summed(week: number): SettledSums {
    const links = new Map([...this.links].filter(([linked]) => isKept(linked)));
    const name = nameOfWeeks(this.source.weeks.filter((known) => known.week <= week));
    return { week, name, encoded: encodeSums(this.table, links) };
  }

  /** Takes the tests up at the newest checkpoint before a change, and reads the weeks since once more. */
  private async refold(): Promise<HistoryFold> {
    const start = this.valid.at(-1);
    const fold = start === undefined ? new HistoryFold(this.observedUntil) : await this.continued(start);
    const last = this.source.weeks.at(-1)?.week ?? 0;
    for await (const counts of this.source.counts(start === undefined ? 0 : start + 1, last)) {
      this.continueFold(fold, counts);
      if (isKept(counts.week)) this.keep(counts.week, fold);
    }
    return fold;
  }

  private async continued(checkpointWeek: number): Promise<HistoryFold> {
    return HistoryFold.continued(this.observedUntil, await this.source.stateOf(checkpointWeek));
  }

  private continueFold(fold: HistoryFold | undefined, counts: WeekCounts): void {
    if (!this.isSettled(counts.week)) this.keepNewest(fold);
    fold?.add(counts);
  }

  /** Keeps the state after the newest settled week, before a younger one is added. */
  private keepNewest(fold: HistoryFold | undefined): void {
    const newest = this.newestSettled;
    if (newest !== undefined && !this.passedSettled) this.keep(newest, fold);
    this.passedSettled ||= fold !== undefined;
  }

  private keep(week: number, fold: HistoryFold | undefined): void {
    const link = this.links.get(week);
    if (fold === undefined || link === undefined || this.valid.includes(week)) return;
    this.made.set(week, { week, link, state: fold.save() });
  }
}
