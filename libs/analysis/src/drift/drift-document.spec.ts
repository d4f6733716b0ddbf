import { CHANNELS, MATURITY_DAYS } from '@outcomes/contracts';
import { assessDrift, DRIFT_WINDOW_DAYS, type DriftCohort } from '@outcomes/statistics';
import { plannedRows, tableOf } from '../../test/company-fixture';
import { isoDay } from '../cohorts/days';
import { rounded } from '../documents/rounding';
import { driftDocument } from './drift-document';

const DAYS = DRIFT_WINDOW_DAYS + 90;
const CHANGED_AFTER = 200;

describe('the drift of a history that is longer than its window', () => {
  const before = plannedRows({ seed: 1, days: CHANGED_AFTER, sendsPerDay: 60 });
  const firstChanged = (before.at(-1)?.day ?? 0) + 1;
  const after = plannedRows({
    seed: 2,
    days: DAYS - CHANGED_AFTER,
    sendsPerDay: 60,
    baseRate: 0.4,
    firstDay: firstChanged,
  });
  const table = tableOf([...before, ...after]);
  const { verdicts } = driftDocument(table, new Date(0));

  it('is that of all its mature cohorts', () => {
    const cohorts: DriftCohort[] = [];
    for (let row = 0; row < table.size; row += 1) {
      const { day, channel, step, position, touches, replies } = table.cellsAt(row);
      if (table.ageOf(row) < Math.max(...CHANNELS.map((name) => MATURITY_DAYS[name]))) continue;
      cohorts.push({ day, stratum: { channel, step, position }, totalN: touches, totalY: replies });
    }
    const { overall } = assessDrift({ cohorts, arl0Days: 365 });
    expect(verdicts.map(({ channel }) => channel)).toEqual(['all', ...CHANNELS]);
    expect(verdicts[0]).toMatchObject({
      kind: 'rate',
      since: isoDay(overall.since ?? 0),
      statistic: rounded(overall.statistic),
      threshold: rounded(overall.threshold),
    });
    expect(verdicts[0]?.before?.n).toBe(overall.before?.sends);
  });

  it('is found for each channel, near the day of the change', () => {
    for (const { kind, since } of verdicts) {
      expect(kind).toBe('rate');
      expect(Math.abs(Date.parse(since ?? '') / 86_400_000 - firstChanged)).toBeLessThan(5);
    }
  });
});
