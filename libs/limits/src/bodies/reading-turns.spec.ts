import { ReadingTurns } from './reading-turns';

const KIBIBYTE = 1_024;
const CHUNK = 64 * KIBIBYTE;
/** What a process reads at once after a rest, and then in a millisecond, in chunks. */
const BURST = 4;

describe('the turns of reading', () => {
  let turns: ReadingTurns;
  let read: string[];
  beforeEach(() => {
    jest.useFakeTimers();
    turns = new ReadingTurns();
    read = [];
  });
  afterEach(() => jest.useRealTimers());

  const ask = (companyId: string, times = 1) => {
    for (let n = 0; n < times; n += 1)
      turns.read(companyId, () => {
        read.push(companyId);
        return CHUNK;
      });
  };

  it('come at once to what is little', () => {
    ask('a', BURST);
    expect(read).toHaveLength(BURST);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('bound what is read at a time, and lose nothing of it', () => {
    ask('a', 100);
    expect(read).toHaveLength(BURST);
    jest.advanceTimersByTime(20);
    // Mutation: without the rate all of it is here.
    expect(read.length).toBeGreaterThanOrEqual(BURST + 10);
    expect(read.length).toBeLessThanOrEqual(BURST + 12);
    jest.advanceTimersByTime(1_000);
    expect([read.length, jest.getTimerCount()]).toEqual([100, 0]);
  });

  it('go round the companies, however many bodies one of them has', () => {
    ask('a', 50);
    ask('b', 2);
    ask('c', 1);
    read = [];
    jest.advanceTimersByTime(12);
    // Mutation: first come, first served.
    expect(read.slice(0, 5)).toEqual(['a', 'b', 'c', 'a', 'b']);
  });

  it('are not saved up', () => {
    ask('a', BURST);
    jest.advanceTimersByTime(60_000);
    ask('a', 100);
    // Mutation: a bucket without an end takes all hundred after a minute of rest.
    expect(read).toHaveLength(2 * BURST);
  });

  it('come to all who wait, and then to nobody', () => {
    ask('a', BURST);
    for (const companyId of ['a', 'b']) turns.read(companyId, () => read.push(companyId) && 1);
    expect(read).toHaveLength(BURST);
    jest.advanceTimersByTime(10);
    expect([read.slice(BURST), jest.getTimerCount()]).toEqual([['a', 'b'], 0]);
  });

  it('come to who asks while others wait after theirs', () => {
    ask('a', BURST);
    turns.read('a', () => {
      ask('b');
      return 1;
    });
    turns.read('c', () => read.push('c') && 1);
    jest.advanceTimersByTime(10);
    expect(read.slice(BURST)).toEqual(['c', 'b']);
  });

  describe('of a company whose bodies are thrown away', () => {
    const chunksIn = (milliseconds: number, companyId: string) => {
      read = [];
      jest.advanceTimersByTime(milliseconds);
      return read.filter((of) => of === companyId).length;
    };

    it('come an eighth as often, and nobody else waits for them', () => {
      turns.waste('a', 100 * CHUNK);
      for (const companyId of ['a', 'b']) ask(companyId, 200);
      expect(chunksIn(160, 'a')).toBeLessThanOrEqual(12);
      // Mutation: one lane for all halves what b gets.
      expect(chunksIn(160, 'b')).toBeGreaterThanOrEqual(78);
      expect(chunksIn(160, 'a')).toBeGreaterThanOrEqual(8);
    });

    it('are as before where nothing was thrown away, and once just as much has been read', () => {
      turns.waste('debtor', 100 * CHUNK);
      turns.waste('nothing', 0);
      turns.waste('even', CHUNK);
      ask('even');
      ask('debtor', 50);
      ask('nothing');
      ask('even');
      // Mutation: a debt of nothing is one. Then these wait behind the debtor, who reads one at once.
      expect(read).toEqual(['even', 'nothing', 'even']);
    });

    it('are as before when as much has been read, and after eight seconds at most', () => {
      turns.waste('a', 1_000_000 * CHUNK);
      ask('a', 512);
      jest.advanceTimersByTime(8_200);
      expect(read).toHaveLength(512);
      jest.advanceTimersByTime(1_000);
      read = [];
      ask('a', BURST);
      // Mutation: a debt without an end is never made up for.
      expect(read).toHaveLength(BURST);
    });
  });
});
