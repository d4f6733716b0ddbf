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
});
