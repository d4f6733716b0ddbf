import { requireDomain } from '../numerics/stats-domain-error';
import type { ChannelCounts } from './channel-counts';
import { campaignVariance } from './campaign-spread';
import { scanCuts, type ScanResult } from './change-scan';
import { dayVariance, LARGEST_DAY_DEVIATION, weighDays } from './day-effect';
import { Scratch } from './scratch';
import { firstDayFrom, type SendDays, sendDays } from './send-days';
import { type Span, windowResiduals, type WindowResiduals } from './window-residuals';

/** What one look sees. */
export interface ChangeLook {
  /** largest log likelihood ratio over all cuts; a change is accepted above `CHANGE_THRESHOLD` */
  readonly statistic: number;
  /** first send day after the best cut; null where neither side of any cut holds enough */
  readonly since: number | null;
  /** log of the odds after the cut over those before it; 0 without a cut */
  readonly logRatio: number;
  /** variance, on the logit, of what happens to all sends of a day */
  readonly dayVariance: number;
  /** variance, on the logit, of the campaigns' levels */
  readonly campaignVariance: number;
}

/** Above this a look accepts its cut. By simulation, at one look a day, a year and more between false alarms. */
export const CHANGE_THRESHOLD = 5.75;
/** Days that a look looks back over, where no change is nearer. */
export const CHANGE_WINDOW_DAYS = 180;
/** Days since the start, or since the last change, before the first look. */
export const FIRST_LOOK_DAYS = 14;

/** A look with everything that a row of the ledger is made of. */
export interface Scan {
  readonly residuals: WindowResiduals;
  readonly dayVariance: number;
  readonly campaignVariance: number;
  readonly best: ScanResult;
}

interface LastScan {
  readonly span: Span;
  readonly scan: Scan | null;
  readonly scratch: Scratch;
}

/** The last scan of some counts: that of the newest day is asked for by the ledger, and then as the newest look. */
const lastScans = new WeakMap<SendDays, LastScan>();
/** Of what no scan keeps. */
const WEIGHED = new Scratch();

/**
 * Null where fewer than 8 replies or 8 days with sends lie in the days.
 * @returns what is valid up to the next scan of the same counts, which stands in its place
 */
export function scanDays(sent: SendDays, fromDay: number, toDay: number): Scan | null {
  const span = { first: firstDayFrom(sent, fromDay), end: firstDayFrom(sent, toDay + 1) };
  const last = lastScans.get(sent);
  if (last?.span.first === span.first && last.span.end === span.end) return last.scan;
  const scratch = last?.scratch ?? new Scratch();
  const scan = scanSpan(sent, span, scratch);
  lastScans.set(sent, { span, scan, scratch });
  return scan;
}

function scanSpan(sent: SendDays, span: Span, scratch: Scratch): Scan | null {
  const residuals = windowResiduals(sent, span, scratch);
  if (!residuals) return null;
  const days = dayVariance(residuals);
  const campaigns = campaignVariance(residuals);
  return {
    residuals,
    dayVariance: days,
    campaignVariance: campaigns,
    best: scanCuts(weighDays(residuals, days, LARGEST_DAY_DEVIATION, WEIGHED), campaigns),
  };
}

/**
 * Window of the look of a day, or null where a look is not due yet: the days since the last change (or the first
 * send), at most 180 of them and at least 14.
 */
export function lookWindow(startDay: number, day: number): { from: number; to: number } | null {
  const from = Math.max(startDay, day - CHANGE_WINDOW_DAYS + 1);
  return day - from + 1 < FIRST_LOOK_DAYS ? null : { from, to: day };
}

/**
 * One look for a change of a channel's reply rate: day effects and levels of campaigns are random effects, strata of
 * position and step are held fixed.
 *
 * Shapes: counts of any number of days in, one look out.
 * @param counts - settled counts of one channel, sorted by day, at least those of the window
 * @param startDay - day of the last accepted change, or of the first send; whole
 * @param day - last settled day, whole
 * @returns the look, or null where none is possible: before 14 days, or with fewer than 8 replies or 8 days with sends
 * @throws StatsDomainError with code `size`, `order`, `range` or `count`
 *
 * Reference: Siegmund and Venkatraman (1995), Annals of Statistics 23, 255-271 (the generalised likelihood ratio);
 * Laird and Ware (1982), Biometrics 38, 963-974 (random effects).
 * Oracle: fixtures/change.json (prototype of the design), rtol 1e-6.
 *
 * @example
 * lookForChange(channelWorld({ days: 40, sendsPerDay: 60 }, seededRng(1)).counts, 0, 39).statistic > 5.75; // false
 */
export function lookForChange(counts: ChannelCounts, startDay: number, day: number): ChangeLook | null {
  requireDomain(
    Number.isInteger(startDay) && Number.isInteger(day),
    'range',
    'days are counted in whole numbers',
  );
  const window = lookWindow(startDay, day);
  const sent = sendDays(counts, window?.from ?? startDay, day);
  const scan = window && scanDays(sent, window.from, window.to);
  if (!scan) return null;
  const { best, residuals, dayVariance, campaignVariance } = scan;
  return {
    statistic: best.statistic,
    since: best.cut > 0 ? (residuals.day[best.cut] as number) : null,
    logRatio: best.step,
    dayVariance,
    campaignVariance,
  };
}
