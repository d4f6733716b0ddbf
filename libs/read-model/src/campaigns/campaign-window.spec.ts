import type { SettledDays } from '../runs/settled-days';
import { campaignWindow, wireWindow } from './campaign-window';

const email = (through: string, since?: string): SettledDays => ({
  channel: 'email',
  through,
  since,
  sinceBefore: undefined,
});

describe('the window of a campaign', () => {
  it('is as many whole days as asked for, the last one that of the newest outcome', () => {
    const window = campaignWindow('2026-01-31', 30, []);
    expect(window).toEqual({ from: '2026-01-02', to: '2026-01-31', days: 30, settled: [] });
    expect(campaignWindow('2026-01-31', 1, []).from).toBe('2026-01-31');
    // The end is exclusive.
    expect(wireWindow(window)).toEqual({
      from: '2026-01-02T00:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
      days: 30,
      settled: [],
    });
  });

  it.each([
    ['up to the settled day', email('2026-01-17'), '2026-01-02', '2026-01-17', 16],
    ['all of it at most', email('2026-03-01'), '2026-01-02', '2026-01-31', 30],
    ['its first day alone', email('2026-01-02'), '2026-01-02', '2026-01-02', 1],
    ['from the last change of replies on', email('2026-01-17', '2026-01-05'), '2026-01-05', '2026-01-17', 13],
    ['not from a change before it', email('2026-01-17', '2025-12-05'), '2026-01-02', '2026-01-17', 16],
    ['nothing before a day has settled', email('2026-01-01'), null, null, 0],
    ['nothing since a change that has not settled', email('2026-01-17', '2026-01-18'), null, null, 0],
    ['nothing long before either', email('2025-06-01'), null, null, 0],
  ])('counts of a channel %s', (_what, settled, from, to, days) => {
    const { settled: counted } = wireWindow(campaignWindow('2026-01-31', 30, [settled]));
    expect(counted).toEqual([{ channel: 'email', from, to, days }]);
  });
});
