import { dimensionOf } from '@outcomes/contracts';
import type { CohortTable } from '../cohorts/cohort-table';
import { HOURS_PER_DAY } from '../cohorts/days';
import { rounded } from './rounding';

/** Weekday by hour, by the clock of the sender: rows are weekdays from Monday, columns the hours 0 to 23. */
export interface TimingMatrix {
  readonly weekdays: readonly string[];
  readonly hours: readonly number[];
  readonly messages: readonly (readonly number[])[];
  readonly replies: readonly (readonly number[])[];
  /** null where nothing was sent */
  readonly reply_rate: readonly (readonly (number | null)[])[];
  /** Messages whose hour is known; those sent with a date alone are left out. */
  readonly total_messages: number;
}

export function timingMatrix({ hourTouches, hourReplies }: CohortTable): TimingMatrix {
  const weekdays = dimensionOf('weekday').levels;
  const hours = Array.from({ length: HOURS_PER_DAY }, (_, hour) => hour);
  const cells = <Value>(value: (messages: number, replies: number) => Value) =>
    weekdays.map((_, weekday) =>
      hours.map((hour) => {
        const cell = weekday * HOURS_PER_DAY + hour;
        return value(hourTouches[cell] ?? 0, hourReplies[cell] ?? 0);
      }),
    );
  return {
    weekdays,
    hours,
    messages: cells((messages) => messages),
    replies: cells((_, replies) => replies),
    reply_rate: cells((messages, replies) => (messages > 0 ? rounded(replies / messages) : null)),
    total_messages: hourTouches.reduce((sum, count) => sum + count, 0),
  };
}
