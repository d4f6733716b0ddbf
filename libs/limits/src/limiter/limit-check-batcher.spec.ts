import { LimitCheckBatcher } from './limit-check-batcher';
import { verdictAt, type LimitCheck, type BatchResult, type LimitVerdict } from './limit-verdict';

const subject = { scope: null, keyId: 'key', burstLimit: 10, monthlyQuota: 10 };
const check: LimitCheck = { surface: 'read', limit: 10, windowMs: 900_000, quota: 10, countsQuota: true };

/** What a request is told. */
async function verdictOf(
  turn: LimitCheckBatcher,
  name: string,
  asked: LimitCheck,
): Promise<LimitVerdict | undefined> {
  const { index, result } = turn.join(name, subject, asked);
  const told = await result;
  return told && verdictAt(told, index, asked.countsQuota);
}

/** An answer that lets `limit` requests through. */
function answers(asked: { name: string; requests: number }[]) {
  return async (
    name: string,
    _subject: unknown,
    { limit }: LimitCheck,
    requests: number,
  ): Promise<BatchResult> => {
    asked.push({ name, requests });
    const consumed = Math.min(requests, limit);
    const kind = consumed < requests ? 'burst' : 'consumed';
    const last = {
      kind,
      remaining: limit - consumed,
      resetMs: 1,
      used: consumed,
      month: 0,
      nowMs: 0,
    } as const;
    return Promise.resolve({ consumed, last });
  };
}

/** A batcher whose first check is answered when it is released. */
function firstHeld(asked: { name: string; requests: number }[]) {
  const answer = answers(asked);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const turn = new LimitCheckBatcher(async (...check) => {
    const result = answer(...check);
    if (asked.length === 1) await held;
    return result;
  });
  return { turn, release: () => release() };
}

describe('requests that arrive together', () => {
  // A turn of the event loop that a busy machine makes longer than a millisecond would end the gathering.
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    // The process has run for a while.
    jest.advanceTimersByTime(60_000);
  });
  afterEach(() => jest.useRealTimers());

  it('are asked about once per credential, and each is told its own verdict', async () => {
    const asked: { name: string; requests: number }[] = [];
    const turn = new LimitCheckBatcher(answers(asked));
    const verdicts = await Promise.all([
      ...Array.from({ length: 11 }, () => verdictOf(turn, 'a', check)),
      verdictOf(turn, 'b', check),
    ]);
    // The one that is alone waits for no others.
    expect(asked).toEqual([
      { name: 'b', requests: 1 },
      { name: 'a', requests: 11 },
    ]);
    expect(verdicts.map((verdict) => verdict?.remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 9]);
    expect(verdicts.map((verdict) => verdict?.used)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 1]);
    expect(verdicts.map((verdict) => verdict?.kind === 'consumed')).toEqual([
      ...Array.from({ length: 10 }, () => true),
      false,
      true,
    ]);
  });

  it.each([
    { limit: 20 },
    { quota: 20 },
    { countsQuota: false },
    { surface: 'ingest' },
    { windowMs: 60_000 },
  ])('are asked about apart where they ask for something else: %j', async (other) => {
    const asked: { name: string; requests: number }[] = [];
    const turn = new LimitCheckBatcher(answers(asked));
    const [, , apart] = await Promise.all([
      verdictOf(turn, 'a', check),
      verdictOf(turn, 'a', check),
      verdictOf(turn, 'a', { ...check, ...other }),
    ]);
    expect(asked.map(({ requests }) => requests)).toEqual([2, 1]);
    expect(apart?.kind).toBe('consumed');
  });

  it('are asked about together however many other credentials are asked about meanwhile', async () => {
    const asked: { name: string; requests: number }[] = [];
    const { turn, release } = firstHeld(asked);
    const waiting = [verdictOf(turn, 'a', check)];
    await new Promise(setImmediate);
    const inThisTurn = [verdictOf(turn, 'b', check)];
    const others = Array.from({ length: 2_000 }, (_, n) => verdictOf(turn, `other ${n}`, check));
    inThisTurn.push(verdictOf(turn, 'b', check));
    await Promise.all([...inThisTurn, ...others]);
    // Mutation: those with a check under way, or about to be asked, are forgotten for others. They get one of their own.
    waiting.push(verdictOf(turn, 'a', check));
    await new Promise(setImmediate);
    expect(asked.filter(({ name }) => name === 'a' || name === 'b')).toEqual([
      { name: 'a', requests: 1 },
      { name: 'b', requests: 2 },
    ]);
    release();
    await Promise.all(waiting);
  });

  it('are asked about together while a check about their credential is under way', async () => {
    const asked: { name: string; requests: number }[] = [];
    const { turn, release } = firstHeld(asked);
    const first = verdictOf(turn, 'a', check);
    await new Promise(setImmediate);
    const later = [verdictOf(turn, 'a', check)];
    await new Promise(setImmediate);
    later.push(verdictOf(turn, 'a', check));
    expect(asked).toEqual([{ name: 'a', requests: 1 }]);
    release();
    expect((await Promise.all([first, ...later])).map((verdict) => verdict?.used)).toEqual([1, 1, 2]);
    expect(asked).toEqual([
      { name: 'a', requests: 1 },
      { name: 'a', requests: 2 },
    ]);
  });

  it('wait while each turn brings more of them, a millisecond at most; alone they do not', async () => {
    const asked: { name: string; requests: number }[] = [];
    const turn = new LimitCheckBatcher(answers(asked));
    const nextTurn = () => new Promise(setImmediate);
    const together = [verdictOf(turn, 'a', check), verdictOf(turn, 'a', check)];
    await nextTurn();
    together.push(verdictOf(turn, 'a', check));
    await nextTurn();
    // Mutation: what the first turn brought is asked about with that turn.
    expect(asked).toEqual([]);
    await nextTurn();
    expect(asked).toEqual([{ name: 'a', requests: 3 }]);
    expect((await Promise.all(together)).map((verdict) => verdict?.used)).toEqual([1, 2, 3]);

    const endless = [verdictOf(turn, 'b', check), verdictOf(turn, 'b', check)];
    await nextTurn();
    jest.advanceTimersByTime(1);
    endless.push(verdictOf(turn, 'b', check));
    await nextTurn();
    expect(asked.at(-1)).toEqual({ name: 'b', requests: 3 });
    await Promise.all(endless);

    const alone = verdictOf(turn, 'c', check);
    await nextTurn();
    expect(asked.at(-1)).toEqual({ name: 'c', requests: 1 });
    await alone;
  });

  it('wait for as many as came together before, two milliseconds at most', async () => {
    const asked: { name: string; requests: number }[] = [];
    const turn = new LimitCheckBatcher(answers(asked));
    const nextTurn = () => new Promise(setImmediate);
    const come = (count: number) => Array.from({ length: count }, () => verdictOf(turn, 'a', check));
    await Promise.all(come(8));
    const back = come(1);
    await nextTurn();
    back.push(...come(3));
    await nextTurn();
    // Mutation: nobody is expected.
    expect(asked.map(({ requests }) => requests)).toEqual([8]);
    back.push(...come(4));
    await nextTurn();
    expect(asked.map(({ requests }) => requests)).toEqual([8, 8]);
    await Promise.all(back);

    const fewer = come(7);
    await nextTurn();
    // Mutation: they are waited for until they come.
    jest.advanceTimersByTime(2);
    await Promise.all(fewer);
    expect(asked.map(({ requests }) => requests)).toEqual([8, 8, 7]);

    // So few are waited for no more, nor are many who were there long ago.
    const next = come(1);
    await nextTurn();
    await Promise.all([...next, ...come(9)]);
    jest.advanceTimersByTime(20);
    const late = come(1);
    await nextTurn();
    expect(asked.map(({ requests }) => requests)).toEqual([8, 8, 7, 1, 9, 1]);
    await Promise.all(late);
  });

  it('have come together, too, where they waited for the check before', async () => {
    const asked: { name: string; requests: number }[] = [];
    const { turn, release } = firstHeld(asked);
    const nextTurn = () => new Promise(setImmediate);
    const come = (count: number) => Array.from({ length: count }, () => verdictOf(turn, 'a', check));
    const first = come(5);
    await nextTurn();
    await nextTurn();
    first.push(...come(4));
    release();
    await Promise.all(first);
    expect(asked.map(({ requests }) => requests)).toEqual([5, 4]);
    const back = come(5);
    for (let turns = 0; turns < 3; turns += 1) await nextTurn();
    // Mutation: only those of the last check are waited for.
    back.push(...come(4));
    await Promise.all(back);
    expect(asked.map(({ requests }) => requests)).toEqual([5, 4, 9]);
  });

  it('wait two milliseconds at most for a check of their credential, and not for one of another', async () => {
    const asked: { name: string; requests: number }[] = [];
    const answer = answers(asked);
    const turn = new LimitCheckBatcher((...check) =>
      asked.length === 0 ? (void answer(...check), new Promise(() => undefined)) : answer(...check),
    );
    void verdictOf(turn, 'a', check);
    await new Promise(setImmediate);
    // Mutation: one check at a time. The first is never answered.
    const own = verdictOf(turn, 'a', check);
    expect((await verdictOf(turn, 'b', check))?.kind).toBe('consumed');
    expect(asked.map(({ name }) => name)).toEqual(['a', 'b']);
    jest.advanceTimersByTime(2);
    expect((await own)?.kind).toBe('consumed');
    expect(asked.map(({ name }) => name)).toEqual(['a', 'b', 'a']);
  });

  it('wait for two milliseconds each, whoever else waits', async () => {
    const asked: { name: string; requests: number }[] = [];
    const answer = answers(asked);
    // Nothing is ever answered.
    const turn = new LimitCheckBatcher((...check) => (void answer(...check), new Promise(() => undefined)));
    const ask = async (name: string) => {
      turn.join(name, subject, check);
      await new Promise(setImmediate);
      return asked.splice(0).map(({ name }) => name);
    };
    expect([await ask('a'), await ask('b')]).toEqual([['a'], ['b']]);
    await ask('a');
    jest.advanceTimersByTime(1);
    await ask('b');
    jest.advanceTimersByTime(1);
    expect(asked.splice(0).map(({ name }) => name)).toEqual(['a']);
    jest.advanceTimersByTime(1);
    expect([asked.map(({ name }) => name), jest.getTimerCount()]).toEqual([['b'], 0]);
  });

  it('all hear of a failure, and of Redis being away', async () => {
    const failing = new LimitCheckBatcher(() => Promise.reject(new Error('no month')));
    const told = await Promise.allSettled([1, 2].map(() => verdictOf(failing, 'a', check)));
    expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const away = new LimitCheckBatcher(() => Promise.resolve(undefined));
    expect(await verdictOf(away, 'a', check)).toBeUndefined();
  });
});
