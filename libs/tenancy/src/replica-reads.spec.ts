import type { PreparedStatement } from './pipelined-reads';
import { ReplicaReads } from './replica-reads';

const MAX_AGE_MS = 2_000;
const CHECK_MS = MAX_AGE_MS / 4;
const DOCUMENT: PreparedStatement = { name: 'document', text: 'SELECT', values: [] };

/** A server by the position of its log; undefined is one that says none, an error one that is away. */
class Server {
  position: bigint | undefined | Error = 0n;

  constructor(private readonly name: string) {}

  run = jest.fn((statement: PreparedStatement): Promise<never[]> => {
    if (this.position instanceof Error) return Promise.reject(this.position);
    const row =
      statement === DOCUMENT ? { from: this.name } : { position: this.position?.toString() ?? null };
    return Promise.resolve([row] as never[]);
  });

  stop = () => Promise.resolve();
}

describe('reads from a replica', () => {
  let primary: Server;
  let standby: Server;
  let reads: ReplicaReads;
  let told: [boolean, unknown][];

  beforeEach(() => {
    jest.useFakeTimers();
    primary = new Server('primary');
    standby = new Server('standby');
    told = [];
    const replica = {
      config: {},
      maxAgeMs: MAX_AGE_MS,
      onChange: (isUsed: boolean, error?: unknown) => told.push([isUsed, error]),
    };
    reads = new ReplicaReads(replica, primary, standby);
  });
  afterEach(async () => {
    await reads.stop();
    jest.useRealTimers();
  });

  const found = () => reads.run<{ from: string }>(DOCUMENT);

  it('are answered by nobody else than the primary before it is known how far both are', async () => {
    expect(await found()).toBeUndefined();
  });

  it('are known to be possible before the first one', async () => {
    reads.start();
    await jest.advanceTimersByTimeAsync(0);
    expect(told).toEqual([[true, undefined]]);
  });

  it('are answered by a standby that has what the primary had', async () => {
    [primary.position, standby.position] = [70n, 70n];
    await reads.check();
    expect(await found()).toEqual([{ from: 'standby' }]);
    expect(told).toEqual([[true, undefined]]);
  });

  it('are answered by one that has passed an earlier position, while the newest is on its way', async () => {
    [primary.position, standby.position] = [70n, 60n];
    await reads.check();
    // Mutation: compared with nothing, or the other way around, it would answer here.
    expect(await found()).toBeUndefined();
    await jest.advanceTimersByTimeAsync(CHECK_MS);
    [primary.position, standby.position] = [80n, 79n];
    await reads.check();
    expect(await found()).toEqual([{ from: 'standby' }]);
  });

  it('are no longer answered by one that stands still, from the age on that is allowed', async () => {
    [primary.position, standby.position] = [70n, 70n];
    await reads.check();
    await found();
    primary.position = 71n;
    await jest.advanceTimersByTimeAsync(MAX_AGE_MS);
    expect(await found()).toEqual([{ from: 'standby' }]);
    await jest.advanceTimersByTimeAsync(1);
    // Mutation: with the time of the newest question instead of the one that was passed, it would answer for ever.
    expect(await found()).toBeUndefined();
    await jest.advanceTimersByTimeAsync(CHECK_MS);
    expect(told.map(([isUsed]) => isUsed)).toEqual([true, false]);
    standby.position = 71n;
    await jest.advanceTimersByTimeAsync(CHECK_MS);
    expect(await found()).toEqual([{ from: 'standby' }]);
  });

  it('age from the time of the question, not of its answer', async () => {
    [primary.position, standby.position] = [70n, 70n];
    let answer: (rows: never[]) => void = () => undefined;
    primary.run.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    const checking = reads.check();
    await jest.advanceTimersByTimeAsync(MAX_AGE_MS + 1);
    answer([{ position: '70' } as never]);
    await checking;
    expect(await found()).toBeUndefined();
  });

  it('go to the primary at once where the standby fails', async () => {
    await reads.check();
    await found();
    standby.position = new Error('away');
    expect(await found()).toBeUndefined();
    expect(told.at(-1)).toEqual([false, standby.position]);
    standby.position = 0n;
    // Not before it was looked at anew.
    expect(await found()).toBeUndefined();
    await jest.advanceTimersByTimeAsync(CHECK_MS);
    expect(await found()).toEqual([{ from: 'standby' }]);
  });

  it.each([
    ['a server that is no standby', () => (standby.position = undefined)],
    ['a standby whose primary is away', () => (primary.position = new Error('away'))],
  ])('are not answered by %s', async (_what, arrange) => {
    arrange();
    await reads.check();
    expect(await found()).toBeUndefined();
  });

  it('are compared every quarter of the age that is allowed, and each second at least, to their end', async () => {
    for (const [maxAgeMs, pauseMs] of [
      [400, 100],
      [4_000, 1_000],
      [60_000, 1_000],
    ] as const) {
      primary.run.mockClear();
      const often = new ReplicaReads({ config: {}, maxAgeMs }, primary, standby);
      often.start();
      often.start();
      await jest.advanceTimersByTimeAsync(pauseMs * 3 - 1);
      expect(primary.run).toHaveBeenCalledTimes(3);
      await jest.advanceTimersByTimeAsync(1);
      expect(primary.run).toHaveBeenCalledTimes(4);
      await often.stop();
      await jest.advanceTimersByTimeAsync(pauseMs * 3);
      expect(primary.run).toHaveBeenCalledTimes(4);
    }
  });

  it('are compared once at a time, and tell nothing after their end', async () => {
    await reads.check();
    const answers: { resolve: (rows: never[]) => void; reject: (error: Error) => void }[] = [];
    primary.run.mockImplementation(() => new Promise((resolve, reject) => answers.push({ resolve, reject })));
    const comparing = [reads.check(), reads.check()];
    expect(answers).toHaveLength(1);
    await reads.stop();
    answers[0]?.reject(new Error('away'));
    await Promise.all(comparing);
    const again = reads.check();
    answers[1]?.resolve([{ position: '1' } as never]);
    await again;
    expect(told).toEqual([[true, undefined]]);
  });

  it.each<[string, () => void]>([
    ['the standby is away', () => (standby.position = new Error('away'))],
    ['the primary is away', () => (primary.position = new Error('away'))],
    ['the standby is none any more', () => (standby.position = undefined)],
    ['the primary says no position', () => (primary.position = undefined)],
  ])(
    'are no longer answered by one that was young enough where %s, and the reason is told',
    async (_what, lose) => {
      await reads.check();
      expect(await found()).toEqual([{ from: 'standby' }]);
      // The first read begins a comparison of its own.
      await reads.check();
      lose();
      await reads.check();
      [primary.position, standby.position] = [0n, 0n];
      expect(await found()).toBeUndefined();
      expect(told).toEqual([
        [true, undefined],
        [false, expect.any(Error)],
      ]);
    },
  );

  it('are not answered by a standby that failed while it was compared, before the next time', async () => {
    await reads.check();
    let answer: (rows: never[]) => void = () => undefined;
    primary.run.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    const comparing = reads.check();
    standby.position = new Error('away');
    expect(await found()).toBeUndefined();
    standby.position = 0n;
    answer([{ position: '0' } as never]);
    await comparing;
    expect(await found()).toBeUndefined();
    await reads.check();
    expect(await found()).toEqual([{ from: 'standby' }]);
    expect(told.map(([isUsed]) => isUsed)).toEqual([true, false, true]);
  });
});
