import { FairWork } from './fair-work';

describe('work of several names', () => {
  const begun: string[] = [];
  const ends = new Map<string, { well: () => void; badly: () => void }>();
  const refused = jest.fn();
  let shared: FairWork;
  beforeEach(() => {
    jest.useFakeTimers();
    begun.length = 0;
    ends.clear();
    refused.mockClear();
    shared = new FairWork({ most: 80, waitMs: 1_500, longestMs: 15_000, onRefused: refused });
  });
  afterEach(() => jest.useRealTimers());

  const after = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);
  /** Of each, the first letter is whose it is; capital letters are pieces of half of what may be under way. */
  const begin = async (...pieces: string[]) => {
    for (const piece of pieces) {
      const work = () => {
        begun.push(piece);
        return new Promise<void>((resolve, reject) =>
          ends.set(piece, { well: resolve, badly: () => reject(new Error('away')) }),
        );
      };
      const size = /^[A-Z]/.test(piece) ? 40 : 1;
      shared.run(piece.charAt(0).toUpperCase(), work, size).catch(() => undefined);
    }
    await after(0);
  };
  const end = async (...pieces: string[]) => {
    for (const piece of pieces) ends.get(piece)?.well();
    await after(0);
  };
  const newlyBegun = () => begun.splice(0);
  /** Somebody small has been there, and is gone. */
  const small = async (piece: string) => {
    await begin(piece);
    await end(piece);
  };

  it('is all begun while one is alone, and nobody rests', async () => {
    await begin('A1', 'A2', 'A3', 'A4', 'A5');
    expect(newlyBegun()).toEqual(['A1', 'A2', 'A3', 'A4', 'A5']);
    await end('A1');
    await begin('A6');
    expect(newlyBegun()).toEqual(['A6']);
  });

  it('is begun at once where it is small and within the part of its name', async () => {
    await begin('b1', 'A1', 'A2', 'b2', 'b3', 'c1');
    expect(newlyBegun().toSorted()).toEqual(['A1', 'b1', 'b2', 'b3', 'c1']);
    const many = Array.from({ length: 40 }, (_, n) => `d${n}`);
    await begin(...many);
    // Mutation: as many as there are. Four names are there, of 80 in all.
    expect(newlyBegun()).toEqual(many.slice(0, 20));
  });

  it('is done in equal parts where all have more of it, without a rest', async () => {
    await begin('A1', 'B1', 'B2', 'A2', 'A3');
    expect(newlyBegun()).toEqual(['A1', 'B1']);
    await after(20);
    await end('A1');
    expect(newlyBegun()).toEqual(['A2']);
    await end('B1');
    expect(newlyBegun()).toEqual(['B2']);
  });

  describe('while somebody has little to do', () => {
    it('takes turns, one name after the other', async () => {
      await small('c1');
      await begin('A1', 'A2', 'A3', 'B1', 'B2');
      const order = newlyBegun().slice(1);
      for (let turn = 0; turn < 4; turn += 1) {
        await end(order.at(-1) ?? '');
        await after(10);
        order.push(...newlyBegun());
      }
      // Mutation: a name that has had its turn has the next one too.
      expect(order).toEqual(['A1', 'A2', 'B1', 'A3', 'B2']);
    });

    it('has one turn under way, and rests from it twice as long while others are at work', async () => {
      await small('c1');
      await begin('A1', 'B1', 'c2');
      // Mutation: each has one under way.
      expect(newlyBegun().toSorted()).toEqual(['A1', 'c1', 'c2']);
      await after(20);
      await end('A1');
      await after(49);
      // Mutation: the next begins as soon as the last has ended.
      expect(newlyBegun()).toEqual([]);
      await after(1);
      expect(newlyBegun()).toEqual(['B1']);
    });

    it('goes on after its rest in the next gap of what the others do', async () => {
      await small('c1');
      await begin('A1', 'B1', 'c2');
      await after(20);
      await end('A1');
      newlyBegun();
      await after(35);
      await begin('c3');
      await end('c2');
      await after(7);
      // Mutation: it begins beside the small work, when the rest is over after 40 ms.
      expect(newlyBegun()).toEqual(['c3']);
      await end('c3');
      expect(newlyBegun()).toEqual(['B1']);
    });

    it('has one large piece in a turn, or small ones that are together no larger', async () => {
      await small('c1');
      const smallOnes = Array.from({ length: 12 }, (_, n) => `a${n}`);
      await begin('A1', 'A2', ...smallOnes);
      newlyBegun();
      const turn = async (...pieces: string[]) => {
        await end(...pieces);
        await after(10);
        return newlyBegun();
      };
      expect(await turn('A1')).toEqual(['A2']);
      // Mutation: as much as there is room for. An eighth of 80 is small.
      expect(await turn('A2')).toEqual(smallOnes.slice(0, 10));
      expect(await turn(...smallOnes.slice(0, 10))).toEqual(smallOnes.slice(10));
    });

    it('rests for a quarter of a second at most', async () => {
      await small('c1');
      await begin('A1', 'B1');
      await after(500);
      await begin('c2');
      newlyBegun();
      await end('A1');
      await after(259);
      expect(newlyBegun()).toEqual([]);
      await after(1);
      expect(newlyBegun()).toEqual(['B1']);
    });

    it('goes on as soon as the others have been quiet for a moment', async () => {
      await small('c1');
      await begin('A1', 'B1');
      await after(100);
      await begin('c2');
      await end('A1');
      await after(20);
      newlyBegun();
      await end('c2');
      await after(9);
      expect(newlyBegun()).toEqual([]);
      await after(1);
      // Mutation: it rests for 200 ms, though nobody is there who would wait for it.
      expect(newlyBegun()).toEqual(['B1']);
    });

    it('is still done in turns when nobody but him has asked for a while', async () => {
      await small('c1');
      await begin('A1', 'A2', 'A3', 'A4');
      newlyBegun();
      for (let n = 0; n < 12; n += 1) {
        await after(100);
        await small(`c-${n}`);
      }
      // Mutation: only who asks is there. A second later all the others are under way.
      expect(newlyBegun().filter((piece) => piece.startsWith('A'))).toEqual([]);
      await end('A1');
      await after(250);
      expect(newlyBegun()).toEqual(['A2']);
    });
  });

  it('is all begun again when nobody else has asked for a second, though nothing ends', async () => {
    await small('c1');
    await begin('A1', 'A2', 'A3', 'A4');
    newlyBegun();
    await after(1_000);
    expect(newlyBegun()).toEqual(['A2', 'A3', 'A4']);
  });

  describe('that cannot begin', () => {
    const ask = async (milliseconds: number) => {
      for (let n = 0; n < milliseconds / 100; n += 1) {
        await small('c1');
        await after(100);
      }
    };

    it('is refused where nothing comes to a good end', async () => {
      await begin('c0');
      await begin('A1', 'A2');
      for (let n = 0; n < 14; n += 1) {
        await begin(`c${n}`);
        await after(100);
      }
      ends.get('A1')?.badly();
      expect(refused).not.toHaveBeenCalled();
      await after(101);
      expect(refused).toHaveBeenCalledTimes(1);
      await after(1_000);
      await begin('c20', 'A3');
      // Mutation: who gave up keeps his turn, and nobody ever has one again.
      expect(newlyBegun()).toContain('A3');
    });

    it('waits as long as anything does', async () => {
      await begin('c0');
      await begin('A1', 'A2');
      await ask(3_000);
      expect(refused).not.toHaveBeenCalled();
      await ask(12_100);
      expect(refused).toHaveBeenCalledTimes(1);
    });
  });
});
