import {
  CHANGE_THRESHOLD,
  type ChannelCounts,
  extendLedger,
  type LedgerChange,
  lookForChange,
} from '../drift';
import { lookWindow } from '../drift/change-look';
import { scanCuts } from '../drift/change-scan';
import { campaignVariance } from '../drift/campaign-spread';
import { dayVariance, weighDays } from '../drift/day-effect';
import { firstDayFrom, sendDays } from '../drift/send-days';
import { windowResiduals } from '../drift/window-residuals';
import { seededRng } from '../random';
import { channelWorld, type ChannelWorldSpec } from '../testing';
import { atLeast, atMost, type Check, mustFail } from './check';
import type { CpuClock } from './verify-cost';
import { verifyToldRates } from './verify-told-rates';
import { CHANGE_DAY, WATCHED_DAYS, watchChange } from './watch-change';

const SECTION = '4 change';
const YEARS_DAYS = 730;

type Replay = (counts: ChannelCounts, days: number) => readonly Pick<LedgerChange, 'since' | 'settledOn'>[];

const shipped = (counts: ChannelCounts, days: number): LedgerChange[] =>
  extendLedger(counts, [], 0, days - 1);

/** The daily looks with another threshold, or (a fault) with every day weighing what independent replies would. */
const variant =
  ({ threshold = CHANGE_THRESHOLD, knowsDays = true }): Replay =>
  (counts, days) => {
    const sent = sendDays(counts, 0, days);
    const rows: { since: number; settledOn: number }[] = [];
    let start = 0;
    for (const day of sent.days) {
      const window = lookWindow(start, day);
      const span = window && { first: firstDayFrom(sent, window.from), end: firstDayFrom(sent, day + 1) };
      const residuals = span && windowResiduals(sent, span);
      if (!residuals) continue;
      const weighed = knowsDays ? weighDays(residuals, dayVariance(residuals)) : residuals;
      const { statistic, cut } = scanCuts(weighed, campaignVariance(residuals));
      if (statistic <= threshold) continue;
      start = residuals.day[cut] as number;
      rows.push({ since: start, settledOn: day });
    }
    return rows;
  };
const withoutDays = variant({ knowsDays: false });
/** The threshold at which looks in ADWIN's world raise false alarms as rarely as ADWIN was set to: every 333 days. */
const likeAdwin = variant({ threshold: 4.6 });

/** Mean days between false alarms: days over rows, in worlds where nothing changes. At least one row is counted. */
export function simulateRunLength(
  runs: number,
  spec: Omit<ChannelWorldSpec, 'days'>,
  seed: number,
  replay: Replay,
): number {
  let rows = 0;
  for (let run = 0; run < runs; run++) {
    const { counts } = channelWorld({ ...spec, days: YEARS_DAYS }, seededRng(seed + run));
    rows += replay(counts, YEARS_DAYS).length;
  }
  return (runs * YEARS_DAYS) / Math.max(1, rows);
}

/** Mean days until the first false alarm, as the run length of ADWIN was measured; runs without one are censored. */
export function simulateFirstAlarm(
  runs: number,
  spec: Omit<ChannelWorldSpec, 'days'>,
  seed: number,
  replay: Replay,
): number {
  let [watched, alarms] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const { counts } = channelWorld({ ...spec, days: YEARS_DAYS }, seededRng(seed + run));
    const [first] = replay(counts, YEARS_DAYS);
    watched += first ? first.settledOn + 1 : YEARS_DAYS;
    alarms += first ? 1 : 0;
  }
  return watched / Math.max(1, alarms);
}

/** Mean sends between a change and the look that accepts it; 170 days where none does. */
export function simulateLedgerDelay(
  runs: number,
  spec: Omit<ChannelWorldSpec, 'days' | 'changes'>,
  logOdds: number,
  seed: number,
  replay: Replay = shipped,
): number {
  let days = 0;
  for (let run = 0; run < runs; run++) {
    const { row } = watchChange({ ...spec, changes: [{ day: CHANGE_DAY, logOdds }] }, seed + run, replay);
    days += row ? row.settledOn - CHANGE_DAY + 1 : WATCHED_DAYS;
  }
  return (days / runs) * spec.sendsPerDay;
}

export interface ScopeResult {
  readonly told: number;
  /** share of the told changes whose scope is right */
  readonly right: number;
}

/** How often the right group is named. */
export function simulateScope(
  runs: number,
  change: { readonly logOdds: number; readonly position?: number; readonly firstCampaign?: boolean },
  seed: number,
  spec: Partial<ChannelWorldSpec> = {},
): ScopeResult {
  const wanted =
    change.position !== undefined
      ? `position ${change.position}`
      : change.firstCampaign
        ? 'campaign 1'
        : 'channel';
  let [told, right] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const changes = [{ day: CHANGE_DAY, ...change }];
    const scope = watchChange({ sendsPerDay: 250, ...spec, changes }, seed + run, shipped).row?.scope;
    if (!scope) continue;
    told++;
    if ((scope.kind === 'channel' ? 'channel' : `${scope.kind} ${scope.key}`) === wanted) right++;
  }
  return { told, right: right / Math.max(1, told) };
}

/** ADWIN at a run length of 333 days in the same world, in sends: measured for the design with river 0.26.1. */
const ADWIN_HALVING = 1_655;
const ADWIN_DOUBLING = 564;

function costLines(cpu: CpuClock): Check[] {
  const spec = { days: YEARS_DAYS, sendsPerDay: 250, campaignSd: 0.4, daySd: 0.2 };
  const { counts } = channelWorld(spec, seededRng(4_900_000));
  const time = (work: () => unknown, rounds: number): number => {
    const times = Array.from({ length: rounds }, () => {
      const began = cpu();
      work();
      return cpu() - began;
    });
    return times.sort((a, b) => a - b)[rounds >> 1] as number;
  };
  const replay = time(() => extendLedger(counts, [], 0, YEARS_DAYS - 1), 5);
  // Ten at a time: one look is shorter than the tick of some clocks. Each at columns that no other has looked at: what
  // was made of them last is kept.
  const day = YEARS_DAYS - 1;
  const looks = (): void => {
    for (let i = 0; i < 10; i++) lookForChange({ ...counts }, 0, day);
  };
  return [
    atMost(SECTION, 'CPU ms of one look, 250 sends a day in 6 campaigns (median)', time(looks, 21) / 10, 4),
    atMost(
      SECTION,
      'CPU ms of a replay of two years, 250 sends a day in 6 campaigns (median)',
      replay,
      1_500,
    ),
  ];
}

/** Delays, scope and cost of the ledger; its run lengths are measured in the documents, by the analysis. */
export function verifyChange(scale: number, cpu: CpuClock): Check[] {
  const runs = Math.max(4, Math.round(60 * scale));
  const scope = (
    claim: string,
    seed: number,
    limit: number,
    ...[change, spec]: [Change, Partial<ChannelWorldSpec>?]
  ) => {
    const { told, right } = simulateScope(runs, change, seed, spec);
    return atLeast(SECTION, `scope right: ${claim} (${told} of ${runs} told)`, right, limit);
  };
  const delay = (claim: string, logOdds: number, limit: number, replay?: Replay): Check =>
    atMost(
      SECTION,
      `sends until accepted: ${claim}`,
      simulateLedgerDelay(runs, adwin, logOdds, logOdds < 0 ? 4_100_000 : 4_110_000, replay),
      limit,
    );
  const adwin = { sendsPerDay: 60, baseRate: 0.034, campaigns: 1, campaignsUnnamed: true };
  const all = { campaignSd: 0.3, daySd: 0.3, recipientSd: 1 };
  return [
    mustFail(
      atLeast(
        SECTION,
        'days between false alarms: no day term, days sd .3, 250',
        simulateRunLength(runs, { sendsPerDay: 250, daySd: 0.3 }, 4_020_000, withoutDays),
        365,
      ),
    ),
    atLeast(
      SECTION,
      'days to the first false alarm at the threshold 4.6, 60 a day at 3.4 % (ADWIN: 333)',
      simulateFirstAlarm(runs, adwin, 4_090_000, likeAdwin),
      333,
    ),
    delay('a halving, threshold 4.6 (ADWIN: 1,655)', -0.71, ADWIN_HALVING, likeAdwin),
    delay('a doubling, threshold 4.6 (ADWIN: 564)', 0.69, ADWIN_DOUBLING, likeAdwin),
    delay('a halving, as shipped', -0.71, 1_800),
    delay('a doubling, as shipped', 0.69, 700),
    scope('whole channel, 250 a day', 4_200_000, 0.95, { logOdds: -0.75 }),
    scope('whole channel, campaigns and days and recipients differ', 4_210_000, 0.9, { logOdds: -0.75 }, all),
    scope('one position of six', 4_220_000, 0.65, { logOdds: -0.9, position: 0 }),
    scope(
      'one campaign of six',
      4_230_000,
      0.45,
      { logOdds: -1.2, firstCampaign: true },
      {
        campaignsLast: true,
        campaignSd: 0.3,
      },
    ),
    ...verifyToldRates(runs),
    ...costLines(cpu),
  ];
}

type Change = Parameters<typeof simulateScope>[1];
