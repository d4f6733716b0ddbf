import { POSITIONS, type BanditDocument } from '@outcomes/contracts';
import { dayCounts, fitRates, seededRng, trust } from '@outcomes/statistics';
import { channelWorld, type ChannelWorld, type ChannelWorldSpec } from '@outcomes/statistics/testing';
import { dayOf } from '../cohorts/days';
import { ServedChannel, type ServedDay, type ServingFaults } from './served-channel';

const AHEAD_DAYS = 30;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface ForwardResult {
  /** share of the 95 % intervals that hold the mean rate of the next 30 days, per day that was asked about */
  readonly coverage: readonly number[];
  /** mean interval score over the true rate, per day */
  readonly score: readonly number[];
  readonly average: number;
}

/** Intervals of a channel's positions on a day. */
export type Serve = (world: ChannelWorld) => (asOf: number) => Promise<readonly Interval[]>;

/** What the document of the arms says. */
export const served =
  (faults: ServingFaults = {}): Serve =>
  (world) => {
    const channel = new ServedChannel(world, faults);
    return async (asOf) => intervalsIn((await channel.serve(asOf)).bandit, world.positions);
  };

/** Counts that weigh by their age alone: what is served is compared with these. */
const weighted =
  (weight: (age: number) => number): Serve =>
  (world) =>
  (asOf) => {
    const arms = Array.from({ length: world.positions }, () => ({ n: 0, y: 0 }));
    for (const { day, n, y } of dayCounts(world.counts, world.positions, 0, asOf)) {
      const w = weight(asOf - day);
      arms.forEach((arm, position) => {
        arm.n += w * (n[position] ?? 0);
        arm.y += w * (y[position] ?? 0);
      });
    }
    return Promise.resolve(fitRates(arms).arms);
  };
export const halfLife30 = weighted((age) => 2 ** (-age / 30));
/** Fault: the last 180 days are the memory. */
export const window180 = weighted((age) => (age < 180 ? 1 : 0));

function intervalsIn({ arms }: BanditDocument, positions: number): Interval[] {
  return Array.from({ length: positions }, (_, index) => {
    const arm = arms.find(({ position }) => position === POSITIONS[index]);
    return { low: arm?.ci_low ?? Number.NaN, high: arm?.ci_high ?? Number.NaN };
  });
}

/** True mean rate of a position over the 30 days to come. */
function rateAhead(world: ChannelWorld, asOf: number, position: number): number {
  let sum = 0;
  for (let day = asOf + 1; day <= asOf + AHEAD_DAYS; day += 1) sum += world.rate(day, position);
  return sum / AHEAD_DAYS;
}

/** Width plus 40 times what the interval misses by (alpha = .05). */
const intervalScore = ({ low, high }: Interval, truth: number): number =>
  high - low + 40 * Math.max(0, low - truth, truth - high);

/** Coverage and interval score of the next 30 days' mean rates on some days. */
export async function simulateForward(
  runs: number,
  spec: Omit<ChannelWorldSpec, 'days'>,
  asked: readonly number[],
  seed: number,
  serve: Serve = served(),
): Promise<ForwardResult> {
  const inside = asked.map(() => 0);
  const scores = asked.map(() => 0);
  let arms = 0;
  for (let run = 0; run < runs; run += 1) {
    const world = channelWorld(
      { ...spec, days: (asked.at(-1) ?? 0) + AHEAD_DAYS + 1 },
      seededRng(seed + run),
    );
    const intervalsOn = serve(world);
    arms += world.positions;
    for (const [place, asOf] of asked.entries()) {
      for (const [position, interval] of (await intervalsOn(asOf)).entries()) {
        const truth = rateAhead(world, asOf, position);
        if (interval.low <= truth && truth <= interval.high) inside[place] = (inside[place] ?? 0) + 1;
        scores[place] = (scores[place] ?? 0) + intervalScore(interval, truth) / truth;
      }
    }
  }
  const coverage = inside.map((count) => count / arms);
  return {
    coverage,
    score: scores.map((score) => score / arms),
    average: coverage.reduce((a, b) => a + b, 0) / coverage.length,
  };
}

export const CHANGE_DAY = 200;
export const HALVING = [{ day: CHANGE_DAY, logOdds: -0.75 }];

/** Coverage on the days on which a halving has been told and the verdict is trusted again. */
export async function simulateTrusted(runs: number, sendsPerDay: number, seed: number): Promise<number> {
  let [inside, total] = [0, 0];
  for (let run = 0; run < runs; run += 1) {
    const world = channelWorld({ days: 331, sendsPerDay, changes: HALVING }, seededRng(seed + run));
    const channel = new ServedChannel(world);
    for (let asOf = CHANGE_DAY + 2; asOf < 300; asOf += 4) {
      const day = await channel.serve(asOf);
      if (!toldAndTrusted(day, asOf)) continue;
      for (const [position, { low, high }] of intervalsIn(day.bandit, world.positions).entries()) {
        const truth = rateAhead(world, asOf, position);
        total += 1;
        if (low <= truth && truth <= high) inside += 1;
      }
    }
  }
  return inside / Math.max(1, total);
}

function toldAndTrusted({ drift }: ServedDay, asOf: number): boolean {
  const last = drift.changes.at(-1);
  if (last === undefined || dayOf(last.settled_on) < CHANGE_DAY) return false;
  return trust({
    lookPossible: drift.look_possible,
    settledReplies: drift.settled_replies,
    newestOutcomeAgeDays: 0,
    toldDaysAgo: asOf - dayOf(last.told_at),
  }).trustworthy;
}
