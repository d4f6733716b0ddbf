import { DAYS_PER_WEEK } from '../cohorts/days';

/** Deliveries that a source has to owe before it is taken for silent. */
const OWED = 20;
/** Weeks before the last delivery that say what is usual; fewer than two say nothing. */
const WEEKS = 4;
const FEWEST_WEEKS = 2;

/** What is known of how often a source delivers. Days are since 1970-01-01, in UTC. */
export interface SourceRhythm {
  readonly source: string;
  readonly tool: string;
  /** Milliseconds since 1970. */
  readonly lastDeliveryAt: number;
  readonly lastDay: number;
  readonly firstDay: number;
  /** Deliveries by day. */
  readonly days: ReadonlyMap<number, number>;
}

/**
 * Sources that owe at least 20 deliveries: so many would have come since the last one, by the days of the week on which
 * they came before. A day counts as its median over the four weeks before the last delivery (of two, the lesser), so
 * that neither one large campaign nor a weekend makes a source silent. Only days that are over are counted, and a
 * source that has delivered for less than two weeks is not judged.
 * @param today - days since 1970-01-01
 */
export function silentAmong(sources: readonly SourceRhythm[], today: number): SourceRhythm[] {
  return sources.filter((source) => isSilent(source, today));
}

function isSilent(source: SourceRhythm, today: number): boolean {
  const { lastDay, firstDay } = source;
  const weeks = Math.min(WEEKS, Math.floor((lastDay - firstDay) / DAYS_PER_WEEK));
  if (weeks < FEWEST_WEEKS) return false;
  const usual = Array.from({ length: DAYS_PER_WEEK }, (_, offset) => usualOn(source, offset, weeks));
  const aWeek = usual.reduce((sum, deliveries) => sum + deliveries, 0);
  const gone = Math.max(0, today - 1 - lastDay);
  const rest = usual.slice(0, gone % DAYS_PER_WEEK).reduce((sum, deliveries) => sum + deliveries, 0);
  return Math.floor(gone / DAYS_PER_WEEK) * aWeek + rest >= OWED;
}

/** @param offset - days after the one behind the last delivery */
function usualOn({ lastDay, days }: SourceRhythm, offset: number, weeks: number): number {
  const before = Array.from(
    { length: weeks },
    (_, week) => days.get(lastDay + 1 + offset - (week + 1) * DAYS_PER_WEEK) ?? 0,
  ).sort((a, b) => a - b);
  // Of an even number the lesser of the two in the middle.
  return before[Math.floor((weeks - 1) / 2)] ?? 0;
}
