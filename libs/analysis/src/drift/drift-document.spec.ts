import { CHANNELS, DAY_MS } from '@outcomes/contracts';
import { CHANGE_WINDOW_DAYS } from '@outcomes/statistics';
import { findingsOf } from '../../test/channel-findings';
import { plannedRows, tableOf, type PlannedRow } from '../../test/company-fixture';
import type { ChannelFindings } from '../changes/analyse-channel';
import type { KeptChange } from '../changes/channel-history';
import { CohortTable } from '../cohorts/cohort-table';
import { dayOf, isoDay } from '../cohorts/days';
import { currentRegime } from './current-regime';
import { driftDocument } from './drift-document';

const CHANGED_AFTER = 200;
const dataAsOf = new Date(0);
const NO_RATE = { value: null, ci_low: null, ci_high: null, n: 0 };

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

describe('the changes of a channel as they are served', () => {
  const FIRST = 20_000;
  const [anyRow] = plannedRows({ days: 1, sendsPerDay: 10 }) as [PlannedRow];
  /** A message a day by e-mail, ten on LinkedIn; e-mail is answered, on its 300th day last. */
  const rows = Array.from({ length: 400 }, (_, at) =>
    [0, 1].map((channel) => ({
      ...{ ...anyRow, day: FIRST + at, channel, touches: channel === 0 ? 1 : 10, replies: 0 },
      lastOutcomeAt: channel === 0 ? new Date((FIRST + at + (at === 299 ? 101 : 2)) * DAY_MS) : null,
    })),
  ).flat();
  const change = (since: number, settledOn: number): KeptChange => ({
    ...{ since: FIRST + since, settledOn: FIRST + settledOn, direction: 'down', ratio: 0.512_345_67 },
    ...{ statistic: 12.345_678_9, scope: { kind: 'campaign', value: 'spring' } },
    rateBefore: { rate: 0.123_456_78, low: 0.1, high: 0.15 },
    rateAfter: { rate: 0.06, low: 0.05, high: 0.07 },
  });
  const findings = (channel: number, parts: Partial<ChannelFindings> = {}) =>
    ({
      ...{ channel, ledger: [], look: null, recountedAt: null, campaigns: 3, campaignsMerged: 2 },
      ...{ settledThrough: FIRST + 380, dataFrom: FIRST + 340, settled: { touches: 10, replies: 0 } },
      facts: { mixDistance: null, mixAlert: false, volumeRatio: null, volumeAlert: false },
      ...parts,
    }) as ChannelFindings;
  const served = (channel: number, parts: Partial<ChannelFindings> = {}, of = rows) =>
    driftDocument(tableOf(of), [findings(channel, parts)], dataAsOf).channels[0];

  it('count the messages of 180 days before a change, not of before the one before it, and of the days that settled it', () => {
    const ledger = [change(-50, -20), change(100, 130), change(300, 350), change(340, 370)];
    const counts = (channel: number) =>
      served(channel, { ledger })?.changes.map(({ before, after }) => [before.n, after.n]);
    expect(counts(0)).toEqual([
      ...[
        [0, 0],
        [100, 31],
      ],
      // From the 171st day on.
      ...[
        [129, 51],
        [40, 31],
      ],
    ]);
    expect(counts(1)).toEqual([
      [0, 0],
      [1_000, 310],
      [1_290, 510],
      [400, 310],
    ]);
  });

  it('tell of a change everything that was fitted, and no rate of messages that are gone', () => {
    const [gone, kept] = served(1, { ledger: [change(-50, -20), change(100, 130)] })?.changes ?? [];
    expect(gone).toMatchObject({ before: NO_RATE, after: NO_RATE });
    expect(kept).toEqual({
      ...{ channel: 'linkedin', since: isoDay(FIRST + 100), settled_on: isoDay(FIRST + 130) },
      ...{ told_at: isoDay(FIRST + 151), direction: 'down', ratio: 0.512346, statistic: 12.3457 },
      before: { value: 0.123457, ci_low: 0.1, ci_high: 0.15, n: 1_000 },
      after: { value: 0.06, ci_low: 0.05, ci_high: 0.07, n: 310 },
      scope: { kind: 'campaign', value: 'spring' },
    });
  });

  it('stand beside what was looked at, sent and answered', () => {
    expect(served(0)).toMatchObject({
      ...{ channel: 'email', look_possible: false, statistic: null, settled_replies: 0, recounted_at: null },
      ...{
        settled_through: isoDay(FIRST + 380),
        looked_through: isoDay(FIRST + 380),
        data_from: isoDay(FIRST + 340),
      },
      ...{ last_sent_on: isoDay(FIRST + 399), newest_outcome_at: `${isoDay(FIRST + 401)}T00:00:00.000Z` },
      ...{ mix: { distance: null, alert: false }, volume: { ratio: null, alert: false } },
      ...{ campaigns: 3, campaigns_merged: 2 },
    });
    const earlier = rows.filter(({ day, channel }) => channel === 1 || day < FIRST + 350);
    expect(served(0, {}, earlier)).toMatchObject({
      // An outcome of the 300th day's message is the newest, though later messages were answered.
      ...{ last_sent_on: isoDay(FIRST + 349), newest_outcome_at: `${isoDay(FIRST + 400)}T00:00:00.000Z` },
    });
    expect(served(1)?.newest_outcome_at).toBeNull();
    expect(driftDocument(tableOf(earlier), [], dataAsOf).newest_outcome_at).toBe(
      `${isoDay(FIRST + 400)}T00:00:00.000Z`,
    );
    const looked = {
      ...{ look: { statistic: 3.123_456_7 } as ChannelFindings['look'], recountedAt: new Date(0) },
      facts: { mixDistance: 0.123_456_78, mixAlert: true, volumeRatio: 2.345_678_9, volumeAlert: true },
    };
    expect(served(0, looked)).toMatchObject({
      ...{ look_possible: true, statistic: 3.12346, recounted_at: '1970-01-01T00:00:00.000Z' },
      ...{ mix: { distance: 0.123457, alert: true }, volume: { ratio: 2.34568, alert: true } },
    });
    const lookedOn = (day: number) => served(0, { settledThrough: FIRST + day })?.looked_through;
    expect([lookedOn(339), lookedOn(340)]).toEqual([null, isoDay(FIRST + 340)]);
  });

  it('say what a look could look back over: days, those with messages, and replies', () => {
    const monthly = rows
      .filter(({ day }) => (day - FIRST) % 30 === 0)
      .map((row) => ({ ...row, replies: row.channel === 0 ? 1 : 0 }));
    const window = (channel: number, dataFrom: number) =>
      served(channel, { dataFrom: FIRST + dataFrom }, monthly)?.window;
    // Settled through the 380th day, so from the 201st at most.
    expect(window(0, 0)).toEqual({ days: 180, send_days: 6, replies: 6 });
    expect(window(1, 0)).toEqual({ days: 180, send_days: 6, replies: 0 });
    expect(window(0, 330)).toEqual({ days: 51, send_days: 2, replies: 2 });
    expect(window(0, 390)).toEqual({ days: 0, send_days: 0, replies: 0 });
  });

  it('have a rate with the interval of Jeffreys', () => {
    const rateOf = (touches: number, replies: number) => served(0, { settled: { touches, replies } })?.rate;
    // Brown, Cai and DasGupta (2001): of none in ten, up to 0.217.
    expect(rateOf(10, 0)).toEqual({
      value: 0,
      ci_low: 0,
      ci_high: expect.closeTo(0.217, 3) as number,
      n: 10,
    });
    expect(rateOf(10, 10)).toEqual({
      value: 1,
      ci_low: expect.closeTo(0.783, 3) as number,
      ci_high: 1,
      n: 10,
    });
    expect(rateOf(10, 4)?.value).toBe(0.4);
    expect(rateOf(0, 0)).toEqual(NO_RATE);
  });

  it('say where no message went without an outcome, from twenty replies on', () => {
    const told = (replies: number, silent = 0) => {
      const [row] = plannedRows({ days: 1, sendsPerDay: 1 }) as [PlannedRow];
      const touches = replies + 3 + silent;
      const table = tableOf([{ ...row, touches, replies, bounces: 2, unsubscribes: 1 }]);
      return driftDocument(table, [], dataAsOf).no_silence;
    };
    expect([told(20), told(19), told(20, 1)]).toEqual([true, undefined, undefined]);
  });

  it('name silent sources where there are some', () => {
    const silent = [{ source: 's', tool: 'smartlead', last_delivery_at: '2026-01-01T00:00:00.000Z' }];
    const gap = { observedUntil: FIRST, sentUntil: FIRST, silent };
    expect(driftDocument(new CohortTable(FIRST, gap), [], dataAsOf).silent_sources).toEqual(silent);
    expect(driftDocument(new CohortTable(FIRST), [], dataAsOf)).not.toHaveProperty('silent_sources');
  });

  it('say since when a channel is what it is today', () => {
    const document = driftDocument(
      tableOf(rows),
      [
        findings(0, { ledger: [change(100, 130), change(200, 230), change(340, 370)] }),
        findings(1, { dataFrom: FIRST }),
      ],
      dataAsOf,
    );
    const { from, changed } = currentRegime(document);
    expect([from(0), from(1), from(2)]).toEqual([FIRST + 340, FIRST, -Infinity]);
    expect(changed).toBe(`email around ${isoDay(FIRST + 340)}`);
    expect(currentRegime({ ...document, channels: document.channels.slice(1) }).changed).toBeNull();
    const both = document.channels.map((channel) => ({
      ...channel,
      changes: document.channels[0]?.changes ?? [],
    }));
    expect(currentRegime({ ...document, channels: both }).changed).toBe(
      `email around ${isoDay(FIRST + 340)}, linkedin around ${isoDay(FIRST + 340)}`,
    );
  });
});
