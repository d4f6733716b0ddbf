import { MATURITY_DAYS } from '@outcomes/contracts';
import { CohortTable } from './cohort-table';
import { DAYS_PER_WEEK, dayOfTime } from './days';
import type { Gap, HistorySource, KnownWeek, StoredWeek } from './history-source';
import { mayBeSummed, nameOfWeeks, type SettledSums } from './settled-sums';
import { decodeDigest, digestOf, encodeDigest, observedUntilOfDigest, type WeekDigest } from './week-digest';

const SLOWEST_MATURITY = Math.max(...Object.values(MATURITY_DAYS));

/** What a run leaves for the next, so that it need not read again what has not changed. */
export interface HistoryNotes {
  /** Digests that were made now, each with the revision of the counts that it sums. */
  readonly digests: readonly { readonly week: number; readonly revision: string; readonly digest: Buffer }[];
  /** Weeks that are known and hold nothing any more. */
  readonly emptied: readonly KnownWeek[];
  /** Week of the sums that stand and are as good as new; others are of no use. */
  readonly standingSums: number | undefined;
  /** New sums. */
  readonly sums: SettledSums | undefined;
}

export interface History {
  readonly table: CohortTable;
  readonly notes: HistoryNotes;
}

/** Told the share of the weeks that have been read, 0 to 1. */
export type OnProgress = (share: number) => void;

/**
 * Reads a history: weeks that are mature and unchanged from their sums or digests, the others from their counts. What
 * comes out is the same, byte for byte, however much of it was stored before. Memory follows the number of weeks by some
 * kilobytes each, not the number of messages.
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

type StoredSums = Pick<SettledSums, 'week' | 'encoded'>;

/** Where a reading begins: behind the sums, with the weeks that are not in them. */
interface Start {
  readonly sums: StoredSums | undefined;
  readonly weeks: readonly StoredWeek[];
  readonly observedUntil: number;
  readonly gap: Gap | undefined;
}

async function storedSums(source: HistorySource): Promise<StoredSums | undefined> {
  const { sums, weeks } = source;
  if (sums === undefined) return undefined;
  const stand = nameOfWeeks(weeks.filter(({ week }) => week <= sums.week)).equals(sums.name);
  return stand ? { week: sums.week, encoded: await source.readSums() } : undefined;
}

async function startOf(source: HistorySource, sums: StoredSums | undefined): Promise<Start> {
  const known = source.weeks.filter(({ week }) => sums === undefined || week > sums.week);
  const digests = await source.digestsFrom(known[0]?.week ?? 0);
  const weeks = known.map((week) => ({ ...week, digest: digests.get(week.week) ?? null }));
  const unread = weeks.filter(({ digest }) => digest === null).map(({ week }) => week);
  const { newestDay, newestOutcomeAt } = await source.reachOf(unread);
  const newest = Math.max(
    sums === undefined ? 0 : observedUntilOfDigest(sums.encoded),
    newestDay ?? 0,
    newestOutcomeAt === undefined ? 0 : dayOfTime(newestOutcomeAt),
    ...weeks.map(({ digest }) => (digest === null ? 0 : observedUntilOfDigest(digest))),
  );
  const { gap } = source;
  // Where a source is silent, weeks after it are not even known here.
  return { sums, weeks, gap, observedUntil: gap?.observedUntil ?? newest };
}

class HistoryReading {
  private readonly table: CohortTable;
  private readonly digests: { week: number; revision: string; digest: Buffer }[] = [];
  private readonly emptied: KnownWeek[] = [];
  private weeksRead = 0;
  private sums: SettledSums | undefined;

  constructor(
    private readonly source: HistorySource,
    private readonly start: Start,
    private readonly onProgress?: OnProgress,
  ) {
    this.table = new CohortTable(start.observedUntil, start.gap, source.senderClock);
  }

  async read(): Promise<History> {
    const { weeks, sums } = this.start;
    if (sums !== undefined) {
      this.table.addDigest(decodeDigest(sums.encoded));
      this.advance(this.source.weeks.length - weeks.length);
    }
    for (let at = 0; at < weeks.length;) {
      const { week, digest } = weeks[at] as StoredWeek;
      if (digest !== null && this.isSettled(week)) {
        this.settle(week, decodeDigest(digest));
        this.advance();
        at += 1;
      } else {
        const to = this.endOfUnread(at);
        await this.readCounts(weeks.slice(at, to));
        at = to;
      }
    }
    const { table, digests, emptied } = this;
    // New sums take the place of those that stand.
    const standingSums = this.sums === undefined ? sums?.week : undefined;
    return { table, notes: { digests, emptied, standingSums, sums: this.sums } };
  }

  private advance(weeks = 1): void {
    this.weeksRead += weeks;
    this.onProgress?.(this.weeksRead / this.source.weeks.length);
  }

  private isSettled(week: number): boolean {
    return isSettled(week, this.start.observedUntil);
  }

  /** Up to where sums are of use: before the weeks that are changing still. */
  private get lastSummed(): number | undefined {
    return this.source.weeks.findLast(({ week }) => mayBeSummed(week) && this.isSettled(week))?.week;
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
      if (!this.isSettled(week)) {
        this.table.addWeek(counts);
        continue;
      }
      const digest = digestOf(counts);
      if (revision !== undefined) this.digests.push({ week, revision, digest: encodeDigest(digest) });
      this.settle(week, digest);
    }
    for (const [week, revision] of revisions) this.emptied.push({ week, revision });
  }

  /** Adds a week that is mature as a whole. */
  private settle(week: number, digest: WeekDigest): void {
    this.table.addDigest(digest);
    if (week !== this.lastSummed) return;
    const name = nameOfWeeks(this.source.weeks.filter((known) => known.week <= week));
    this.sums = { week, name, encoded: encodeDigest(this.table.settledDigest()) };
  }
}
