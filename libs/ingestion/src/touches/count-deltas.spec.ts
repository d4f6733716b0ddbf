import { CHANNELS, DAY_MS, OUTCOMES } from '@outcomes/contracts';
import { campaignKeyOf } from '@outcomes/persistence';
import { CampaignDeltas, isAnsweredInTime } from './campaign-deltas';
import { CohortDeltas, DELAY_DAYS, HOURS_PER_DAY } from './cohort-deltas';
import { leftBehind, type StoredStratum } from './cohort-sql';
import type { Touch } from './touch';

const SENT_MS = 1_000 * DAY_MS;
const RESPONDED = OUTCOMES.indexOf('responded');
const touch = (parts: Partial<Touch> = {}): Touch =>
  ({
    ...{
      channel: 0,
      sequenceStep: 0,
      position: 1,
      outcome: OUTCOMES.indexOf('no_response'),
      outcomeIsExact: true,
    },
    ...{
      opened: false,
      meetingBooked: false,
      streamed: false,
      sentHour: null,
      sentDay: '2026-06-01',
      levels: [],
    },
    ...{
      sentAtMs: SENT_MS,
      outcomeAtMs: SENT_MS + DAY_MS,
      campaignId: null,
      variantId: null,
      propensity: null,
      textId: 7,
      subjectId: 7,
      ...parts,
    },
  }) as Touch;
const reply = (parts: Partial<Touch> = {}) => touch({ outcome: RESPONDED, ...parts });
const filled = (length: number, counts: Record<number, number>) =>
  Array.from({ length }, (_, at) => counts[at] ?? 0);

describe('what a stratum is left with', () => {
  const at = (day: number) => SENT_MS + day * DAY_MS;
  const stored = { touches: 3, lastOutcomeAtMs: at(5) } as StoredStratum;
  const changed = (gone: readonly number[], come: readonly number[]) => {
    const deltas = new CohortDeltas();
    for (const day of gone) deltas.remove(touch({ outcomeAtMs: at(day) }), true);
    for (const day of come) deltas.add(touch({ outcomeAtMs: at(day) }));
    const { empty, lostNewest } = leftBehind(deltas.list(), new Map([[0, stored]]));
    return [empty.length > 0 && 'empty', lostNewest.length > 0 && 'newest lost'].filter(Boolean);
  };

  it.each<[what: string, gone: number[], come: number[], expected: string[]]>([
    ['an older one leaves', [4], [], []],
    ['the newest leaves', [5], [], ['newest lost']],
    ['the newest leaves and an older one comes', [5], [4], ['newest lost']],
    // Mutation: `>`, with which every opening of a message has the stratum's messages read.
    ['the newest leaves and comes back', [5], [5], []],
    ['the newest leaves and a newer one comes', [5], [6], []],
    ['all of them leave', [3, 4, 5], [], ['empty']],
  ])('looks for the newest outcome where it must: %s', (_what, gone, come, expected) => {
    expect(changed(gone, come)).toEqual(expected);
  });
});

describe('what touches that come and go mean for the counts', () => {
  const deltasOf = (...touches: Touch[]) => {
    const deltas = new CohortDeltas();
    for (const one of touches) deltas.add(one);
    return deltas.list();
  };

  it.each<[Partial<Touch>, object]>([
    [{}, {}],
    [{ outcome: RESPONDED }, { replies: 1 }],
    [{ outcome: OUTCOMES.indexOf('bounced') }, { bounces: 1 }],
    [{ outcome: OUTCOMES.indexOf('unsubscribed') }, { unsubscribes: 1 }],
    [{ opened: true }, { opens: 1 }],
    [{ meetingBooked: true }, { meetings: 1 }],
    [{ streamed: true }, { streamed: 1 }],
  ])('is for one that is %j one touch and %j', (parts, expected) => {
    const none = { replies: 0, bounces: 0, unsubscribes: 0, opens: 0, meetings: 0, streamed: 0 };
    const [added] = deltasOf(touch(parts));
    expect(added).toMatchObject({
      ...none,
      touches: 1,
      ...expected,
      lastOutcomeAtMs: SENT_MS + DAY_MS,
      lostOutcomeAtMs: null,
    });
    const deltas = new CohortDeltas();
    deltas.remove(touch(parts), true);
    const lost = Object.fromEntries(
      Object.entries({ touches: 1, ...expected }).map(([name, count]) => [name, -count]),
    );
    expect(deltas.list()[0]).toMatchObject({
      ...none,
      ...lost,
      lastOutcomeAtMs: null,
      lostOutcomeAtMs: SENT_MS + DAY_MS,
    });
  });

  it.each([
    [-DAY_MS, 0],
    [0, 0],
    [DAY_MS - 1, 0],
    [DAY_MS, 1],
    [29 * DAY_MS - 1, 28],
    [29 * DAY_MS, 29],
    [400 * DAY_MS, 29],
  ])('counts a reply after %i ms at day %i, the last for all that are later', (afterMs, day) => {
    const outcomeAtMs = SENT_MS + afterMs;
    const [delta] = deltasOf(reply({ outcomeAtMs }), reply({ outcomeAtMs, outcomeIsExact: false }), touch());
    expect(delta?.replyDelays).toEqual(filled(DELAY_DAYS, { [day]: 1 }));
  });

  it('counts hours and levels where they are known, replies beside them, and what was assigned at random', () => {
    const drawn = { propensity: 0.5 };
    const [delta] = deltasOf(
      reply({ sentHour: 0, levels: [1, 3], ...drawn }),
      touch({ sentHour: 23, levels: [3] }),
      touch({ levels: [1], ...drawn }),
    );
    expect(delta?.hourTouches).toEqual(filled(HOURS_PER_DAY, { 0: 1, 23: 1 }));
    expect(delta?.hourReplies).toEqual(filled(HOURS_PER_DAY, { 0: 1 }));
    const { levelTouches = [], levelReplies = [], levelRandomized = [] } = delta ?? {};
    expect(levelTouches).toEqual(filled(levelTouches.length, { 1: 2, 3: 2 }));
    expect(levelReplies).toEqual(filled(levelTouches.length, { 1: 1, 3: 1 }));
    expect(levelRandomized).toEqual(filled(levelTouches.length, { 1: 2, 3: 1 }));
    expect(deltasOf(touch({ levels: [1] }))[0]?.levelRandomized).toEqual([]);
    const deltas = new CohortDeltas();
    deltas.remove(touch({ levels: [1], ...drawn }), false);
    deltas.remove(touch({ levels: [2], ...drawn }), true);
    expect(deltas.list()[0]?.levelRandomized).toEqual(filled(levelTouches.length, { 2: -1 }));
  });

  it('is kept by day, channel, step and position, in one order for all writers, with the newest outcome', () => {
    const parts: Partial<Touch>[] = [
      { position: 10 },
      { position: 2 },
      { sequenceStep: 1 },
      { channel: 1 },
      { sentDay: '2026-05-31' },
      { position: 2, outcomeAtMs: SENT_MS + 5 * DAY_MS },
      { position: 2, outcomeAtMs: SENT_MS + 3 * DAY_MS },
    ];
    const keys = (touches: Touch[]) =>
      deltasOf(...touches).map((delta) => [delta.sentDay, delta.channel, delta.position, delta.touches]);
    const touches = parts.map(touch);
    expect(keys(touches)).toHaveLength(5);
    expect(keys(touches.toReversed())).toEqual(keys(touches));
    const several = deltasOf(...touches).find(({ touches }) => touches === 3);
    expect(several).toMatchObject({ position: 2, lastOutcomeAtMs: SENT_MS + 5 * DAY_MS });
  });
});

describe('what touches that come and go mean for the counts by campaign', () => {
  it.each([
    ['email', 14 * DAY_MS, true, true],
    ['email', 14 * DAY_MS + 1, true, false],
    ['linkedin', 21 * DAY_MS, true, true],
    ['linkedin', 21 * DAY_MS + 1, true, false],
    // A reply whose time is unknown counts.
    ['email', 400 * DAY_MS, false, true],
  ] as const)(
    'a reply by %s after %i ms (exact: %s) is in time: %s',
    (channel, afterMs, outcomeIsExact, inTime) => {
      const parts = { channel: CHANNELS.indexOf(channel), outcomeAtMs: SENT_MS + afterMs, outcomeIsExact };
      expect(isAnsweredInTime(reply(parts))).toBe(inTime);
      expect(isAnsweredInTime(touch(parts))).toBe(false);
    },
  );

  it('is nothing where the same goes that came, and nothing for what was only opened', () => {
    const deltas = new CampaignDeltas();
    for (const campaignId of ['a', null]) {
      deltas.add(touch({ campaignId, opened: true }));
      deltas.remove(touch({ campaignId }));
    }
    expect([deltas.campaigns, deltas.days, deltas.cells, deltas.texts, deltas.channels]).toEqual([
      [],
      [],
      [],
      [],
      [],
    ]);
  });

  it('says for each campaign how many messages came, and names one whose messages only changed', () => {
    const deltas = new CampaignDeltas();
    deltas.add(touch({ campaignId: 'grown', sentDay: '2026-06-20' }));
    deltas.add(touch({ campaignId: 'grown' }));
    deltas.remove(touch({ campaignId: 'shrunk' }));
    deltas.remove(touch({ campaignId: 'answered' }));
    deltas.add(reply({ campaignId: 'answered' }));
    expect(new Map(deltas.campaigns.map(({ campaignId, touches }) => [campaignId, touches]))).toEqual(
      new Map([
        ['grown', 2],
        ['shrunk', -1],
        ['answered', 0],
      ]),
    );
    const numbers = deltas.campaigns.map(({ campaign }) => campaign);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(deltas.days.map(({ key }) => key)).toEqual([
      [0, '2026-06-01'],
      [0, '2026-06-20'],
    ]);
    // A campaign's messages in another fortnight are another cell, and those with another text another row.
    const ofGrown = ({ key: [campaign] }: { key: readonly [number, unknown] }) =>
      campaign === campaignKeyOf('grown');
    deltas.add(touch({ campaignId: 'grown', textId: -1 }));
    expect([deltas.cells.filter(ofGrown).length, deltas.texts.filter(ofGrown).length]).toEqual([2, 2]);
    expect(deltas.cells.map(({ key }) => key)).toEqual(
      deltas.cells.map(({ key }) => key).toSorted(([a, b], [c, d]) => a - c || Number(b) - Number(d)),
    );
  });

  it('has the ledger recount from the first day on which messages came or went, and rescore from the first of all', () => {
    const changes = (isExpiry: boolean) => {
      const deltas = isExpiry ? new CampaignDeltas(true) : new CampaignDeltas();
      deltas.add(touch({ channel: 1, sentDay: '2026-06-09' }));
      for (const sentDay of ['2026-06-08', '2026-06-05', '2026-06-07']) deltas.add(touch({ sentDay }));
      deltas.remove(touch({ sentDay: '2026-06-02' }));
      deltas.add(reply({ sentDay: '2026-06-02' }));
      deltas.remove(touch({ channel: 2, sentDay: '2026-06-03' }));
      deltas.add(reply({ channel: 2, sentDay: '2026-06-03' }));
      return deltas.channels;
    };
    expect(changes(false)).toEqual([
      { channel: 0, recountFrom: '2026-06-05', rescoreFrom: '2026-06-02' },
      { channel: 1, recountFrom: '2026-06-09', rescoreFrom: '2026-06-09' },
      { channel: 2, recountFrom: null, rescoreFrom: '2026-06-03' },
    ]);
    // What was learned from expired messages stays.
    expect(changes(true)).toEqual([]);
  });
});
