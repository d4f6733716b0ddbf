import { FairTurns } from './fair-turns';

describe('turns', () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name);
      ends.set(name, () => resolve(name));
    });
  beforeEach(() => {
    begun.length = 0;
    ends.clear();
  });
  const settled = () => new Promise(setImmediate);

  it('are so many for each name, in order, and none of another name waits', async () => {
    const turns = new FairTurns(2, 10_000);
    const answers = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => turns.run(name[0] ?? '', work(name)));
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    ends.get('a2')?.();
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (const name of ['a1', 'a3', 'b1']) ends.get(name)?.();
    await settled();
    ends.get('a4')?.();
    expect(await Promise.all(answers)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
  });

  it('end with the work, also where it fails', async () => {
    const turns = new FairTurns(1, 10_000);
    await expect(turns.run('a', () => Promise.reject(new RangeError('no')))).rejects.toThrow('no');
    expect(await turns.run('a', () => Promise.resolve('next'))).toBe('next');
  });

  it('are waited for so long and no longer; who gave up takes none', async () => {
    const turns = new FairTurns(1, 20);
    const first = turns.run('a', work('first'));
    await expect(turns.run('a', work('late'))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    ends.get('first')?.();
    await first;
    const next = turns.run('a', work('next'));
    ends.get('next')?.();
    expect(await next).toBe('next');
    expect(begun).toEqual(['first', 'next']);
  });

  it('are never more than there are, whoever comes while one is passed on', async () => {
    const turns = new FairTurns(1, 10_000);
    const first = turns.run('a', work('a1'));
    const others = ['a2', 'a3'].map((name) => turns.run('a', work(name)));
    ends.get('a1')?.();
    const last = first.then(() => turns.run('a', work('a4')));
    await settled();
    // Mutation: who comes as a turn ends takes it beside the one who has waited.
    expect(begun).toEqual(['a1', 'a2']);
    for (const name of ['a2', 'a3', 'a4']) {
      ends.get(name)?.();
      await settled();
    }
    expect(await Promise.all([...others, last])).toEqual(['a2', 'a3', 'a4']);
  });

  describe('in a line that moves', () => {
    const refusal = { code: 'SERVICE_UNAVAILABLE' };
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    /** Ends what is worked on after so many milliseconds, again and again. */
    const pass = async (names: readonly string[], everyMs: number) => {
      for (const name of names) {
        await jest.advanceTimersByTimeAsync(everyMs);
        ends.get(name)?.();
        await jest.advanceTimersByTimeAsync(0);
      }
    };

    it('are waited for longer than in one that stands still', async () => {
      const turns = new FairTurns(1, 100, 1_000);
      const names = Array.from({ length: 5 }, (_, n) => `a${n}`);
      const answers = names.map((name) => turns.run('a', work(name)));
      // Mutation: a wait that is counted from its beginning alone refuses the third to fifth.
      await pass(names, 80);
      expect(await Promise.all(answers)).toEqual(names);
    });

    it('are refused where what ends there fails', async () => {
      const turns = new FairTurns(1, 100, 1_000);
      const fails = () => new Promise((_resolve, reject) => setTimeout(() => reject(new Error('away')), 80));
      const answers = Array.from({ length: 3 }, () => turns.run('a', fails).catch((error: Error) => error));
      await jest.advanceTimersByTimeAsync(300);
      // Mutation: a line in which everything fails moves, and the third waits for two of them.
      expect((await Promise.all(answers)).map((error) => (error as Error).message === 'away')).toEqual([
        true,
        true,
        false,
      ]);
    });

    it('are refused so long after it last moved', async () => {
      const turns = new FairTurns(1, 100, 1_000);
      void turns.run('a', work('a0'));
      void turns.run('a', work('a1'));
      const refused = jest.fn();
      turns.run('a', work('a2')).catch(refused);
      await pass(['a0'], 80);
      await jest.advanceTimersByTimeAsync(99);
      expect(refused).not.toHaveBeenCalled();
      await jest.advanceTimersByTimeAsync(2);
      expect(refused).toHaveBeenCalledWith(expect.objectContaining(refusal));
    });

    it('are refused after the longest wait, however fast it moves', async () => {
      const turns = new FairTurns(1, 100, 250);
      const names = Array.from({ length: 4 }, (_, n) => `a${n}`);
      for (const name of names) void turns.run('a', work(name));
      const refused = jest.fn();
      turns.run('a', work('last')).catch(refused);
      await pass(names.slice(0, 3), 80);
      expect(refused).not.toHaveBeenCalled();
      await jest.advanceTimersByTimeAsync(11);
      expect(refused).toHaveBeenCalledWith(expect.objectContaining(refusal));
    });
  });
});
