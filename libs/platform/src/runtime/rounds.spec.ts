import { Rounds } from './rounds';

describe('rounds', () => {
  const ends: (() => void)[] = [];
  const failed = jest.fn();
  const work = jest.fn((_signal: AbortSignal) => new Promise<void>((resolve) => ends.push(resolve)));
  let rounds: Rounds;
  beforeEach(() => {
    jest.useFakeTimers();
    work.mockClear();
    failed.mockClear();
    ends.length = 0;
    rounds = new Rounds({ pauseMs: 1_000, work, onError: failed });
  });
  afterEach(() => jest.useRealTimers());

  const after = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);
  const begun = () => work.mock.calls.length;

  it('come one after the other, each a pause after the last has ended', async () => {
    rounds.start();
    await after(5_000);
    // Mutation: the pause is counted from the beginning.
    expect(begun()).toBe(1);
    ends.pop()?.();
    await after(999);
    expect(begun()).toBe(1);
    await after(1);
    expect(begun()).toBe(2);
  });

  it('begin with a pause where they are told to', async () => {
    rounds.startLater();
    await after(999);
    expect(begun()).toBe(0);
    await after(1);
    expect(begun()).toBe(1);
  });

  it('go on after one that failed, which is told', async () => {
    work.mockRejectedValueOnce(new Error('no'));
    rounds.start();
    await after(1_000);
    expect(failed).toHaveBeenCalledWith(new Error('no'));
    expect(begun()).toBe(2);
  });

  it('stop with the one under way, which is told and waited for', async () => {
    rounds.start();
    const stopped = jest.fn();
    void rounds.stop().then(stopped);
    await after(10);
    expect(work.mock.calls[0]?.[0].aborted).toBe(true);
    expect(stopped).not.toHaveBeenCalled();
    ends.pop()?.();
    await after(2_000);
    expect(stopped).toHaveBeenCalled();
    // Mutation: its end begins a pause.
    expect(begun()).toBe(1);
  });

  it('stop in a pause', async () => {
    rounds.startLater();
    await rounds.stop();
    await after(2_000);
    expect(begun()).toBe(0);
  });
});
