import { FairWork } from './fair-work';

describe('work of several names', () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  let shared: FairWork;
  beforeEach(() => {
    jest.useFakeTimers();
    begun.length = 0;
    ends.clear();
    shared = new FairWork(4, 10_000);
  });
  afterEach(() => jest.useRealTimers());

  const after = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);
  /** The first letter of a piece of work is its name. */
  const begin = async (...pieces: string[]) => {
    for (const piece of pieces)
      void shared.run(
        piece[0] ?? '',
        () => {
          begun.push(piece);
          return new Promise<void>((resolve) => ends.set(piece, resolve));
        },
        2,
      );
    await after(0);
  };
  const end = async (...pieces: string[]) => {
    for (const piece of pieces) ends.get(piece)?.();
    await after(0);
  };
  const newlyBegun = () => begun.splice(0);

  it('is all begun while one is alone, and nobody rests', async () => {
    await begin('a1', 'a2', 'a3', 'a4', 'a5');
    expect(newlyBegun()).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
    await after(100);
    await end('a1');
    await begin('a6');
    expect(newlyBegun()).toEqual(['a6']);
  });

  it('is begun in equal parts while others are there, and at least one piece of each', async () => {
    await begin('b1', 'a1', 'a2');
    // Mutation: as many as if they were alone.
    expect(newlyBegun()).toEqual(['b1', 'a1']);
    await begin('c1', 'd1', 'e1');
    expect(newlyBegun()).toEqual(['c1', 'd1', 'e1']);
  });

  it('is followed by a rest twice as long where there is more of it', async () => {
    await begin('b1', 'a1', 'a2');
    newlyBegun();
    await after(20);
    await end('a1', 'b1');
    await after(39);
    // Mutation: the next begins at once.
    expect(newlyBegun()).toEqual([]);
    await after(1);
    expect(newlyBegun()).toEqual(['a2']);
    // Whoever has nothing more to do does not rest.
    await begin('b2');
    expect(newlyBegun()).toEqual(['b2']);
  });

  it('rests for a quarter of a second at most', async () => {
    await begin('b1', 'a1', 'a2');
    await after(900);
    await end('a1');
    await after(250);
    expect(newlyBegun().at(-1)).toBe('a2');
  });

  it('is all begun again when the other has not asked for a second', async () => {
    await begin('b1', 'a1', 'a2', 'a3', 'a4');
    newlyBegun();
    await after(1_001);
    await end('a1');
    // Mutation: one that ends lets one other begin.
    expect(newlyBegun()).toEqual(['a2', 'a3', 'a4']);
  });
});
