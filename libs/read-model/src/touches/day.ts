import { DAY_MS } from '@outcomes/contracts';
/** A calendar day, YYYY-MM-DD: of UTC, or of a sender's clock. */
export type Day = string;

export function dayOf(at: Date): Day {
  return at.toISOString().slice(0, 10);
}

export function addDays(day: Day, days: number): Day {
  return dayOf(new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS));
}

/** First instant of a day. */
export function startOf(day: Day): string {
  return `${day}T00:00:00.000Z`;
}

/** Whole days from the one to the other; negative where the second is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}
