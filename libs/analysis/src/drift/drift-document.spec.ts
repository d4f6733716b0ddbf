import { CHANNELS } from '@outcomes/contracts';
import { CHANGE_WINDOW_DAYS } from '@outcomes/statistics';
import { findingsOf } from '../../test/channel-findings';
import { plannedRows, tableOf } from '../../test/company-fixture';
import type { CohortTable } from '../cohorts/cohort-table';
import { dayOf, isoDay } from '../cohorts/days';
import { driftDocument } from './drift-document';

const CHANGED_AFTER = 200;
const dataAsOf = new Date(0);

function messagesOn(table: CohortTable, channel: number, from: number, to: number): number {
  const rows = Array.from({ length: table.size }, (_, row) => row).filter(
    (row) => table.channel[row] === channel && (table.day[row] ?? -1) >= from && (table.day[row] ?? -1) <= to,
  );
  return rows.reduce((sum, row) => sum + (table.touches[row] ?? 0), 0);
}

describe('what is told of changes', () => {
  it('is the whole ledger of each channel: date, direction, rates on both sides', async () => {
    const before = plannedRows({ seed: 1, days: CHANGED_AFTER, sendsPerDay: 120 });
    const firstChanged = (before.at(-1)?.day ?? 0) + 1;
    const after = plannedRows({
      seed: 2,
      days: 220,
      sendsPerDay: 120,
      baseRate: 0.4,
      firstDay: firstChanged,
    });
    const table = tableOf([...before, ...after]);
    const { channels } = driftDocument(table, await findingsOf(table), dataAsOf);
    expect(channels.map(({ channel }) => channel)).toEqual(['email', 'linkedin']);
    for (const { channel, changes, data_from, look_possible, settled_replies, rate } of channels) {
      // Half a year later it still stands, and nothing was found since.
      const change = changes.at(-1);
      expect(change).toMatchObject({ channel, direction: 'up', scope: { kind: 'channel', value: null } });
      expect(Math.abs(dayOf(change?.since ?? '') - firstChanged)).toBeLessThan(5);
      expect(dayOf(change?.told_at ?? '') - dayOf(change?.settled_on ?? '')).toBe(
        channel === 'email' ? 14 : 21,
      );
      expect(change?.before.ci_high).toBeLessThan(change?.after.ci_low ?? 0);
      const sent = (from: number, to: number) => messagesOn(table, CHANNELS.indexOf(channel), from, to);
      const [since, settledOn] = [dayOf(change?.since ?? ''), dayOf(change?.settled_on ?? '')];
      const reach = settledOn - CHANGE_WINDOW_DAYS + 1;
      const lookedFrom = Math.max(reach, dayOf(changes.at(-2)?.since ?? isoDay(reach)));
      expect([change?.before.n, change?.after.n]).toEqual([
        sent(lookedFrom, since - 1),
        sent(since, settledOn),
      ]);
      expect(data_from).toBe(change?.since);
      expect(look_possible).toBe(true);
      expect(settled_replies).toBeGreaterThan(1_000);
      expect(rate.value).toBeCloseTo(0.4, 1);
    }
  });

  it('is that nothing could be looked at, where too little has settled', async () => {
    const table = tableOf(plannedRows({ days: 24, sendsPerDay: 40 }));
    const { channels } = driftDocument(table, await findingsOf(table), dataAsOf);
    for (const { look_possible, statistic, changes, recounted_at } of channels) {
      expect([look_possible, statistic, changes, recounted_at]).toEqual([false, null, [], null]);
    }
  });

  it('is a fact where the audience or the volume changed, and no change of the rate', async () => {
    const before = plannedRows({ seed: 3, days: 120, sendsPerDay: 40 });
    const firstChanged = (before.at(-1)?.day ?? 0) + 1;
    const after = plannedRows({ seed: 4, days: 30, sendsPerDay: 160, firstDay: firstChanged });
    const table = tableOf([...before, ...after]);
    const { channels } = driftDocument(table, await findingsOf(table), dataAsOf);
    for (const { volume, changes } of channels) {
      expect(volume.alert).toBe(true);
      expect(volume.ratio).toBeGreaterThan(3);
      expect(changes).toEqual([]);
    }
  });

  it('names the newest outcome and the newest message', async () => {
    const rows = plannedRows({ days: 60, sendsPerDay: 30 });
    const table = tableOf(rows);
    const document = driftDocument(table, await findingsOf(table), dataAsOf);
    expect(document.channels[0]?.last_sent_on).toBe(isoDay(rows.at(-1)?.day ?? 0));
    expect(document.newest_outcome_at).toBe(
      document.channels
        .map(({ newest_outcome_at }) => newest_outcome_at ?? '')
        .sort()
        .at(-1) || null,
    );
  });
});
