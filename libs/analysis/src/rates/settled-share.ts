import { CHANNELS, MATURITY_DAYS, type Channel } from '@outcomes/contracts';
import {
  EMAIL_DELAY,
  fitWatchedDelays,
  LINKEDIN_DELAY,
  maturity,
  type DefaultDelay,
  type Watch,
  type WatchedCohort,
} from '@outcomes/statistics';
import type { CohortTable } from '../cohorts/cohort-table';
import { HOURS_PER_DAY } from '../cohorts/days';

/**
 * Share of a message's replies that may be expected to have come by a given age.
 * @param channel - index into CHANNELS
 * @param age - whole days between the send day and the newest one, >= 0
 * @returns fraction in [0, 1]; 1 from the age at which the cohort counts as mature, unless many come later
 * (`shareOfAllReplies`); 0 of a cohort that is too young to count: its replies count no more than its messages
 */
export type SettledShare = (channel: number, age: number) => number;

const USUAL_DELAYS: Readonly<Record<Channel, DefaultDelay>> = {
  email: { ...EMAIL_DELAY, matureDays: MATURITY_DAYS.email },
  linkedin: { ...LINKEDIN_DELAY, matureDays: MATURITY_DAYS.linkedin },
};

/** The silence before the next reply is found in steps of half an hour, up to a day. */
const STEP = 1 / 48;
const LONGEST_SILENCE = 48;

/**
 * Less of a cohort's replies says nothing of the rest. Of messages that are minutes old a thousandth of the replies or a
 * third may have come, as a company's recipients are quick or slow, which its first day does not tell: of 400 of which 40 had
 * answered, 9 of 10 would answer by the usual delay. Where half may have come the rate is at most twice too high.
 */
const FEWEST_ARRIVED = 0.5;

/** What cohorts count as: the share of their replies that have come, and nothing of those of which that is too little. */
export function settledShareOf(table: CohortTable): SettledShare {
  const arrived = arrivedShareOf(table);
  return (channel, age) => {
    const share = arrived(channel, age);
    return share < FEWEST_ARRIVED ? 0 : share;
  };
}

/** The company's own curve of reply delays per channel, leaning on the channel's usual one while it is young. */
export function arrivedShareOf(table: CohortTable): SettledShare {
  const known = sharesAt(table, table.observedAt);
  if (!endsWithReply(table)) return known;
  return sharesAt(table, nextReplyAt(table, known));
}

type SharesAt = SettledShare & {
  /** The same, had outcomes been known up to another moment. */
  readonly had: (until: number) => SettledShare;
};

/** @param until - moment up to which outcomes are known, as `observedAt` */
function sharesAt(table: CohortTable, until: number): SharesAt {
  const curves = CHANNELS.map((channel, index) => {
    const usual = USUAL_DELAYS[channel];
    return fitWatchedDelays(watchedReplies(table, index, usual.matureDays, until), usual);
  });
  const had = (moment: number): SettledShare => {
    const shares = curves.map((curve) =>
      Array.from({ length: curve.matureDays }, (_, age) =>
        watchesOf(table, table.observedUntil - age, moment).reduce(
          (sum, { share, days }) => sum + share * maturity(curve, days),
          0,
        ),
      ),
    );
    return (channel, age) => shares[channel]?.[age] ?? 1;
  };
  return Object.assign(had(until), { had });
}

/** Whether the newest outcome came after the newest message: then it is a reply, and the watch went on until the next. */
function endsWithReply(table: CohortTable): boolean {
  const day = table.newestDay ?? 0;
  const last = table.youngHours.get(day)?.findLastIndex((messages) => messages > 0) ?? -1;
  const isDate = table.observedAt === table.observedUntil + 1;
  return last >= 0 && !isDate && table.observedAt >= day + (last + 1) / HOURS_PER_DAY;
}

/**
 * When the next reply would be due. A watch that is taken to end with the newest reply is too short by the silence since:
 * of twenty replies, the rate would come out a twentieth too high.
 */
function nextReplyAt(table: CohortTable, known: SharesAt): number {
  let replies = 0;
  const young: { channel: number; age: number; messages: number }[] = [];
  for (let row = 0; row < table.size; row += 1) {
    if (table.isMature(row)) continue;
    replies += table.replies[row] ?? 0;
    young.push({
      ...{ channel: table.channel[row] ?? 0, age: table.ageOf(row), messages: table.touches[row] ?? 0 },
    });
  }
  const settled = (share: SettledShare) =>
    young.reduce((sum, { channel, age, messages }) => sum + messages * share(channel, age), 0);
  const due = settled(known) * (1 + 1 / Math.max(1, replies));
  let steps = 0;
  while (steps < LONGEST_SILENCE && settled(known.had(table.observedAt + steps * STEP)) < due) steps += 1;
  return table.observedAt + steps * STEP;
}

/** Where no hours are known, messages are taken as sent throughout their day. */
function watchesOf(table: CohortTable, day: number, until: number): Watch[] {
  const known = table.youngHours.get(day)?.some((messages) => messages > 0);
  const hours = (known && table.youngHours.get(day)) || new Float64Array(HOURS_PER_DAY).fill(1);
  const messages = hours.reduce((sum, one) => sum + one, 0);
  return Array.from(hours, (sent, hour) => ({
    ...{ share: sent / messages, days: Math.max(0, until - day - (hour + 0.5) / HOURS_PER_DAY) },
  })).filter(({ share }) => share > 0);
}

/** For each day, and of all mature cohorts at once. */
function watchedReplies(
  table: CohortTable,
  channel: number,
  matureDays: number,
  until: number,
): WatchedCohort[] {
  const young = table.youngDelays
    .filter((one) => one.channel === channel)
    .map(({ day, delays }) => ({ repliesByDay: delays, watches: watchesOf(table, day, until) }));
  const mature = table.matureDelays[channel] ?? new Float64Array(0);
  return [{ repliesByDay: mature, watches: [{ share: 1, days: matureDays }] }, ...young];
}
