import { CHANNELS, DAY_MS, MATURITY_DAYS } from '@outcomes/contracts';
import { drawBinomial, drawNormal, exp, seededRng, type Rng } from '@outcomes/statistics';
import { atMost, mustFail, type Check } from '@outcomes/statistics/verify';
import type { CohortRow } from '../cohorts/cohort-row';
import { CohortTable } from '../cohorts/cohort-table';
import { dayOfTime, HOURS_PER_DAY, weekOf } from '../cohorts/days';
import { DELAY_DAYS, WeekCounts } from '../cohorts/week-counts';
import { countsByPosition } from '../rates/level-counts';
import { settledShareOf } from '../rates/settled-share';

const EMAIL = CHANNELS.indexOf('email');
const FIRST_DAY = 20_458;
const SENDS_PER_DAY = 300;
const RATE = 0.05;

/** A company that began to send some days before it is analysed. */
export interface YoungTenant {
  /** hours of the day at which it sends, the second one left out */
  readonly hours: readonly [number, number];
  /** days from the beginning of its first send day to the run */
  readonly runAt: number;
  /** default 0.5 */
  readonly medianDays?: number;
}

const SIGMA = 1.1;
const AT_TWO = 2 / HOURS_PER_DAY;
const [EUROPE, AMERICA] = [
  [8, 18],
  [13, 23],
] as const;

/** Daily runs begin at 02:00 UTC, those of a company's first day whenever its data come. */
export const TENANTS: Readonly<Record<string, YoungTenant>> = {
  '3 days, sends 8 to 18, run at 02:00': { hours: EUROPE, runAt: 3 + AT_TWO },
  '3 days, sends 13 to 23, run at 02:00': { hours: AMERICA, runAt: 3 + AT_TWO },
  '3 days, sends 8 to 18, run at 12:00 of the third': { hours: EUROPE, runAt: 2.5 },
  '3 days, sends 8 to 18, run at 18:00 of the third': { hours: EUROPE, runAt: 2.75 },
  '3 days, sends 8 to 18, run at the end of the third': { hours: EUROPE, runAt: 3 },
  '5 days, sends 13 to 23, run at 02:00': { hours: AMERICA, runAt: 5 + AT_TWO },
};

/** What the counts of the company know at the run, and what comes of all its messages within the time of maturity. */
interface Drawn {
  readonly rows: readonly CohortRow[];
  readonly eventual: number;
}

function drawTenant({ hours: [from, to], runAt, medianDays = 0.5 }: YoungTenant, rng: Rng): Drawn {
  const rows: CohortRow[] = [];
  let eventual = 0;
  let newest = 0;
  for (let day = 0; day < runAt; day += 1) {
    const hourTouches = new Int32Array(HOURS_PER_DAY);
    const replyDelays = new Int32Array(DELAY_DAYS);
    let [touches, replies] = [0, 0];
    for (let message = 0; message < SENDS_PER_DAY; message += 1) {
      const hour = from + rng.next() * (to - from);
      const sentAt = day + hour / HOURS_PER_DAY;
      if (sentAt >= runAt) continue;
      touches += 1;
      newest = Math.max(newest, sentAt);
      hourTouches[Math.floor(hour)] = (hourTouches[Math.floor(hour)] ?? 0) + 1;
      if (drawBinomial(rng, 1, RATE) === 0) continue;
      const delay = medianDays * exp(SIGMA * drawNormal(rng));
      if (delay < MATURITY_DAYS.email) eventual += 1;
      if (sentAt + delay >= runAt) continue;
      replies += 1;
      newest = Math.max(newest, sentAt + delay);
      replyDelays[Math.floor(delay)] = (replyDelays[Math.floor(delay)] ?? 0) + 1;
    }
    const none = { bounces: 0, unsubscribes: 0, opens: 0, meetings: 0, streamed: 0 };
    const levels = { levelTouches: [], levelReplies: [], levelRandomized: [] };
    const stratum = { day: FIRST_DAY + day, channel: EMAIL, step: 0, position: 0 };
    const outcomes = { lastOutcomeAt: null, hourTouches, hourReplies: [], replyDelays };
    if (touches > 0) rows.push({ ...stratum, touches, replies, ...none, ...levels, ...outcomes });
  }
  const lastOutcomeAt = new Date(Math.floor((FIRST_DAY + newest) * DAY_MS));
  return { rows: rows.map((row) => ({ ...row, lastOutcomeAt })), eventual };
}

/** The mistake: the newest day is taken as over, and mail as sent around the clock. */
export const inWholeDays = (row: CohortRow): CohortRow => ({
  ...row,
  hourTouches: [],
  lastOutcomeAt: row.lastOutcomeAt && new Date(dayOfTime(row.lastOutcomeAt.getTime()) * DAY_MS),
});

function tableOf(rows: readonly CohortRow[]): CohortTable {
  const days = rows.map(({ day, lastOutcomeAt }) => Math.max(day, dayOfTime(lastOutcomeAt?.getTime() ?? 0)));
  const table = new CohortTable(Math.max(...days));
  for (const [number, members] of Map.groupBy(rows, ({ day }) => weekOf(day))) {
    const week = new WeekCounts(number);
    for (const row of members) week.append(row);
    table.addWeek(week);
  }
  return table;
}

/** Relative bias of the reply rate that is served of such companies. */
export function simulateWatchBias(
  tenant: YoungTenant,
  runs: number,
  seed: number,
  seenAs: (row: CohortRow) => CohortRow = (row) => row,
): number {
  let [served, truth] = [0, 0];
  for (let run = 0; run < runs; run += 1) {
    const { rows, eventual } = drawTenant(tenant, seededRng(seed + run));
    const table = tableOf(rows.map(seenAs));
    const [counts] = countsByPosition(table, settledShareOf(table));
    served += (counts?.answered ?? 0) / (counts?.settled ?? 1);
    truth += eventual / (counts?.messages ?? 1);
  }
  return served / truth - 1;
}

/** Acceptance lines of section 0, for the share that is served. */
export function verifyWatch(scale: number): Promise<Check[]> {
  const runs = Math.max(400, Math.round(2_000 * scale));
  const s = '0 maturity, served';
  const bias = (tenant: YoungTenant, seenAs?: (row: CohortRow) => CohortRow) =>
    Math.abs(simulateWatchBias(tenant, runs, 6_200_000, seenAs));
  return Promise.resolve([
    ...Object.entries(TENANTS).map(([name, tenant]) =>
      atMost(s, `|relative bias| of the rate, ${name}`, bias(tenant), 0.02),
    ),
    mustFail(
      atMost(
        s,
        'days taken as whole: the same, 3 days, sends 13 to 23, run at 02:00',
        bias(TENANTS['3 days, sends 13 to 23, run at 02:00'] as YoungTenant, inWholeDays),
        0.02,
      ),
    ),
  ]);
}
