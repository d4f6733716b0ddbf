import { DAY_MS } from '@outcomes/contracts';
import { threadOf } from '../identity/event-record';
import { NameBasedUuids } from '../identity/name-based-uuid';
import { NO_RESPONSE, RESPONDED, type FoldedTouch } from './fold-touch';
import { closeAddresses, closeByReplies } from './close-by-replies';
import type { Touch } from './touch';

const uuids = new NameBasedUuids('6e38e328-70eb-5657-9c91-f5b5b68b0ec4');

const folded = (
  touchId: string,
  recipientId: string,
  parts: Partial<Touch> = {},
  isReplyAlone = false,
): FoldedTouch => ({
  touch: {
    touchId,
    channel: 0,
    sequenceStep: 0,
    position: 0,
    positionConfidence: 0,
    outcome: NO_RESPONSE,
    outcomeIsExact: true,
    repliedAtMs: null,
    unsubscribedAtMs: null,
    bouncedAtMs: null,
    silentAtMs: null,
    openedAtMs: null,
    clickedAtMs: null,
    autoRepliedAtMs: null,
    meetingBookedAtMs: null,
    opened: false,
    meetingBooked: false,
    streamed: false,
    sentHour: null,
    sentDay: '2026-06-01',
    sentAtMs: 0,
    outcomeAtMs: 7 * DAY_MS,
    levels: [],
    recipientId,
    threadId: threadOf(uuids, recipientId, null),
    campaignId: null,
    recipientHash: 'hash',
    recipientPosition: null,
    propensity: null,
    variantId: null,
    industry: null,
    textId: 0,
    subjectId: 0,
    ...parts,
  },
  isReplyAlone,
  replyDay: isReplyAlone ? Math.floor((parts.outcomeAtMs ?? 0) / DAY_MS) : null,
});
const reply = (touchId: string, recipientId: string, day: number, parts: Partial<Touch> = {}) =>
  folded(touchId, recipientId, { outcome: RESPONDED, outcomeAtMs: day * DAY_MS, ...parts }, true);
const summary = (group: FoldedTouch[]) => {
  const { touches, echoes } = closeByReplies(group, uuids);
  return {
    answered: touches.filter((touch) => touch.outcome === RESPONDED).map((touch) => touch.touchId),
    echoes: echoes.map((echo) => `${echo.reply.touchId} closes ${echo.closesTouchId}`),
  };
};

describe('replies of one address', () => {
  it('close the newest open message that was sent before them', () => {
    const group = [
      folded('old', 'a'),
      folded('new', 'b', { sentAtMs: 2 * DAY_MS }),
      folded('after', 'b', { sentAtMs: 9 * DAY_MS }),
      reply('reply', 'c', 5),
    ];
    expect(summary(group)).toEqual({ answered: ['new'], echoes: ['reply closes new'] });
    expect(summary(group.toReversed())).toEqual(summary(group));
  });

  it('take the time of the answer and what is known of the reader with them', () => {
    const { touches } = closeByReplies(
      [folded('open', 'a'), reply('reply', 'b', 3, { meetingBooked: true, streamed: true })],
      uuids,
    );
    expect(touches).toEqual([
      expect.objectContaining({
        touchId: 'open',
        outcomeAtMs: 3 * DAY_MS,
        meetingBooked: true,
        streamed: true,
      }),
    ]);
  });

  it('close one message each, in order of time', () => {
    const group = [
      folded('one', 'a'),
      folded('two', 'a', { sentAtMs: DAY_MS }),
      reply('r2', 'b', 6),
      reply('r1', 'c', 5),
    ];
    expect(summary(group)).toEqual({ answered: ['one', 'two'], echoes: ['r1 closes two', 'r2 closes one'] });
  });

  it('of one time that name what they answer come first, then those to what was sent earlier', () => {
    const group = [
      folded('elsewhere', 'a'),
      folded('in-campaign', 'a', { sentAtMs: DAY_MS, campaignId: 'c' }),
      reply('r1', 'b', 5, { sentAtMs: 2 }),
      reply('r2', 'c', 5, { sentAtMs: 1 }),
      reply('r3', 'd', 5, { sentAtMs: 3, campaignId: 'c' }),
    ];
    expect(summary(group).echoes).toEqual(['r3 closes in-campaign', 'r2 closes elsewhere']);
    expect(summary(group.toReversed()).echoes).toEqual(summary(group).echoes);
    const inThread = reply('r4', 'd', 5, { sentAtMs: 4, threadId: 't' });
    expect(summary([folded('open', 'a', { threadId: 't' }), ...group.slice(2, 4), inThread]).echoes).toEqual([
      'r4 closes open',
    ]);
  });

  it.each([
    ['of the same recipient_id', folded('open', 'a')],
    ['on another channel', folded('open', 'b', { channel: 1 })],
    ['sent after the reply', folded('open', 'b', { sentAtMs: 6 * DAY_MS })],
    ['older than 90 days', folded('open', 'b', { sentAtMs: -86 * DAY_MS })],
    ['answered already', folded('open', 'b', { outcome: RESPONDED })],
  ])('do not close a message %s', (_, open) => {
    const { echoes, touches } = closeByReplies([open, reply('reply', 'a', 5)], uuids);
    expect(echoes).toEqual([]);
    expect(touches).toHaveLength(2);
  });

  it('close a message of the campaign or thread that they name, and of no other', () => {
    const group = (named: Partial<Touch>) => [
      folded('elsewhere', 'a', { sentAtMs: DAY_MS }),
      folded('in-campaign', 'a', { campaignId: 'c' }),
      folded('in-thread', 'a', { threadId: 't' }),
      reply('reply', 'b', 5, named),
    ];
    expect(summary(group({})).echoes).toEqual(['reply closes elsewhere']);
    expect(summary(group({ campaignId: 'c', threadId: 'x' })).echoes).toEqual(['reply closes in-campaign']);
    expect(summary(group({ threadId: 't' })).echoes).toEqual(['reply closes in-thread']);
    expect(summary(group({ campaignId: 'd', threadId: 'x' })).echoes).toEqual([]);
    expect(summary(group({ threadId: 'u' })).echoes).toEqual([]);
    expect(summary(group({ campaignId: 'd', threadId: 't' })).echoes).toEqual(['reply closes in-thread']);
  });

  it.each([
    ['sent at the moment of the reply', { sentAtMs: 5 * DAY_MS }, 1],
    ['sent a moment after it', { sentAtMs: 5 * DAY_MS + 1 }, 0],
    ['sent 90 days before it', { sentAtMs: -85 * DAY_MS }, 1],
    ['sent a moment more than 90 days before it', { sentAtMs: -85 * DAY_MS - 1 }, 0],
  ])('reach a message %s or not', (_, open, closed) => {
    expect(summary([folded('open', 'a', open), reply('reply', 'b', 5)]).echoes).toHaveLength(closed);
  });

  it.each([
    ['of which the date alone is known, on the day of the reply by its clock', { sentHour: null }, 5, 1],
    ['of which the date alone is known, on the day after', { sentHour: null }, 4, 0],
    ['later that day', { sentHour: 9 }, 5, 0],
  ])('reach a message %s or not', (_, open, replyDay, closed) => {
    const early = { ...reply('reply', 'b', 4.5), replyDay };
    expect(summary([folded('open', 'a', { sentAtMs: 5 * DAY_MS, ...open }), early]).echoes).toHaveLength(
      closed,
    );
  });

  it('close nothing of the same recipient_id, though others share the address', () => {
    const group = [
      folded('own', 'a'),
      folded('other', 'b', { sentAtMs: 6 * DAY_MS }),
      reply('reply', 'a', 5),
    ];
    expect(summary(group).echoes).toEqual([]);
  });

  it.each([
    ['20 recipients', Array.from({ length: 19 }, (_, n) => folded(`t${n}`, `r${n}`)), 1],
    ['21 recipients', Array.from({ length: 20 }, (_, n) => folded(`t${n}`, `r${n}`)), 0],
    ['1,000 messages', Array.from({ length: 999 }, (_, n) => folded(`t${n}`, 'a')), 1],
    ['1,001 messages', Array.from({ length: 1_000 }, (_, n) => folded(`t${n}`, 'a')), 0],
  ])('identify somebody by an address of %s: 1 is yes, 0 no', (_, open, closed) => {
    const { touches, echoes } = closeByReplies([...open, reply('reply', 'b', 5)], uuids);
    expect([echoes.length, touches.length]).toEqual([closed, open.length + 1 - closed]);
    expect(new Set(touches.map(({ touchId }) => touchId)).size).toBe(touches.length);
  });

  it('of one time close messages of one time, each the last of the sequence, then the one with the lowest id', () => {
    const open = [folded('x', 'a'), folded('y', 'a'), folded('z', 'a', { sequenceStep: 1 })];
    const group = [...open, reply('r1', 'b', 5), reply('r2', 'c', 5)];
    for (const order of [group, group.toReversed()])
      expect(summary(order).echoes).toEqual(['r1 closes z', 'r2 closes x']);
  });

  it.each([
    [1, 2],
    [2, 1],
    [null, 1],
    [1, null],
    [null, null],
  ])('leave of what is known of message and reply (%j and %j) the earliest', (own, told) => {
    const facts = (at: number | null) => ({ openedAtMs: at, clickedAtMs: at, meetingBookedAtMs: at });
    const flags = (at: number | null) => ({
      opened: at !== null,
      meetingBooked: at !== null,
      streamed: at !== null,
    });
    const open = folded('open', 'a', { ...facts(own), ...flags(own) });
    const { touches } = closeByReplies(
      [open, reply('reply', 'b', 3, { ...facts(told), ...flags(told) })],
      uuids,
    );
    const earliest = own === null || told === null ? (own ?? told) : 1;
    expect(touches).toEqual([expect.objectContaining({ ...facts(earliest), ...flags(earliest) })]);
  });

  it('close nothing at another address, and nothing where no address is known', () => {
    const at = (recipientHash: string | null) => [
      folded(`open ${recipientHash}`, 'a', { recipientHash }),
      reply(`reply ${recipientHash}`, 'b', 5, { recipientHash }),
    ];
    const { touches, echoes } = closeAddresses([...at('one'), ...at(null), ...at('two').slice(0, 1)], uuids);
    expect(echoes.map(({ closesTouchId }) => closesTouchId)).toEqual(['open one']);
    expect(touches.map(({ touchId }) => touchId).sort()).toEqual([
      'open null',
      'open one',
      'open two',
      'reply null',
    ]);
  });

  it('close nothing where the message that they answer is known', () => {
    const known = folded('known', 'b', { outcome: RESPONDED, outcomeAtMs: 5 * DAY_MS });
    expect(summary([folded('open', 'a'), known])).toEqual({ answered: ['known'], echoes: [] });
  });
});
