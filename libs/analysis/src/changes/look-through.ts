import { POSITIONS, STEP_BUCKETS } from '@outcomes/contracts';
import {
  CHANGE_WINDOW_DAYS,
  dayCounts,
  extendLedger,
  LEDGER_REACH_DAYS,
  type DayCounts,
  type LedgerChange,
} from '@outcomes/statistics';
import { isBundle } from './campaign-bundles';
import type { ChannelDays, ChannelHistory, KeptChange } from './channel-history';

/** Of a long history so many are looked through at a time, with those before them that the looks reach back over. */
const DAYS_AT_A_TIME = 120;

/** Which days of a channel are read and looked at. Days are since 1970-01-01. */
export interface LookPlan {
  /** Last settled day. */
  readonly settled: number;
  /** First settled day to look at. */
  readonly lookFrom: number;
  readonly readFrom: number;
  /** First of the days that every run reads. */
  readonly newestFrom: number;
  /** Rows of the ledger that stand. */
  readonly kept: readonly KeptChange[];
}

/** What is read of a channel. */
export interface Past {
  /** The newest days by campaign: what the facts and the last look rest on. */
  readonly days: ChannelDays;
  /** All days from the first that is read. */
  readonly daily: readonly DayCounts[];
  readonly appended: readonly KeptChange[];
}

/**
 * Reads a few months at a time, so that memory does not follow the length of a history that is looked through. Days
 * before the windows of the looks, which tell what a change is about, are read where there is one.
 */
export async function lookThrough(history: ChannelHistory, plan: LookPlan, sentUntil: number): Promise<Past> {
  const { firstDay } = history;
  const { settled, lookFrom, newestFrom, kept } = plan;
  const daily: DayCounts[] = [];
  const appended: KeptChange[] = [];
  const read = async (from: number, to: number, atLeastFrom = from): Promise<ChannelDays> => {
    const [first, last] = [Math.max(from, lookFrom), Math.min(to, settled)];
    const isLooked = first <= last;
    const reach = (days: number) =>
      Math.max(firstDay, Math.min(from, atLeastFrom, isLooked ? first - days : from));
    const before = reach(CHANGE_WINDOW_DAYS);
    let days = await history.days(before, to);
    daily.push(...dayCounts(days.counts, POSITIONS.length, from, Infinity));
    if (!isLooked) return days;
    const look = () => extendLedger(days.counts, [...kept, ...appended], first, last, firstDay);
    let rows = look();
    if (rows.length > 0 && reach(LEDGER_REACH_DAYS) < before) {
      days = await history.days(reach(LEDGER_REACH_DAYS), to);
      rows = look();
    }
    for (const row of rows) appended.push({ ...row, scope: await namedScope(history, days, row.scope) });
    return days;
  };
  let from = plan.readFrom;
  for (; settled - from >= DAYS_AT_A_TIME; from += DAYS_AT_A_TIME) {
    const to = from + DAYS_AT_A_TIME - 1;
    // What the last days are read with anyway is not read before.
    if (to >= newestFrom && lookFrom > to) break;
    await read(from, to);
  }
  return { days: await read(from, sentUntil, newestFrom), daily, appended };
}

async function namedScope(
  history: ChannelHistory,
  { campaigns }: ChannelDays,
  scope: LedgerChange['scope'],
): Promise<KeptChange['scope']> {
  switch (scope.kind) {
    case 'channel':
      return { kind: 'channel', value: null };
    case 'campaign': {
      const campaign = campaigns[scope.key] ?? 0;
      // A bundle has no name to look at.
      if (isBundle(campaign)) return { kind: 'channel', value: null };
      return { kind: 'campaign', value: await history.campaignIdOf(campaign) };
    }
    case 'position':
      return { kind: 'position', value: POSITIONS[scope.key] ?? null };
    case 'step':
      return { kind: 'step', value: STEP_BUCKETS[scope.key] ?? null };
  }
}
