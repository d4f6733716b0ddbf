import { randomUUID } from 'node:crypto';
import type { TenantDatabase, TenantTransaction } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { FIRST_DAY, plannedRows, tableOf } from '../../test/company-fixture';
import { isoDay } from '../cohorts/days';
import { NEW_CHANNEL, type ChannelHistory } from './channel-history';
import { ChannelHistoryRepository, MEMORY_MAKE } from './channel-history.repository';

const SCOPE = mintTenantScope(randomUUID());
const [EMAIL, LINKEDIN] = [0, 1];
/** E-mail begins five days later. */
const table = tableOf(
  plannedRows({ days: 20, sendsPerDay: 40 })
    .map((row, i) => ({ ...row, channel: i % 2 }))
    .filter(({ day, channel }) => channel === LINKEDIN || day >= FIRST_DAY + 5),
);
const STATE = {
  ...{ generation: 3, lookedThrough: FIRST_DAY + 4, recountedAt: new Date(0), recountFrom: null },
  ...{ rescoreFrom: FIRST_DAY + 2, revision: 'r', writes: 7 },
};
const change = (channel: number, since: number) => ({
  ...{ channel, since, settledOn: since + 9, direction: 'up', ratio: 2, statistic: 11 },
  ...{ before: [0.1, 0.05, 0.15], after: [0.2, 0.15, 0.25], kind: 'campaign', value: 'spring' },
});

interface Stored {
  readonly states?: readonly object[];
  readonly changes?: readonly object[];
  readonly reach?: readonly {
    readonly channel: number;
    readonly first: string;
    readonly isRebuilt: boolean;
  }[];
  readonly campaigns?: readonly object[];
}

const reached = (isRebuilt = false) => [
  { channel: LINKEDIN, first: isoDay(FIRST_DAY + 6), isRebuilt },
  { channel: EMAIL, first: isoDay(FIRST_DAY + 1), isRebuilt },
];

async function read<Result>(
  { states = [], changes = [], reach = reached(), campaigns = [] }: Stored,
  work: (channels: readonly ChannelHistory[]) => Promise<Result>,
): Promise<Result> {
  const query = async (statement: string, parameters: readonly unknown[]) => {
    if (statement.includes('FROM rate_changes')) {
      expect(parameters).toEqual([SCOPE.companyId]);
      return { rows: changes };
    }
    if (statement.includes('FROM channel_states')) {
      expect(parameters).toEqual([SCOPE.companyId, MEMORY_MAKE]);
      return { rows: states };
    }
    if (statement.includes('FROM campaigns')) {
      expect(parameters).toEqual([SCOPE.companyId, 7]);
      return { rows: campaigns };
    }
    expect(parameters).toEqual([SCOPE.companyId]);
    return { rows: reach };
  };
  const transaction = { companyId: SCOPE.companyId, client: { query } } as unknown as TenantTransaction;
  const database = {
    snapshot: (_scope: unknown, of: (transaction: TenantTransaction) => unknown) => of(transaction),
  } as unknown as TenantDatabase;
  return new ChannelHistoryRepository(database).read(SCOPE, table, work);
}
const channelsOf = (stored: Stored) => read(stored, (channels) => Promise.resolve(channels));

describe('the channels of a company, as they are read', () => {
  it('stand in their order, each from its own first day, and new where nothing is stored of them', async () => {
    const channels = await channelsOf({});
    expect(channels).toMatchObject([
      { channel: EMAIL, firstDay: FIRST_DAY + 1, state: NEW_CHANNEL, ledger: [], isKept: true },
      { channel: LINKEDIN, firstDay: FIRST_DAY + 6, state: NEW_CHANNEL, ledger: [], isKept: true },
    ]);
  });

  it('have what runs have left of them, and nothing of one another', async () => {
    const memory = Buffer.from(Float64Array.of(1.5, -2).buffer);
    const [email, linkedin] = await channelsOf({
      states: [
        { ...STATE, channel: LINKEDIN, memory: null },
        { ...STATE, channel: EMAIL, memory, generation: 1 },
      ],
      changes: [change(EMAIL, 20_400), change(EMAIL, 20_420), change(LINKEDIN, 20_410)],
    });
    expect(email?.state).toMatchObject({ ...STATE, generation: 1, memory: Float64Array.of(1.5, -2) });
    expect(linkedin?.state).toMatchObject({ ...STATE, memory: null });
    expect([email, linkedin].map((own) => own?.ledger.map(({ since }) => since))).toEqual([
      [20_400, 20_420],
      [20_410],
    ]);
    expect(linkedin?.ledger[0]).toEqual({
      ...{ since: 20_410, settledOn: 20_419, direction: 'up', ratio: 2, statistic: 11 },
      ...{
        rateBefore: { rate: 0.1, low: 0.05, high: 0.15 },
        rateAfter: { rate: 0.2, low: 0.15, high: 0.25 },
      },
      scope: { kind: 'campaign', value: 'spring' },
    });
  });

  it.each([
    ['are being rebuilt', reached(true)],
    ['are none', []],
  ])('are those of the cohorts where counts by campaign %s, and nothing is kept', async (_what, reach) => {
    const stored = { states: [{ ...STATE, channel: EMAIL, memory: null }], reach };
    const channels = await channelsOf({ ...stored, changes: [change(EMAIL, 20_400)] });
    expect(channels).toMatchObject([
      { channel: EMAIL, firstDay: FIRST_DAY + 5, state: NEW_CHANNEL, ledger: [], isKept: false },
      { channel: LINKEDIN, firstDay: FIRST_DAY, state: NEW_CHANNEL, ledger: [], isKept: false },
    ]);
  });

  it('name a campaign that has a name', async () => {
    const nameOf = (campaigns: readonly object[]) =>
      read({ campaigns }, async ([email]) => email?.campaignIdOf(7));
    expect(await nameOf([{ campaign_id: 'spring' }])).toBe('spring');
    expect(await nameOf([{ campaign_id: null }])).toBeNull();
    expect(await nameOf([])).toBeNull();
  });
});
