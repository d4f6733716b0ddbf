import { CHANNELS, LEVEL_COUNT, MATURITY_DAYS } from '@outcomes/contracts';
import { FIRST_DAY, plannedRows, tableOf, type PlannedRow } from '../../test/company-fixture';
import { CohortTable } from './cohort-table';
import { weekdayOf, weekOf } from './days';
import { DELAY_DAYS, WeekCounts } from './week-counts';
import { decodeDigest, digestOf, encodeDigest } from './week-digest';

/** Cohorts of which every count is another; the newest are young. */
const ROWS: readonly PlannedRow[] = plannedRows({ days: 60, sendsPerDay: 30 }).map((row, i) => ({
  ...row,
  ...{ bounces: i % 3, unsubscribes: i % 2, opens: i % 7, meetings: i % 5, streamed: i % 4 },
  levelRandomized: row.levelTouches.map((touches, level) => (level % 3 === 0 ? touches : 0)),
  hourTouches: Array.from({ length: 24 }, (_, hour) => (hour === i % 24 ? row.touches : 0)),
  hourReplies: Array.from({ length: 24 }, (_, hour) => (hour === i % 23 ? row.replies : 0)),
  replyDelays: [i % 3, 1, 0, i % 5],
  lastOutcomeAt: null,
}));
const UNTIL = FIRST_DAY + 59;
const isMature = ({ day, channel }: PlannedRow) => UNTIL - day >= MATURITY_DAYS[CHANNELS[channel] ?? 'email'];

/** The same rows, those of settled weeks by their digests. */
function tableOfDigests(): CohortTable {
  const table = new CohortTable(UNTIL);
  for (const [number, own] of Map.groupBy(ROWS, ({ day }) => weekOf(day))) {
    const week = new WeekCounts(number);
    for (const row of own) week.append(row);
    if (own.every(isMature)) table.addDigest(decodeDigest(encodeDigest(digestOf(week))));
    else table.addWeek(week);
  }
  return table;
}

/** Counts of some rows, place by place, in plain loops. */
function sumOf(rows: readonly PlannedRow[], length: number, counts: (row: PlannedRow) => ArrayLike<number>) {
  const sums = new Float64Array(length);
  for (const row of rows)
    for (let i = 0; i < length; i += 1) sums[i] = (sums[i] ?? 0) + (counts(row)[i] ?? 0);
  return sums;
}

describe.each([
  ['weeks', () => tableOf(ROWS)],
  ['digests', tableOfDigests],
] as const)('a table of %s', (_what, made) => {
  let table: CohortTable;
  beforeAll(() => {
    table = made();
  });

  it('has a row for each cohort, in their order, and knows which are mature', () => {
    expect([table.size, table.newestDay, table.observedUntil]).toEqual([ROWS.length, UNTIL, UNTIL]);
    for (const [at, row] of ROWS.entries()) {
      const { day, channel, step, position, touches, replies, streamed } = row;
      expect(table.cellsAt(at)).toEqual({ day, channel, step, position, touches, replies, streamed });
      expect([table.ageOf(at), table.isMature(at)]).toEqual([UNTIL - day, isMature(row)]);
    }
    const ages = new Set(ROWS.filter(isMature).map(({ day, channel }) => `${channel} ${UNTIL - day}`));
    expect(ages).toContain(`0 ${MATURITY_DAYS.email}`);
    expect(ages).not.toContain(`0 ${MATURITY_DAYS.email - 1}`);
  });

  it('adds up what is counted of each message', () => {
    for (const name of [
      'touches',
      'replies',
      'bounces',
      'unsubscribes',
      'opens',
      'meetings',
      'streamed',
    ] as const)
      expect([name, table.totals[name]]).toEqual([name, ROWS.reduce((sum, row) => sum + row[name], 0)]);
    expect(table.levelRandomized).toEqual(sumOf(ROWS, LEVEL_COUNT, (row) => row.levelRandomized));
    const hourly = (counts: (row: PlannedRow) => ArrayLike<number>) =>
      Array.from({ length: 7 }, (_, day) => [
        ...sumOf(
          ROWS.filter((row) => weekdayOf(row.day) === day),
          24,
          counts,
        ),
      ]).flat();
    expect([...table.hourTouches]).toEqual(hourly((row) => row.hourTouches));
    expect([...table.hourReplies]).toEqual(hourly((row) => row.hourReplies));
  });

  it('adds up levels by stratum where they are mature, and by day where they are young', () => {
    const strata = Map.groupBy(ROWS.filter(isMature), ({ channel, step, position }) =>
      [channel, step, position].join(' '),
    );
    const found = table.matureLevels.map(({ channel, step, position, touches, replies }) => {
      const own = strata.get([channel, step, position].join(' ')) ?? [];
      expect(touches).toEqual(sumOf(own, LEVEL_COUNT, (row) => row.levelTouches));
      expect(replies).toEqual(sumOf(own, LEVEL_COUNT, (row) => row.levelReplies));
      return (channel * 256 + step) * 256 + position;
    });
    expect(found).toHaveLength(strata.size);
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    const days = Map.groupBy(
      ROWS.filter((row) => !isMature(row)),
      ({ channel, day }) => `${channel} ${day}`,
    );
    expect(table.youngLevels.map(({ channel, day }) => `${channel} ${day}`).sort()).toEqual(
      [...days.keys()].sort(),
    );
    for (const { channel, day, touches, replies } of table.youngLevels) {
      const own = days.get(`${channel} ${day}`) ?? [];
      expect(touches).toEqual(sumOf(own, LEVEL_COUNT, (row) => row.levelTouches));
      expect(replies).toEqual(sumOf(own, LEVEL_COUNT, (row) => row.levelReplies));
    }
  });

  it('adds up the delays of replies by channel where they are mature, and by day where they are young', () => {
    for (const [channel] of CHANNELS.entries()) {
      const own = ROWS.filter((row) => row.channel === channel);
      expect(table.matureDelays[channel]).toEqual(
        sumOf(own.filter(isMature), DELAY_DAYS, (row) => row.replyDelays),
      );
      const young = Map.groupBy(
        own.filter((row) => !isMature(row)),
        ({ day }) => day,
      );
      const found = table.youngDelays.filter((one) => one.channel === channel);
      expect(found.map(({ day, delays }) => [day, delays])).toEqual(
        [...young].map(([day, rows]) => [day, sumOf(rows, DELAY_DAYS, (row) => row.replyDelays)]),
      );
    }
    expect(table.matureDelays[0]?.[1]).toBeGreaterThan(0);
    const days = new Set(ROWS.filter((row) => !isMature(row)).map(({ channel, day }) => `${channel} ${day}`));
    expect(table.youngDelays).toHaveLength(days.size);
    expect(days.size).toBeGreaterThan(0);
  });
});
