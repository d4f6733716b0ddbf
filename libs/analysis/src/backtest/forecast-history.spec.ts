import { DAY_MS, MATURITY_DAYS, POSITIONS } from '@outcomes/contracts';
import { CHANGE_WINDOW_DAYS, forwardArms, seededRng } from '@outcomes/statistics';
import { channelWorld, type ChannelWorld } from '@outcomes/statistics/testing';
import { analyseChannel } from '../changes/analyse-channel';
import { ChannelColumns } from '../changes/channel-columns';
import { NEW_CHANNEL, type ChannelHistory } from '../changes/channel-history';
import { rounded } from '../documents/rounding';
import { forecastHistory } from './forecast-history';

const EMAIL = 0;
const DAYS = 150;
const WORLD = channelWorld(
  { days: DAYS, sendsPerDay: 200, changes: [], campaignSd: 0.2, daySd: 0 },
  seededRng(5),
);

type RepliesOn = (day: number, replies: number, touches: number) => number;

/** The channel as today's counts have it. */
function historyOf({ counts }: ChannelWorld, repliesOn: RepliesOn, channel = EMAIL): ChannelHistory {
  const rows = Array.from({ length: counts.size }, (_, row) => {
    const [day, touches] = [counts.day[row] ?? 0, counts.n[row] ?? 0];
    const position = Math.min(POSITIONS.length - 1, counts.position[row] ?? 0);
    const replies = repliesOn(day, counts.y[row] ?? 0, touches);
    return { ...{ day, position, touches, replies }, campaign: 1 + (counts.campaign[row] ?? 0), step: 0 };
  }).sort((a, b) => a.day - b.day || a.campaign - b.campaign);
  return {
    ...{ channel, firstDay: rows[0]?.day ?? 0, state: NEW_CHANNEL, ledger: [], isKept: true },
    days: async (from, to) => {
      const columns = new ChannelColumns();
      const asked = rows.filter(({ day }) => day >= from && day <= to);
      for (const [day, ofDay] of Map.groupBy(asked, ({ day }) => day)) columns.pushDay(day, ofDay);
      return columns.finish();
    },
    campaignIdOf: async () => null,
  };
}

const forecasts = (
  world: ChannelWorld,
  repliesOn: RepliesOn,
  span = { until: DAYS, observedUntil: DAYS },
  channel = EMAIL,
) => forecastHistory(historyOf(world, repliesOn, channel), { ...span, now: new Date(0) });

describe('the rates that would have been stated', () => {
  it('are those of the days that had settled: what came of later ones, nobody knew', async () => {
    const made = await forecasts(WORLD, (_, replies) => replies);
    const [first] = made;
    expect(first).toBeDefined();
    const asOf = Date.parse(first?.madeOn ?? '') / DAY_MS;
    const settled = asOf - MATURITY_DAYS.email;
    const stated = (all: typeof made) =>
      all
        .filter(({ madeOn }) => madeOn === first?.madeOn)
        .map(({ position, predicted, low, high }) => ({ position, predicted, low, high }));
    // As if everybody had answered what was sent afterwards, the days just before the forecast too.
    const answered = await forecasts(WORLD, (day, replies, touches) => (day > settled ? touches : replies));
    expect(stated(answered)).toEqual(stated(made));
    // The last day that had settled is known.
    const last = await forecasts(WORLD, (day, replies, touches) => (day >= settled ? touches : replies));
    expect(stated(last)).not.toEqual(stated(made));
  });

  const daysOf = (made: Awaited<ReturnType<typeof forecasts>>) =>
    [...new Set(made.map(({ madeOn }) => madeOn))].map((day) => Date.parse(day) / DAY_MS);
  const asTheyCame = (_: number, replies: number) => replies;

  it('are made every thirty days, from four weeks that have settled on', async () => {
    const first = 28 + MATURITY_DAYS.email;
    expect(daysOf(await forecasts(WORLD, asTheyCame))).toEqual([first, first + 30, first + 60]);
    const later = 28 + MATURITY_DAYS.linkedin;
    const linkedin = await forecasts(WORLD, asTheyCame, undefined, 1);
    expect(daysOf(linkedin)).toEqual([later, later + 30]);
    expect(new Set(linkedin.map(({ channel }) => channel))).toEqual(new Set(['linkedin']));
  });

  it('are of the time before the first run, and of messages of which everything is known', async () => {
    const first = 28 + MATURITY_DAYS.email;
    const made = async (until: number, observedUntil: number) =>
      daysOf(await forecasts(WORLD, asTheyCame, { until, observedUntil })).length;
    expect([await made(first - 1, DAYS), await made(first, DAYS), await made(first + 30, DAYS)]).toEqual([
      ...[0, 1, 2],
    ]);
    const known = first + 30 + MATURITY_DAYS.email;
    expect([await made(DAYS, known - 1), await made(DAYS, known)]).toEqual([0, 1]);
  });

  it('are held against all messages of the thirty days after, by position', async () => {
    const { counts } = WORLD;
    const made = await forecasts(WORLD, asTheyCame);
    for (const { madeOn, position, n, y, predicted, low, high } of made) {
      const day = Date.parse(madeOn) / DAY_MS;
      const rows = Array.from({ length: counts.size }, (_, row) => row).filter((row) => {
        const own = POSITIONS[Math.min(POSITIONS.length - 1, counts.position[row] ?? 0)];
        return own === position && (counts.day[row] ?? 0) > day && (counts.day[row] ?? 0) <= day + 30;
      });
      const sum = (column: Int32Array) => rows.reduce((total, row) => total + (column[row] ?? 0), 0);
      expect([n, y]).toEqual([sum(counts.n), sum(counts.y)]);
      expect(n).toBeGreaterThan(0);
      expect(low).toBeLessThan(predicted);
      expect(high).toBeGreaterThan(predicted);
    }
    const positions = new Set(Array.from(counts.position.subarray(0, counts.size)));
    expect(made).toHaveLength(3 * positions.size);
  });

  it('are none of a position that nobody was written to on afterwards, nor of one never written to before', async () => {
    const positionOf = (made: typeof everything) => new Set(made.map(({ position }) => position));
    const everything = await forecasts(WORLD, asTheyCame);
    const gone = { ...WORLD, counts: { ...WORLD.counts, position: WORLD.counts.position.slice() } };
    // From a day on, the last position is written to as if it were the first; another begins on that day.
    const last = Math.max(...gone.counts.position.subarray(0, gone.counts.size));
    const turn = 28 + MATURITY_DAYS.email;
    for (let row = 0; row < gone.counts.size; row += 1)
      if ((gone.counts.day[row] ?? 0) > turn && gone.counts.position[row] === last)
        gone.counts.position[row] = last + 1;
    const made = await forecasts(gone, asTheyCame, { until: turn, observedUntil: DAYS });
    const expected = positionOf(everything);
    expected.delete(POSITIONS[last] ?? 'unknown');
    expect(positionOf(made)).toEqual(expected);
  });

  it('follow what has changed', async () => {
    // From day 60 on nobody answers any more.
    const made = await forecasts(WORLD, (day, replies) => (day >= 60 ? 0 : replies));
    const [first, , third] = daysOf(made).map((day) => {
      const own = made.filter(({ madeOn }) => Date.parse(madeOn) / DAY_MS === day);
      return own.reduce((sum, { n, predicted }) => sum + n * predicted, 0);
    });
    expect(third).toBeLessThan((first ?? 0) / 10);
  });

  it('are after changes what the analysis would have said that had never run before', async () => {
    const changing = channelWorld(
      {
        ...{ days: 230, sendsPerDay: 150, campaignSd: 0.2, daySd: 0 },
        changes: [
          { day: 60, logOdds: -1.2 },
          { day: 110, logOdds: 0.9 },
        ],
      },
      seededRng(6),
    );
    const made = await forecasts(changing, asTheyCame, { until: 230, observedUntil: 230 });
    const days = daysOf(made);
    expect(days.length).toBeGreaterThanOrEqual(5);
    const history = historyOf(changing, asTheyCame);
    let changes = 0;
    for (const day of days) {
      const settled = day - MATURITY_DAYS.email;
      const { arms, ledger, variances } = await analyseChannel(
        { ...history, days: (from, to) => history.days(from, Math.min(to, settled)) },
        { ...{ observedUntil: day, settledShare: () => 1, inTime: () => 1 }, now: new Date(0), looks: true },
      );
      changes = Math.max(changes, ledger.length);
      const used = arms.filter(({ n }) => n > 0);
      const stated = forwardArms(used, variances).arms.map(({ target: { alpha, beta, low, high } }) =>
        [alpha / (alpha + beta), low, high].map(rounded),
      );
      expect(
        made
          .filter(({ madeOn }) => Date.parse(madeOn) / DAY_MS === day)
          .map(({ predicted, low, high }) => [predicted, low, high]),
      ).toEqual(stated);
    }
    expect(changes).toBe(2);
  });

  it('go on from the forecast before, and read no more than the looks reach back over', async () => {
    const long = channelWorld({ days: 330, sendsPerDay: 30, campaignSd: 0, daySd: 0 }, seededRng(7));
    const history = historyOf(long, asTheyCame);
    const read: number[] = [];
    // Nothing is kept of counts that stand in for others; forecasts follow one another all the same.
    const watched: ChannelHistory = {
      ...{ ...history, isKept: false },
      days: (from, to) => {
        read.push(from);
        return history.days(from, to);
      },
    };
    const made = await forecastHistory(watched, { until: 330, observedUntil: 330, now: new Date(0) });
    const newest = daysOf(made).at(-1) ?? 0;
    // After what the forecast is of, the window of the first day that nobody had looked at.
    expect(read.at(-1)).toBe(newest + 1);
    expect(read.at(-2)).toBe(newest - MATURITY_DAYS.email - 30 + 1 - CHANGE_WINDOW_DAYS);
  });
});
