import { DAY_MS } from '@outcomes/contracts';
import { getNextMillis } from 'bullmq';

const YEAR = 2028;
/** Every day of a month and of a week, and a day of every month: to ask of each day of a year takes a third of a second. */
const DAYS = [
  ...Array.from({ length: 31 }, (_, day) => Date.UTC(YEAR, 0, day + 1)),
  ...Array.from({ length: 11 }, (_, month) => Date.UTC(YEAR, month + 1, 1)),
];

/** @returns whether a text is a cron expression, as the queue reads it in UTC, that is due on every day */
export function isDueEveryDay(pattern: string): boolean {
  try {
    return DAYS.every((midnight) => {
      const due = getNextMillis(midnight - 1, { pattern, tz: 'UTC' });
      return due !== undefined && due < midnight + DAY_MS;
    });
  } catch {
    // It is no such expression.
    return false;
  }
}
