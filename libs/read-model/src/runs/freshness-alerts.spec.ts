import { freshnessAlerts } from './freshness-alerts';
import { sampleAlerts } from '../text/sample-alerts';

const now = new Date('2026-02-10T00:00:00Z');
const state = (
  dataAsOf: string | null,
  hasEvents = true,
  lastRunFailed = false,
  analysedAt = '2026-02-10T00:00:00Z',
) => ({
  analysedAt: dataAsOf === null ? null : new Date(analysedAt),
  dataAsOf: dataAsOf === null ? null : new Date(dataAsOf),
  hasEvents,
  lastRunFailed,
});

describe('freshnessAlerts', () => {
  it.each([
    ['nothing ingested', state(null, false), ['no_data_ingested_yet']],
    ['ingested, not analysed', state(null), ['awaiting_first_daily_run']],
    ['exactly 48 hours old', state('2026-02-08T00:00:00Z'), []],
    ['a second over 48 hours', state('2026-02-07T23:59:59Z'), ['stale_data']],
    ['a second over 7 days, analysed today', state('2026-02-02T23:59:59Z'), ['stale_data']],
    ['received 16 years ago, analysed today', state('2010-02-02T00:00:00Z'), ['stale_data']],
    [
      'a second over 7 days, and no run for a second over 48 hours',
      state('2026-02-02T23:59:59Z', true, false, '2026-02-07T23:59:59Z'),
      ['very_stale_data', 'stale_analysis'],
    ],
    ['analysed exactly 48 hours ago', state('2026-02-09T12:00:00Z', true, false, '2026-02-08T00:00:00Z'), []],
    [
      'analysed a second over 48 hours ago',
      state('2026-02-07T23:00:00Z', true, true, '2026-02-07T23:59:59Z'),
      ['stale_data', 'stale_analysis', 'last_run_failed'],
    ],
    ['the newest run failed', state('2026-02-09T12:00:00Z', true, true), ['last_run_failed']],
  ])('%s', (_case, freshness, alerts) => {
    expect(freshnessAlerts(freshness, now)).toEqual(alerts);
  });
});

describe('sampleAlerts', () => {
  it.each([
    [9, ['very_small_sample']],
    [10, ['small_sample']],
    [29, ['small_sample']],
    [30, []],
  ])('%d outcomes', (n, alerts) => {
    expect(sampleAlerts(n)).toEqual(alerts);
  });
});
