import { CHANNELS } from '../../outcomes/dimensions';
import { count, day, integer, known, list, nullable, record, timestamp } from '../../schemas/json-schema';

/** A period in whole send days, and how much of it can be counted. */
export const WINDOW = record(
  {
    from: nullable(timestamp('Start of the window, inclusive.')),
    to: nullable(timestamp('End of the window, exclusive: the end of the day of newest_outcome_at.')),
    days: integer('Length in days.', { minimum: 1 }),
    settled: list(
      record({
        channel: known(CHANNELS, 'Channel.'),
        from: nullable(day('First send day that counts; null where none does.')),
        to: nullable(day('Last send day that counts.')),
        days: count('Days from the one to the other.'),
      }),
      'Send days of the window that reply rates count: settled (email after 14 days, LinkedIn after 21) and since replies on the channel last changed.',
    ),
  },
  'Period the counts cover.',
);
