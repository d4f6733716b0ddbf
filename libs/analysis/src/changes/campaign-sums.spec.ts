import { NO_CAMPAIGN } from '@outcomes/persistence';
import { MAX_CAMPAIGNS_A_DAY } from './campaign-bundles';
import { campaignSums } from './campaign-sums';
import { ChannelColumns } from './channel-columns';

/** Messages of a day and campaign, all of one position and step. */
type Sent = readonly [day: number, campaign: number, touches: number, replies?: number, position?: number];

function daysOf(sent: readonly Sent[]) {
  const columns = new ChannelColumns();
  for (const [day, rows] of Map.groupBy(sent, ([day]) => day)) {
    columns.pushDay(
      day,
      rows.map(([, campaign, touches, replies = 0, position = 0]) => ({
        ...{ campaign, touches, replies, position, step: 0 },
      })),
    );
  }
  return columns.finish();
}

const sumsOf = (
  sent: readonly Sent[],
  within = { from: 0, to: 100 },
  share: (day: number) => number = () => 1,
) =>
  campaignSums(daysOf(sent), within, share).map(({ campaign, replies, messages }) => ({
    ...{ campaign, replies },
    messages: [...messages].slice(0, 3),
  }));

describe('what campaigns have sent of late', () => {
  it('is added up by campaign and position, the campaign with the most messages first', () => {
    expect(
      sumsOf([
        [90, 7, 10, 1],
        [90, 7, 5, 2, 2],
        [90, 8, 40, 3, 1],
        [91, NO_CAMPAIGN, 12, 4],
        [91, 7, 3, 1],
      ]),
    ).toEqual([
      { campaign: 8, replies: 3, messages: [0, 40, 0] },
      { campaign: 7, replies: 4, messages: [13, 0, 5] },
      { campaign: NO_CAMPAIGN, replies: 4, messages: [12, 0, 0] },
    ]);
  });

  it('counts messages as far as their replies can have come, day by day, and replies as they came', () => {
    const sent: Sent[] = [
      [98, 7, 40, 2],
      [99, 7, 40, 1],
      [100, 7, 40, 1],
    ];
    const share = (day: number) => (day < 99 ? 1 : day === 99 ? 0.5 : 0.25);
    expect(sumsOf(sent, undefined, share)).toEqual([{ campaign: 7, replies: 4, messages: [70, 0, 0] }]);
  });

  it('counts nothing of a day that is too young, replies no more than messages', () => {
    const sent: Sent[] = [
      [99, 7, 40, 1],
      [100, 7, 40, 30],
    ];
    const share = (day: number) => (day < 100 ? 1 : 0);
    expect(sumsOf(sent, undefined, share)).toEqual([{ campaign: 7, replies: 1, messages: [40, 0, 0] }]);
  });

  it('is told apart by all messages, however young: the order does not follow their age', () => {
    const sent: Sent[] = [
      [99, 7, 30],
      [100, 8, 31],
    ];
    expect(sumsOf(sent, undefined, (day) => (day === 100 ? 0.1 : 1)).map(({ campaign }) => campaign)).toEqual(
      [8, 7],
    );
  });

  it('is that of sixty days, and not from before the last change', () => {
    const sent: Sent[] = [40, 41, 60, 100, 101].map((day) => [day, 7, day]);
    expect(sumsOf(sent)[0]?.messages[0]).toBe(41 + 60 + 100);
    expect(sumsOf(sent, { from: 60, to: 100 })[0]?.messages[0]).toBe(60 + 100);
    expect(sumsOf(sent, { from: 61, to: 99 })).toEqual([]);
  });

  it('has those of as many messages in the order of their keys, and no more than 200', () => {
    const sent = Array.from({ length: 230 }, (_, i): Sent => [100, 1_000 - i, i < 10 ? 2 : 1]);
    const found = sumsOf(sent).map(({ campaign }) => campaign);
    expect(found).toHaveLength(200);
    expect(found.slice(0, 12)).toEqual([...Array.from({ length: 10 }, (_, i) => 991 + i), ...[771, 772]]);
  });

  it('leaves out bundles wherever they stand among the rows of a day', () => {
    const columns = new ChannelColumns();
    const rows = (...campaigns: number[]) =>
      campaigns.map((campaign, position) => ({ campaign, touches: 2, replies: 1, position, step: 0 }));
    const bundle = 2 ** 48;
    for (const row of rows(bundle, bundle, 7, bundle + 1, 8)) columns.push(90, row);
    for (const row of rows(8, bundle, 7)) columns.push(91, row);
    for (const row of rows(bundle, 9)) columns.push(92, row);
    const found = campaignSums(columns.finish(), { from: 0, to: 92 }, (day) => (day === 91 ? 0.5 : 1));
    expect(
      found.map(({ campaign, replies, messages }) => [campaign, replies, ...messages.slice(0, 5)]),
    ).toEqual([
      [7, 2, 0, 0, 2 + 1, 0, 0],
      [8, 2, 1, 0, 0, 0, 2],
      [9, 1, 0, 2, 0, 0, 0],
    ]);
  });

  it('leaves out what is counted together because it is too small', () => {
    // Three of them in each of 64 bundles, which together have sent more than any other campaign of the day.
    const small = Array.from({ length: MAX_CAMPAIGNS_A_DAY + 192 }, (_, i): Sent => [
      100,
      i + 1,
      i < 192 ? 1 : 2,
    ]);
    const found = sumsOf([...small, [99, 5, 3], [99, 900, 4]]);
    const told = found.map(({ campaign }) => campaign);
    expect(told.slice(0, 2)).toEqual([900, 5]);
    expect(told.every((campaign) => campaign === 5 || (campaign > 192 && campaign <= 900))).toBe(true);
    expect(found[1]).toEqual({ campaign: 5, replies: 0, messages: [3, 0, 0] });
  });
});
