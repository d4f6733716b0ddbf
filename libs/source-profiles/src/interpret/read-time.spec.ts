import { UnreadableValue } from './fault';
import { isTimeZone, readTime, type TimeForm } from './read-time';

const read = (text: string, form: TimeForm = {}) => {
  try {
    return readTime(text, form, 'sent').iso;
  } catch (error) {
    if (error instanceof UnreadableValue) return error.fault.code;
    throw error;
  }
};

describe('times of tools', () => {
  it.each<[text: string, form: TimeForm, expected: string]>([
    ['2026-01-05T09:00:00Z', {}, '2026-01-05T09:00:00Z'],
    ['2026-01-05T09:00:00.123456Z', {}, '2026-01-05T09:00:00.123Z'],
    ['2026-01-05 09:00:00 UTC', {}, '2026-01-05T09:00:00Z'],
    ['2026-01-05T09:00:00+00:00', {}, '2026-01-05T09:00:00Z'],
    ['2026-01-05T09:00:00+0100', {}, '2026-01-05T09:00:00+01:00'],
    ['2026-01-05T09:00:00-05', {}, '2026-01-05T09:00:00-05:00'],
    ['2026-01-05 09:00', { zone: 'UTC' }, '2026-01-05T09:00:00Z'],
    ['2026-01-05 09:00:00', { zone: 'America/New_York' }, '2026-01-05T09:00:00-05:00'],
    ['2026-07-05 09:00:00', { zone: 'America/New_York' }, '2026-07-05T09:00:00-04:00'],
    ['2026-03-29 03:30:00', { zone: 'Europe/Berlin' }, '2026-03-29T03:30:00+02:00'],
    ['2026-01-05', {}, '2026-01-05'],
    ['1767603600000', { unit: 'ms' }, '2026-01-05T09:00:00.000Z'],
    ['1767603600', { unit: 's' }, '2026-01-05T09:00:00.000Z'],
    ['1/2/2026 9:05 PM', { order: 'mdy', zone: 'UTC' }, '2026-01-02T21:05:00Z'],
    ['1/2/2026 12:05 AM', { order: 'dmy', zone: 'UTC' }, '2026-02-01T00:05:00Z'],
    ['1.2.2026 09:05', { zone: 'UTC' }, '2026-02-01T09:05:00Z'],
    ['02/02/2026', {}, '2026-02-02'],
    ['1/2/2026', {}, 'AMBIGUOUS_DATES'],
    // A day above 12 would settle this row, and leave the others of the file to be guessed.
    ['13/2/2026', {}, 'AMBIGUOUS_DATES'],
    ['2026-01-05 09:00:00', {}, 'TIME_ZONE_NEEDED'],
    ['2026-02-30T09:00:00Z', {}, 'INVALID_TIME'],
    ['2026-01-05T25:00:00Z', {}, 'INVALID_TIME'],
    ['1767603600000', {}, 'INVALID_TIME'],
    ['yesterday', { zone: 'UTC' }, 'INVALID_TIME'],
    ['2026-01-05T09:00:00+14:00', {}, '2026-01-05T09:00:00+14:00'],
    // Nowhere; the contract takes none of these.
    ['2026-01-05T09:00:00+14:01', {}, 'INVALID_TIME'],
    ['2026-01-05T09:00:00-99:00', {}, 'INVALID_TIME'],
  ])('%s %j: %s', (text, form, expected) => {
    expect(read(text, form)).toBe(expected);
  });

  it('are the same moment as a number', () => {
    for (const text of ['2026-01-05T10:00:00+01:00', '2026-01-05T04:00:00-05:00', '2026-01-05 09:00:00Z']) {
      expect(readTime(text, {}, 'sent').epochMs).toBe(Date.UTC(2026, 0, 5, 9));
    }
    expect(readTime('2026-01-05 04:00', { zone: 'America/New_York' }, 'sent').epochMs).toBe(
      Date.UTC(2026, 0, 5, 9),
    );
  });

  it('are of zones that exist', () => {
    expect(['UTC', 'Europe/Berlin', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([true, true, false, false]);
  });
});
