import { DAY_MS, MATURITY_DAYS, POSITIONS } from '@outcomes/contracts';
import { seededRng } from '@outcomes/statistics';
import { channelWorld, type ChannelWorld } from '@outcomes/statistics/testing';
import { ChannelColumns } from '../changes/channel-columns';
import { NEW_CHANNEL, type ChannelHistory } from '../changes/channel-history';
import { forecastHistory } from './forecast-history';

const EMAIL = 0;
const DAYS = 150;
const WORLD = channelWorld(
  { days: DAYS, sendsPerDay: 200, changes: [], campaignSd: 0.2, daySd: 0 },
  seededRng(5),
);

/** Forecasts of the channel as today's counts have it. */
function forecasts(
  { counts }: ChannelWorld,
  repliesOn: (day: number, replies: number, touches: number) => number,
) {
  const rows = Array.from({ length: counts.size }, (_, row) => {
    const [day, touches] = [counts.day[row] ?? 0, counts.n[row] ?? 0];
    const position = Math.min(POSITIONS.length - 1, counts.position[row] ?? 0);
    const replies = repliesOn(day, counts.y[row] ?? 0, touches);
    return { ...{ day, position, touches, replies }, campaign: 1 + (counts.campaign[row] ?? 0), step: 0 };
  }).sort((a, b) => a.day - b.day || a.campaign - b.campaign);
  const history: ChannelHistory = {
    ...{ channel: EMAIL, firstDay: rows[0]?.day ?? 0, state: NEW_CHANNEL, ledger: [], isKept: true },
    days: async (from, to) => {
      const columns = new ChannelColumns();
      const asked = rows.filter(({ day }) => day >= from && day <= to);
      for (const [day, ofDay] of Map.groupBy(asked, ({ day }) => day)) columns.pushDay(day, ofDay);
      return columns.finish();
    },
    campaignIdOf: async () => null,
  };
  return forecastHistory(history, { until: DAYS, observedUntil: DAYS, now: new Date(0) });
}

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
});
