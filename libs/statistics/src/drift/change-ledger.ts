import { requireDomain } from '../numerics/stats-domain-error';
import { type ChannelCounts, firstSendDay } from './channel-counts';
import { CHANGE_THRESHOLD, CHANGE_WINDOW_DAYS, lookWindow, type Scan, scanDays } from './change-look';
import { ratesAround, type RatesAround } from './change-rates';
import { type ChangeScope, SCOPE_BASELINE_DAYS, scopeOfChange } from './change-scope';
import { firstDayFrom, type SendDays, sendDays } from './send-days';

export type DriftDirection = 'up' | 'down';

/** One accepted change of a channel's reply rate. No later look changes it. */
export interface LedgerChange extends RatesAround {
  /** first send day after the change */
  readonly since: number;
  /** settled day whose look accepted it */
  readonly settledOn: number;
  readonly direction: DriftDirection;
  /** log likelihood ratio, above `CHANGE_THRESHOLD` */
  readonly statistic: number;
  readonly scope: ChangeScope;
}

/** Days before the first new look that `extendLedger` may read: a window, and the baseline of a cut at its start. */
export const LEDGER_REACH_DAYS = CHANGE_WINDOW_DAYS + SCOPE_BASELINE_DAYS;

function changeOf(sent: SendDays, scan: Scan, startDay: number, day: number): LedgerChange | null {
  const { best, residuals } = scan;
  if (best.statistic <= CHANGE_THRESHOLD) return null;
  const since = residuals.day[best.cut] as number;
  const rates = ratesAround(residuals, best);
  return {
    since,
    settledOn: day,
    direction: rates.ratio > 1 ? 'up' : 'down',
    ...rates,
    statistic: best.statistic,
    scope: scopeOfChange(sent, Math.max(startDay, since - SCOPE_BASELINE_DAYS), since, day),
  };
}

/**
 * The daily looks of some settled days, one after the other: the rows that they append to a channel's ledger. A day
 * without sends brings nothing to look at. History that is imported is replayed by one call; the rows are the same
 * as of a call a day.
 *
 * Shapes: counts of any number of days and the rows so far in, the new rows out, oldest first.
 * @param counts - settled counts of one channel, sorted by day; all of them, or those from `LEDGER_REACH_DAYS` before
 * `fromDay` on. From `CHANGE_WINDOW_DAYS` before it on they suffice to see whether there are any rows
 * @param accepted - the rows so far, oldest first, all settled before `fromDay`
 * @param fromDay - first settled day not looked at yet, whole
 * @param toDay - last settled day, whole, >= fromDay - 1
 * @param startDay - day of the channel's first send; default that of the counts
 * @returns the rows to append, none in most calls
 * @throws StatsDomainError with code `size`, `order`, `range` or `count`
 *
 * Reference: as `lookForChange`; the scan that begins anew at each accepted change is the sequential segmentation of
 * Lai (1995), Journal of the Royal Statistical Society B 57, 613-658.
 * Oracle: fixtures/change.json (prototype of the design), rtol 1e-6.
 *
 * @example
 * extendLedger(channelWorld({ days: 40, sendsPerDay: 60 }, seededRng(1)).counts, [], 0, 39); // []
 */
export function extendLedger(
  counts: ChannelCounts,
  accepted: readonly Pick<LedgerChange, 'since' | 'settledOn'>[],
  fromDay: number,
  toDay: number,
  startDay = firstSendDay(counts) ?? fromDay,
): LedgerChange[] {
  requireDomain(
    Number.isInteger(fromDay) && Number.isInteger(toDay),
    'range',
    'days are counted in whole numbers',
  );
  requireDomain(toDay >= fromDay - 1, 'order', 'the last settled day lies before the first new one');
  accepted.forEach(({ since, settledOn }, i) =>
    requireDomain(
      since <= settledOn && settledOn < fromDay && since >= (accepted[i - 1]?.since ?? -Infinity),
      'order',
      'accepted changes must be sorted, and settled before the new days',
    ),
  );
  const sent = sendDays(counts, fromDay - LEDGER_REACH_DAYS, toDay);
  const appended: LedgerChange[] = [];
  let start = accepted.at(-1)?.since ?? startDay;
  const end = firstDayFrom(sent, toDay + 1);
  for (let d = firstDayFrom(sent, fromDay); d < end; d++) {
    const day = sent.days[d] as number;
    const window = lookWindow(start, day);
    const scan = window && scanDays(sent, window.from, window.to);
    const change = scan && changeOf(sent, scan, start, day);
    if (!change) continue;
    appended.push(change);
    start = change.since;
  }
  return appended;
}
