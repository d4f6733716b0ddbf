import { DAY_MS } from '@outcomes/contracts';
import { seededRng } from '@outcomes/statistics';
import { FIRST_DAY, plannedRows, tableOf, type PlannedRow } from '../../test/company-fixture';
import type { CohortTable } from './cohort-table';
import { dayOfTime, weekOf } from './days';
import type { Gap, HistorySource } from './history-source';
import { readHistory, type HistoryNotes } from './read-history';
import type { SettledSums } from './settled-sums';
import { WeekCounts } from './week-counts';

const DAYS = 200;
/** Cohorts of which every count is another. */
const ROWS: readonly PlannedRow[] = plannedRows({ days: DAYS, sendsPerDay: 20 }).map((row, i) => ({
  ...row,
  ...{ bounces: i % 3, unsubscribes: i % 2, opens: i % 7, meetings: i % 5, streamed: i % 4 },
  levelRandomized: row.levelTouches.map((touches, level) => (level % 3 === 0 ? touches : 0)),
  hourTouches: Array.from({ length: 24 }, (_, hour) => (hour === i % 24 ? row.touches : 0)),
  hourReplies: Array.from({ length: 24 }, (_, hour) => (hour === i % 23 ? row.replies : 0)),
  replyDelays: [0, i % 2, 0, i % 5],
  lastOutcomeAt: i % 4 === 0 ? null : row.lastOutcomeAt,
}));
const until = (day: number) => ROWS.filter((row) => row.day <= day);
/** Sums may end with it; the cohorts begin three weeks before. */
const SUMMED = 2_925;

/** Weeks as Postgres keeps them, in memory: counts, and what runs leave. */
class StoredWeeks {
  private rows: readonly PlannedRow[] = [];
  private readonly revisions = new Map<number, string>();
  private readonly digests = new Map<number, Buffer>();
  private sums: SettledSums | undefined;
  private changes = 0;
  /** Weeks whose counts were read. */
  readonly read: number[] = [];

  constructor(rows: readonly PlannedRow[] = []) {
    this.store(rows);
  }

  /** What the trigger on the counts does: a week that has changed gets a new revision, and loses its digest. */
  store(rows: readonly PlannedRow[]): void {
    const [before, after] = [this.rows, rows].map((own) => Map.groupBy(own, ({ day }) => weekOf(day)));
    for (const week of new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])) {
      if (JSON.stringify(before?.get(week)) === JSON.stringify(after?.get(week))) continue;
      this.revisions.set(week, `revision ${(this.changes += 1)}`);
      this.digests.delete(week);
    }
    this.rows = rows;
  }

  /** Reads, and keeps what the next run need not read again. */
  async run(gap?: Gap): Promise<{ table: CohortTable; notes: HistoryNotes; progress: number[] }> {
    const progress: number[] = [];
    this.read.length = 0;
    const { table, notes } = await readHistory(this.source(gap), (share) => progress.push(share));
    for (const { week, revision, digest } of notes.digests)
      if (this.revisions.get(week) === revision) this.digests.set(week, digest);
    for (const { week, revision } of notes.emptied)
      if (this.revisions.get(week) === revision) this.revisions.delete(week);
    if (notes.sums !== undefined) this.sums = notes.sums;
    else if (notes.standingSums !== this.sums?.week) this.sums = undefined;
    return { table, notes, progress };
  }

  get knownWeeks(): number[] {
    return [...this.revisions.keys()].sort((a, b) => a - b);
  }

  private source(gap: Gap | undefined): HistorySource {
    const { rows, sums, digests, read } = this;
    const ofWeek = (week: number) => rows.filter(({ day }) => weekOf(day) === week);
    return {
      gap,
      weeks: this.knownWeeks.map((week) => ({ week, revision: this.revisions.get(week) ?? '' })),
      sums: sums && { week: sums.week, name: sums.name },
      readSums: async () => sums?.encoded ?? Buffer.alloc(0),
      digestsFrom: async (from) => new Map([...digests].filter(([week]) => week >= from)),
      reachOf: async (weeks) => {
        const own = weeks.flatMap(ofWeek);
        const newest = (values: number[]) => (values.length > 0 ? Math.max(...values) : undefined);
        return {
          newestDay: newest(own.map(({ day }) => day)),
          newestOutcomeAt: newest(own.flatMap(({ lastOutcomeAt }) => lastOutcomeAt?.getTime() ?? [])),
        };
      },
      async *counts(from, to) {
        for (let week = from; week <= to; week += 1) {
          const own = ofWeek(week);
          if (own.length === 0) continue;
          read.push(week);
          const counts = new WeekCounts(week);
          for (const row of own) counts.append(row);
          yield counts;
        }
      },
    };
  }
}

/** Everything that estimators read of a table. */
const contentOf = (table: CohortTable) => ({
  rows: Array.from({ length: table.size }, (_, row) => [table.cellsAt(row), table.lastOutcomeAt[row]]),
  ...{ observedUntil: table.observedUntil, totals: table.totals, newestDay: table.newestDay },
  ...{ hourTouches: table.hourTouches, hourReplies: table.hourReplies },
  ...{ levelRandomized: table.levelRandomized, matureLevels: table.matureLevels },
  ...{ matureDelays: table.matureDelays, young: [table.youngLevels, table.youngDelays] },
});
const observedUntil = (rows: readonly PlannedRow[]) =>
  Math.max(...rows.map(({ day, lastOutcomeAt }) => Math.max(day, dayOfTime(lastOutcomeAt?.getTime() ?? 0))));
const settled = (week: number, rows: readonly PlannedRow[]) => week * 7 + 6 + 21 <= observedUntil(rows);

describe('a history that is read again and again', () => {
  it('is that of its counts alone, whatever was kept of it and whatever has changed since', async () => {
    const rng = seededRng(7);
    const stored = new StoredWeeks();
    let [rows, sums]: [readonly PlannedRow[], number] = [[], 0];
    for (let today = FIRST_DAY + 20; today < FIRST_DAY + DAYS; today += 1 + Math.floor(rng.next() * 9)) {
      const known = rows.at(-1)?.day ?? -Infinity;
      rows = [...rows, ...until(today).filter(({ day }) => day > known)];
      const event = rng.next();
      const place = Math.floor(rng.next() * rows.length);
      // A late reply, an erasure, and the expiry of the oldest week.
      if (event < 0.3) rows = rows.with(place, { ...(rows[place] as PlannedRow), replies: 1 });
      else if (event < 0.5) rows = rows.toSpliced(place, 3);
      else if (event < 0.55) rows = rows.filter(({ day }) => weekOf(day) > weekOf(rows[0]?.day ?? 0));
      stored.store(rows);
      const { table, notes } = await stored.run();
      expect(contentOf(table)).toEqual(contentOf(tableOf(rows)));
      if (notes.standingSums !== undefined) sums += 1;
    }
    expect(sums).toBeGreaterThan(3);
    expect(stored.knownWeeks).toEqual([...new Set(rows.map(({ day }) => weekOf(day)))]);
  });

  it('reads the counts of weeks that are not mature, and of those that have changed', async () => {
    const rows = until(FIRST_DAY + 100);
    const stored = new StoredWeeks(rows);
    const all = [...new Set(rows.map(({ day }) => weekOf(day)))];
    const young = all.filter((week) => !settled(week, rows));
    expect((await stored.run()).notes.digests.map(({ week }) => week)).toEqual(
      all.filter((week) => !young.includes(week)),
    );
    expect(stored.read).toEqual(all);
    expect((await stored.run()).notes.digests).toEqual([]);
    expect(stored.read).toEqual(young);
    // Behind the sums, so that they stand.
    const place = rows.findIndex(({ day }) => weekOf(day) === SUMMED + 3);
    stored.store(rows.with(place, { ...(rows[place] as PlannedRow), opens: 99 }));
    const { notes, table } = await stored.run();
    expect(stored.read).toEqual([SUMMED + 3, ...young]);
    expect(notes.digests.map(({ week }) => week)).toEqual([SUMMED + 3]);
    expect(notes).toMatchObject({ standingSums: SUMMED, sums: undefined, emptied: [] });
    expect(table.totals.opens).toBe(tableOf(rows).totals.opens + 99 - (rows[place]?.opens ?? 0));
  });

  it('makes a digest of a week once its last day has matured on every channel', async () => {
    const [rows, week] = [until(FIRST_DAY + 40), weekOf(FIRST_DAY) + 1];
    const last = week * 7 + 6 + 21;
    const withoutOutcomes = ROWS.map((row) => ({ ...row, lastOutcomeAt: null }));
    const digested = async (day: number) => {
      const { notes } = await new StoredWeeks(withoutOutcomes.filter((row) => row.day <= day)).run();
      return notes.digests.map((own) => own.week);
    };
    expect(await digested(last - 1)).toEqual([week - 1]);
    expect(await digested(last)).toEqual([week - 1, week]);
    // An outcome tells as much as a message does.
    const observed = rows.map((row, i) =>
      i === 0 ? { ...row, lastOutcomeAt: new Date(last * DAY_MS) } : row,
    );
    expect((await new StoredWeeks(observed).run()).notes.digests.map((own) => own.week)).toContain(week);
  });

  it('adds settled weeks up once, at every thirteenth, until one of them changes', async () => {
    const rows = until(FIRST_DAY + 100);
    const stored = new StoredWeeks(rows);
    const first = await stored.run();
    expect(first.notes.sums?.week).toBe(SUMMED);
    expect(first.notes.standingSums).toBeUndefined();
    const again = await stored.run();
    expect([again.notes.sums, again.notes.standingSums]).toEqual([undefined, SUMMED]);
    expect(contentOf(again.table)).toEqual(contentOf(first.table));
    const changed = rows.with(3, { ...(rows[3] as PlannedRow), opens: 50 });
    stored.store(changed);
    const anew = await stored.run();
    expect([anew.notes.sums?.week, anew.notes.standingSums]).toEqual([SUMMED, undefined]);
    expect(contentOf(anew.table)).toEqual(contentOf(tableOf(changed)));
    // A week more among them, with nothing else changed.
    const earlier = { ...(rows[0] as PlannedRow), day: FIRST_DAY - 14, lastOutcomeAt: null };
    stored.store([earlier, ...changed]);
    const more = await stored.run();
    expect([more.notes.sums?.week, more.notes.standingSums]).toEqual([SUMMED, undefined]);
    expect(contentOf(more.table)).toEqual(contentOf(tableOf([earlier, ...changed])));
    // Thirteen weeks later there are others.
    stored.store([earlier, ...ROWS.with(3, changed[3] as PlannedRow)]);
    expect((await stored.run()).notes.sums?.week).toBe(SUMMED + 13);
  });

  it('goes on without sums where the newest messages are gone, so that weeks in them have not settled', async () => {
    const stored = new StoredWeeks(until(FIRST_DAY + 100));
    await stored.run();
    const left = until(FIRST_DAY + 33);
    stored.store(left);
    const { table, notes } = await stored.run();
    expect(contentOf(table)).toEqual(contentOf(tableOf(left)));
    expect([notes.sums, notes.standingSums]).toEqual([undefined, undefined]);
    expect(notes.emptied.map(({ week }) => week)).toEqual(
      [...new Set(ROWS.map(({ day }) => weekOf(day)))].filter(
        (week) => week > weekOf(FIRST_DAY + 33) && week <= weekOf(FIRST_DAY + 100),
      ),
    );
    expect(stored.knownWeeks).toEqual([...new Set(left.map(({ day }) => weekOf(day)))]);
  });

  it('tells how far it is, week by week, up to the end', async () => {
    const rows = until(FIRST_DAY + 100);
    const stored = new StoredWeeks(rows);
    const weeks = stored.knownWeeks.length;
    const shares = Array.from({ length: weeks }, (_, at) => (at + 1) / weeks);
    expect((await stored.run()).progress).toEqual(shares);
    // The weeks of the sums are read at once.
    expect((await stored.run()).progress).toEqual(shares.slice(SUMMED - weekOf(FIRST_DAY)));
  });

  it('is observed up to where silent sources have told of everything', async () => {
    const rows = until(FIRST_DAY + 100);
    const gap: Gap = { observedUntil: FIRST_DAY + 90, sentUntil: FIRST_DAY + 76, silent: [] };
    const { table } = await new StoredWeeks(rows).run(gap);
    expect([table.observedUntil, table.sentUntil, table.gap]).toEqual([FIRST_DAY + 90, FIRST_DAY + 76, gap]);
    const known = await new StoredWeeks(rows).run();
    expect([known.table.sentUntil, known.table.gap]).toEqual([known.table.observedUntil, undefined]);
  });

  it('is empty where nothing was sent', async () => {
    const { table, notes, progress } = await new StoredWeeks().run();
    expect([table.size, table.observedUntil, table.newestDay]).toEqual([0, 0, undefined]);
    expect(notes).toEqual({ digests: [], emptied: [], standingSums: undefined, sums: undefined });
    expect(progress).toEqual([]);
  });
});
