import { CHANNELS, MATURITY_DAYS } from '@outcomes/contracts';

/** A calendar day in UTC, YYYY-MM-DD. */
export type Day = string;

const DAY_MS = 86_400_000;

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

/**
 * Newest send day whose cohort is mature, per channel in the order of CHANNELS: replies and non-replies of a day
 * become settled together, so that fast answers do not flatter a young campaign.
 */
export function matureDays(asOf: Date): Day[] {
  return CHANNELS.map((channel) => addDays(dayOf(asOf), -MATURITY_DAYS[channel]));
}
