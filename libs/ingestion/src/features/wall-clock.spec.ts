import { wallClock } from './wall-clock';

const at = (iso: string, offsetMinutes: number | null = null, timeZone = 'UTC') =>
  wallClock(Date.parse(iso), offsetMinutes, true, timeZone);

describe('the clock on the wall of a sender', () => {
  it.each([
    ['1969-12-28T23:59:59.999Z', '1969-12-28', 6, 23],
    ['1969-12-29T00:00:00Z', '1969-12-29', 0, 0],
    ['1969-12-31T23:00:00Z', '1969-12-31', 2, 23],
    ['1970-01-01T00:00:00Z', '1970-01-01', 3, 0],
    ['1990-01-01T00:59:59Z', '1990-01-01', 0, 0],
    ['2024-02-29T12:30:00Z', '2024-02-29', 3, 12],
    ['2026-11-29T23:59:59.999Z', '2026-11-29', 6, 23],
  ])('shows at %s the day %s, weekday %i from Monday on, hour %i', (iso, day, weekday, hour) => {
    expect(at(iso)).toEqual({ day, weekday, hour });
  });

  it.each([
    ['2026-06-01T23:30:00Z', 29, { day: '2026-06-01', weekday: 0, hour: 23 }],
    ['2026-06-01T23:30:00Z', 30, { day: '2026-06-02', weekday: 1, hour: 0 }],
    ['2026-06-01T23:30:00Z', 840, { day: '2026-06-02', weekday: 1, hour: 13 }],
    ['2026-06-01T00:30:00Z', -30, { day: '2026-06-01', weekday: 0, hour: 0 }],
    ['2026-06-01T00:30:00Z', -31, { day: '2026-05-31', weekday: 6, hour: 23 }],
    ['2026-06-01T00:30:00Z', 0, { day: '2026-06-01', weekday: 0, hour: 0 }],
  ])('shows %s with an offset of %i minutes as that offset says, not the zone', (iso, offset, expected) => {
    expect(at(iso, offset, 'America/New_York')).toEqual(expected);
  });

  it.each([
    ['America/New_York', { day: '2026-05-31', weekday: 6, hour: 22 }],
    ['Asia/Kathmandu', { day: '2026-06-01', weekday: 0, hour: 8 }],
    ['UTC', { day: '2026-06-01', weekday: 0, hour: 2 }],
    ['Mars/Olympus', { day: '2026-06-01', weekday: 0, hour: 2 }],
  ])('is that of the zone %s without an offset', (zone, expected) => {
    expect(at('2026-06-01T02:30:00Z', null, zone)).toEqual(expected);
  });

  it('shows no hour of a date alone, whose day is the same everywhere', () => {
    for (const zone of ['America/New_York', 'Asia/Kathmandu']) {
      const date = wallClock(Date.parse('2026-06-01'), 600, false, zone);
      expect(date).toEqual({ day: '2026-06-01', weekday: 0, hour: null });
    }
  });
});
