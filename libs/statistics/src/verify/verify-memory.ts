import { dayCounts, fitRates } from '../arms';
import { trust } from '../drift';
import { seededRng } from '../random';
import { type ChannelWorld, channelWorld, type ChannelWorldSpec } from '../testing';
import { atLeast, atMost, type Check, mustFail } from './check';
import {
  rateAhead,
  ServedChannel,
  type ServedDay,
  type ServingFaults,
  SETTLING_DAYS,
} from './served-channel';
import { simulateCampaignFactor } from './verify-campaign-factor';
import { simulateLedgerRegret } from './verify-ledger-regret';

const SECTION = '1 memory';

interface Interval {
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

/** Width plus 40 times what the interval misses by (alpha = .05). */
const intervalScore = ({ low, high }: Interval, truth: number): number =>
  high - low + 40 * Math.max(0, low - truth, truth - high);

/** Arms from all counts of a channel weighted by age alone: what is served is compared with these. */
function weighted(world: ChannelWorld, asOf: number, weight: (age: number) => number): readonly Interval[] {
  const arms = Array.from({ length: world.positions }, () => ({ n: 0, y: 0 }));
  for (const { day, n, y } of dayCounts(world.counts, world.positions, 0, asOf)) {
    const w = weight(asOf - day);
    arms.forEach((arm, p) => {
      arm.n += w * (n[p] as number);
      arm.y += w * (y[p] as number);
    });
  }
  return fitRates(arms).arms;
}

type Serve = (world: ChannelWorld) => (asOf: number) => readonly Interval[];

const shipped =
  (faults: ServingFaults = {}): Serve =>
  (world) => {
    const channel = new ServedChannel(world, faults);
    return (asOf) => channel.serve(asOf).arms.map(({ target }) => target);
  };
const halfLife30: Serve = (world) => (asOf) => weighted(world, asOf, (age) => 2 ** (-age / 30));
/** Fault: the last 180 days are the memory. */
const window180: Serve = (world) => (asOf) => weighted(world, asOf, (age) => (age < 180 ? 1 : 0));

/** Coverage and interval score of the next 30 days' mean rates on some days. */
export function simulateForward(
  runs: number,
  spec: Omit<ChannelWorldSpec, 'days'>,
  asked: readonly number[],
  seed: number,
  serve: Serve = shipped(),
): ForwardResult {
  const inside = asked.map(() => 0);
  const scores = asked.map(() => 0);
  let arms = 0;
  for (let run = 0; run < runs; run++) {
    const days = (asked.at(-1) as number) + 31;
    const world = channelWorld({ ...spec, days }, seededRng(seed + run));
    const served = serve(world);
    arms += world.positions;
    asked.forEach((asOf, i) =>
      served(asOf).forEach((interval, position) => {
        const truth = rateAhead(world, asOf, position);
        if (interval.low <= truth && truth <= interval.high) inside[i]!++;
        scores[i]! += intervalScore(interval, truth) / truth;
      }),
    );
  }
  const coverage = inside.map((count) => count / arms);
  return {
    coverage,
    score: scores.map((score) => score / arms),
    average: coverage.reduce((a, b) => a + b, 0) / coverage.length,
  };
}

const CHANGE_DAY = 200;
const HALVING = [{ day: CHANGE_DAY, logOdds: -0.75 }];

/** Coverage on the days on which a halving has been told and the verdict is trusted again. */
export function simulateTrusted(runs: number, sendsPerDay: number, seed: number): number {
  let [inside, total] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const world = channelWorld({ days: 331, sendsPerDay, changes: HALVING }, seededRng(seed + run));
    const channel = new ServedChannel(world);
    for (let asOf = CHANGE_DAY + 2; asOf < 300; asOf += 4) {
      const day = channel.serve(asOf);
      if (!toldAndTrusted(day, asOf)) continue;
      day.arms.forEach(({ target: { low, high } }, position) => {
        const truth = rateAhead(world, asOf, position);
        total++;
        if (low <= truth && truth <= high) inside++;
      });
    }
  }
  return inside / Math.max(1, total);
}

function toldAndTrusted({ changes, settledReplies }: ServedDay, asOf: number): boolean {
  const last = changes.at(-1);
  if (!last || last.settledOn < CHANGE_DAY) return false;
  const toldDaysAgo = asOf - last.settledOn - SETTLING_DAYS;
  return trust({ lookPossible: true, settledReplies, newestOutcomeAgeDays: 0, toldDaysAgo }).trustworthy;
}

/** Coverage forward, and what it costs in width, of the arms as they are served. */
export function verifyMemory(scale: number): Check[] {
  const runs = Math.max(4, Math.round(60 * scale));
  const after = [CHANGE_DAY + 30, CHANGE_DAY + 60, CHANGE_DAY + 185, CHANGE_DAY + 365];
  const months = [60, 120, 240, 365, 420];
  const checks: Check[] = [];
  const halvings = [
    { sendsPerDay: 60, limits: [0.72, 0.93, 0.93, 0.93] },
    { sendsPerDay: 250, limits: [0.93, 0.93, 0.93, 0.93] },
    { sendsPerDay: 1_000, limits: [0.93, 0.93, 0.93, 0.93] },
  ];
  for (const [w, { sendsPerDay, limits }] of halvings.entries()) {
    const { coverage } = simulateForward(
      runs,
      { sendsPerDay, changes: HALVING },
      after,
      1_000_000 + w * 1_000,
    );
    coverage.forEach((share, i) =>
      checks.push(
        atLeast(
          SECTION,
          `coverage of the next 30 days, ${(after[i] as number) - CHANGE_DAY} days after a halving, ${sendsPerDay} a day`,
          share,
          limits[i] as number,
        ),
      ),
    );
  }
  const second = simulateForward(
    runs,
    { sendsPerDay: 250, changes: [...HALVING, { day: 260, logOdds: 0.75 }] },
    [275, 290],
    1_010_000,
  ).coverage;
  checks.push(
    atLeast(
      SECTION,
      'coverage 15 days after a second change, 60 days after the first',
      second[0] as number,
      0.75,
    ),
    atLeast(SECTION, 'coverage 30 days after it', second[1] as number, 0.93),
  );
  const average = (
    claim: string,
    seed: number,
    limit: number,
    spec: Partial<ChannelWorldSpec>,
    serve?: Serve,
  ) =>
    atLeast(
      SECTION,
      `coverage over a year: ${claim}`,
      simulateForward(runs, { sendsPerDay: 250, ...spec }, months, seed, serve).average,
      limit,
    );
  const campaigns = { campaignSd: 0.5 };
  checks.push(
    average('steady, 60 a day', 1_020_000, 0.95, { sendsPerDay: 60 }),
    average('steady, 250 a day', 1_021_000, 0.95, {}),
    average('days sd .3', 1_022_000, 0.95, { daySd: 0.3 }),
    average('campaigns sd .5, 60 a day', 1_023_000, 0.9, { ...campaigns, sendsPerDay: 60 }),
    average('campaigns sd .5', 1_024_000, 0.9, campaigns),
    average('campaigns and days sd .3, recipients sd 1', 1_025_000, 0.93, {
      campaignSd: 0.3,
      daySd: 0.3,
      recipientSd: 1,
    }),
    average('.4 logit a year', 1_026_000, 0.9, { trendPerYear: 0.4 }),
    average('random walk of sd .5 a year', 1_027_000, 0.86, { walkSdPerYear: 0.5 }),
    average('half a year imported without campaigns, campaigns sd .3', 1_028_000, 0.9, {
      campaignSd: 0.3,
      importedDays: 182,
    }),
    atLeast(
      SECTION,
      'coverage while a told change is trusted, 60 a day',
      simulateTrusted(runs, 60, 1_030_000),
      0.95,
    ),
    ...scoreLines(runs),
    ...faultLines(runs),
    ...factorLines(runs),
    ...regretLines(scale),
  );
  return checks;
}

function scoreLines(runs: number): Check[] {
  const line = (
    claim: string,
    spec: Omit<ChannelWorldSpec, 'days'>,
    asOf: number,
    seed: number,
    limit: number,
  ) => {
    const ours = simulateForward(runs, spec, [asOf], seed).score[0] as number;
    const plain = simulateForward(runs, spec, [asOf], seed, halfLife30).score[0] as number;
    return atMost(
      SECTION,
      `interval score over that of a half-life of 30 days: ${claim}`,
      ours / plain,
      limit,
    );
  };
  return [
    line('steady, 250 a day', { sendsPerDay: 250 }, 400, 1_040_000, 0.75),
    line('60 days after a halving', { sendsPerDay: 250, changes: HALVING }, 260, 1_041_000, 0.75),
    line('campaigns sd .5', { sendsPerDay: 250, campaignSd: 0.5 }, 400, 1_042_000, 0.75),
  ];
}

function faultLines(runs: number): Check[] {
  const halving = (claim: string, asOf: number, serve: Serve): Check =>
    atLeast(
      SECTION,
      claim,
      simulateForward(runs, { sendsPerDay: 250, changes: HALVING }, [asOf], 1_001_000, serve).average,
      0.93,
    );
  const fewCampaigns = (claim: string, serve: Serve): Check => {
    const spec = { sendsPerDay: 250, campaigns: 2, campaignSd: 0.8 };
    return atLeast(SECTION, claim, simulateForward(runs, spec, [45, 60], 1_045_000, serve).average, 0.85);
  };
  return [
    mustFail(halving('no restart: coverage 30 days after a halving', 230, shipped({ noRestart: true }))),
    mustFail(halving('the last 180 days as memory: coverage 60 days after a halving', 260, window180)),
    fewCampaigns('two campaigns at a time, sd .8: coverage on days 45 and 60', shipped()),
    mustFail(fewCampaigns('no campaign term: the same', shipped({ noCampaignTerm: true }))),
  ];
}

function factorLines(runs: number): Check[] {
  const gain = (sendsPerDay: number, sd: number, seed: number): number =>
    simulateCampaignFactor(Math.ceil(runs / 2), sendsPerDay, sd, seed);
  return [
    atLeast(
      SECTION,
      'log-likelihood gain of the campaign factor: sd .5, 60 a day',
      gain(60, 0.5, 1_050_000),
      1.5,
    ),
    atLeast(SECTION, 'the same at 250 a day', gain(250, 0.5, 1_051_000), 8),
    atLeast(SECTION, 'the same where campaigns do not differ', gain(250, 0, 1_052_000), -0.3),
  ];
}

function regretLines(scale: number): Check[] {
  const runs = Math.max(2, Math.round(30 * scale));
  return [
    atMost(
      SECTION,
      'Thompson regret over uniform with ledger and memory, stationary (8 arms, 365 days x 100)',
      simulateLedgerRegret(runs, [], 3_100_000),
      0.25,
    ),
    atMost(
      SECTION,
      'Thompson regret over uniform with ledger and memory, two abrupt changes',
      simulateLedgerRegret(runs, [120, 240], 3_200_000),
      0.38,
    ),
  ];
}
