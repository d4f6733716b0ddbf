import { type ChannelCounts, extendLedger, type RateInterval } from '../drift';
import { campaignVariance } from '../drift/campaign-spread';
import { lookWindow } from '../drift/change-look';
import { ratesAround } from '../drift/change-rates';
import { scanCuts } from '../drift/change-scan';
import { dayVariance, weighDays } from '../drift/day-effect';
import { firstDayFrom, sendDays } from '../drift/send-days';
import { windowResiduals, type WindowResiduals } from '../drift/window-residuals';
import { expit, logit } from '../numerics/logistic';
import type { ChannelWorld, ChannelWorldSpec } from '../testing';
import { atLeast, atMost, type Check, mustFail } from './check';
import { CHANGE_DAY, watchChange } from './watch-change';

const SECTION = '4 change';

/**
 * How often the 95 % intervals of "replies fell from A to B" hold the true rates at the mix of positions, steps and
 * campaigns of the window that was looked at, and how wide they are.
 */
export interface ToldRates {
  readonly told: number;
  /** share of the told changes whose first day is the true one or next to it */
  readonly nearDay: number;
  /** share of the told changes */
  readonly before: number;
  readonly after: number;
  /** of the intervals after that do not know (a fault) which campaign a message is of */
  readonly afterUnknowing: number;
  /** mean width of the interval, in true rates */
  readonly widthBefore: number;
  readonly widthAfter: number;
}

/** Expected rates of all sends from the one day to the other, had the change happened after or before all of them. */
function trueRates(
  world: ChannelWorld,
  from: number,
  to: number,
  logOdds: number,
): readonly [before: number, after: number] {
  const { counts, positions } = world;
  const sends = new Float64Array(positions);
  for (let i = 0; i < counts.size; i++) sends[counts.position[i] as number]! += counts.n[i] as number;
  const all = sends.reduce((a, b) => a + b, 0);
  const moved = (one: number, by: number): number => expit(logit(one) + by);
  let [before, after] = [0, 0];
  for (let day = from; day <= to; day++)
    sends.forEach((n, position) => {
      const own = world.rate(day, position);
      const weight = n / all / (to - from + 1);
      before += weight * moved(own, day < CHANGE_DAY ? 0 : -logOdds);
      after += weight * moved(own, day < CHANGE_DAY ? logOdds : 0);
    });
  return [before, after];
}

/** The rate after an accepted change as if (a fault) all messages were of one campaign. */
function rateUnknowing(counts: ChannelCounts, from: number, to: number): RateInterval {
  const sent = sendDays(counts, 0, to);
  const span = { first: firstDayFrom(sent, from), end: firstDayFrom(sent, to + 1) };
  const residuals = windowResiduals(sent, span) as WindowResiduals;
  const scan = scanCuts(weighDays(residuals, dayVariance(residuals)), campaignVariance(residuals));
  const campaign = new Int32Array(residuals.campaign.length);
  return ratesAround({ ...residuals, campaigns: 1, campaign }, scan).rateAfter;
}

export function simulateToldRates(
  runs: number,
  spec: Partial<ChannelWorldSpec>,
  logOdds: number,
  seed: number,
): ToldRates {
  let [told, nearDay, before, after, afterUnknowing, widthBefore, widthAfter] = [0, 0, 0, 0, 0, 0, 0];
  for (let run = 0; run < runs; run++) {
    const changes = [{ day: CHANGE_DAY, logOdds }];
    const { world, ledger, row } = watchChange(
      { sendsPerDay: 250, ...spec, changes },
      seed + run,
      (counts, days) => extendLedger(counts, [], 0, days - 1),
    );
    if (!row) continue;
    const { settledOn, rateBefore, rateAfter } = row;
    const start = ledger[ledger.indexOf(row) - 1]?.since ?? 0;
    const from = lookWindow(start, settledOn)?.from ?? start;
    const [trueBefore, trueAfter] = trueRates(world, from, settledOn, logOdds);
    const holds = ({ low, high }: RateInterval, truth: number): number =>
      low <= truth && truth <= high ? 1 : 0;
    told++;
    nearDay += Math.abs(row.since - CHANGE_DAY) <= 1 ? 1 : 0;
    before += holds(rateBefore, trueBefore);
    after += holds(rateAfter, trueAfter);
    afterUnknowing += holds(rateUnknowing(world.counts, from, settledOn), trueAfter);
    widthBefore += (rateBefore.high - rateBefore.low) / trueBefore;
    widthAfter += (rateAfter.high - rateAfter.low) / trueAfter;
  }
  return {
    ...{
      told,
      nearDay: nearDay / told,
      before: before / told,
      after: after / told,
      afterUnknowing: afterUnknowing / told,
    },
    ...{ widthBefore: widthBefore / told, widthAfter: widthAfter / told },
  };
}

/** Log-odds: a halving, falls to a quarter and to a fifth, and a doubling. */
const TOLD_CHANGES = [-0.75, -1.425, -1.6, 0.75];

/** Volumes, and campaigns that run at once: what few replies and what few campaigns leave open. */
const TOLD_WORLDS = [
  [250, 12],
  [2_000, 3],
] as const;

/** The same where campaigns differ. */
function toldAmongCampaigns(runs: number, campaignSd: number): Check[] {
  const worlds = TOLD_WORLDS.flatMap(([sendsPerDay, campaigns], i) =>
    [-0.75, 0.75].map((logOdds, j) =>
      simulateToldRates(
        runs,
        { sendsPerDay, campaigns, campaignSd, daySd: 0.2 },
        logOdds,
        4_350_000 + 1_000 * (2 * i + j),
      ),
    ),
  );
  const mean = (what: Exclude<keyof ToldRates, 'told'>, of: readonly ToldRates[] = worlds): number =>
    of.reduce((sum, world) => sum + world.told * world[what], 0) /
    of.reduce((sum, { told }) => sum + told, 0);
  const told = worlds.reduce((sum, world) => sum + world.told, 0);
  const among = `a told change, campaigns sd ${campaignSd}`;
  return [
    ...(['before', 'after'] as const).map((side) =>
      atLeast(
        SECTION,
        `95 % intervals of the rate ${side} ${among} (${told} told): coverage`,
        mean(side),
        0.93,
      ),
    ),
    atMost(SECTION, `mean width, in rates, of those before ${among}`, mean('widthBefore'), 0.6),
    atMost(SECTION, `mean width, in rates, of those after ${among}`, mean('widthAfter'), 1.2),
    mustFail(
      atLeast(
        SECTION,
        `coverage of the rate after ${among}, 2000 a day: campaigns not told apart`,
        mean('afterUnknowing', worlds.slice(2)),
        0.93,
      ),
    ),
  ];
}

/** Whether what is told with a change is true: the rates around it, and its day where much is sent. */
export function verifyToldRates(runs: number): Check[] {
  return [
    ...[250, 2_000, 20_000].flatMap((sendsPerDay) => {
      const worlds = TOLD_CHANGES.map((logOdds, i) =>
        simulateToldRates(runs, { sendsPerDay, daySd: 0.2 }, logOdds, 4_300_000 + 1_000 * i),
      );
      const told = worlds.reduce((sum, world) => sum + world.told, 0);
      const mean = (what: 'before' | 'after' | 'nearDay'): number =>
        worlds.reduce((held, world) => held + world.told * world[what], 0) / told;
      return [
        ...(['before', 'after'] as const).map((side) =>
          atLeast(
            SECTION,
            `95 % intervals of the rate ${side} a told change, ${sendsPerDay} a day (${told} told): coverage`,
            mean(side),
            0.93,
          ),
        ),
        ...(sendsPerDay < 2_000
          ? []
          : [
              atLeast(
                SECTION,
                `told changes whose first day is the true one or next to it, ${sendsPerDay} a day`,
                mean('nearDay'),
                0.93,
              ),
            ]),
      ];
    }),
    ...[0.3, 0.5].flatMap((campaignSd) => toldAmongCampaigns(runs, campaignSd)),
  ];
}
