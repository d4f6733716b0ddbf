import { randomUUID } from 'node:crypto';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { plannedRows, tableOf } from '../../test/company-fixture';
import type { CohortTable } from '../cohorts/cohort-table';
import { ChannelAnalysis } from './channel-analysis.service';
import type { ChannelHistory } from './channel-history';
import type { ChannelHistoryRepository } from './channel-history.repository';
import { historyOfCohorts } from './cohort-history';

const [EMAIL, LINKEDIN] = [0, 1];
const NOW = new Date('2026-06-01T02:00:00Z');
const rows = plannedRows({ days: 60, sendsPerDay: 80 }).map((row) => ({ ...row, channel: row.day % 2 }));

/** A company whose mature replies came after these days, on each channel. */
function tableWith(email: Readonly<Record<number, number>>, linkedin: Readonly<Record<number, number>> = {}) {
  const table = tableOf(rows.map((row) => ({ ...row, replyDelays: [] })));
  for (const [channel, delays] of [email, linkedin].entries())
    for (const [day, replies] of Object.entries(delays))
      table.matureDelays[channel]?.fill(replies, Number(day), Number(day) + 1);
  return table;
}

const analysed = (table: CohortTable, isKept = false, looks = true) => {
  const histories = {
    read: (_scope: unknown, of: CohortTable, work: (channels: readonly ChannelHistory[]) => unknown) =>
      work([EMAIL, LINKEDIN].map((channel) => ({ ...historyOfCohorts(of, channel), isKept }))),
  } as unknown as ChannelHistoryRepository;
  const service = new ChannelAnalysis(histories, { now: () => NOW });
  return service.analyse(mintTenantScope(randomUUID()), table, () => 1, { looks });
};
/** By channel, what the arms count of each message. */
const shares = async (table: CohortTable) => {
  const sum = async (of: CohortTable) =>
    (await analysed(of)).map(({ arms }) => arms.reduce((total, { n }) => total + n, 0));
  const [own, whole] = [await sum(table), await sum(tableWith({}))];
  return own.map((n, channel) => n / (whole[channel] ?? 0));
};

describe('the channels of a company', () => {
  it('are looked through in their order, at the time of the run, and kept where they may be', async () => {
    const found = await analysed(tableWith({}), true);
    expect(found.map(({ channel }) => channel)).toEqual([EMAIL, LINKEDIN]);
    expect(found.map(({ notes }) => notes?.channel)).toEqual([EMAIL, LINKEDIN]);
    const between = await analysed(tableWith({}), true, false);
    expect(between.map(({ notes }) => notes)).toEqual([undefined, undefined]);
  });

  it('count of their messages the share of the replies that came in time, each of its own', async () => {
    // In time are fourteen days for e-mail, and twenty-one for LinkedIn.
    expect(await shares(tableWith({ 0: 10, 13: 8, 14: 2 }, { 3: 20, 20: 10, 21: 10 }))).toEqual([
      expect.closeTo(0.9, 9),
      expect.closeTo(0.75, 9),
    ]);
  });

  it('count all of them where fewer than twenty replies say how many come late', async () => {
    expect(await shares(tableWith({ 2: 15, 25: 4 }, { 2: 15, 25: 5 }))).toEqual([
      expect.closeTo(1, 9),
      expect.closeTo(0.75, 9),
    ]);
  });

  it('count fewer where many come late: more of those than have come so far', async () => {
    const late = Object.fromEntries(Array.from({ length: 29 }, (_, day) => [day, 20]));
    const [email = 1] = await shares(tableWith(late));
    // Mutation: what has come so far, of which fourteen days of 29 are in time.
    expect(email).toBeLessThan(13 / 29);
    expect(email).toBeGreaterThan(0.2);
  });
});
