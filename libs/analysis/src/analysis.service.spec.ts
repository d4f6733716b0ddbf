import { randomUUID } from 'node:crypto';
import { AppError, DOCUMENTS, type BanditDocument } from '@outcomes/contracts';
import type { Logger } from '@outcomes/platform';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { tableOf } from '../test/company-fixture';
import { AnalysisService } from './analysis.service';
import type { SerialisedDocument } from './documents/serialise';
import { MARKET_PRIOR } from './priors/platform-prior.service';
import type { NewestRun } from './runs/analysis-run.repository';

const SCOPE = mintTenantScope(randomUUID());
const NOW = new Date('2026-06-01T02:00:00Z');
const EARLY = new Date('2026-05-31T02:00:00Z');
const LATE = new Date('2026-06-01T01:00:00Z');
const away = () => new AppError('SERVICE_UNAVAILABLE');

/** A run over parts of which only what is done with them is looked at, in the order in which it is done. */
class Run {
  readonly done: string[] = [];
  readonly logged: [level: string, fields: Record<string, unknown>][] = [];
  readonly arms: { runId: string; dataAsOf: Date; bandit: BanditDocument }[] = [];
  isFinished = true;
  isDue = true;
  /** Of the counts, and of writing a failure down. */
  readFails: Error | undefined;
  recordFails: Error | undefined;
  newest: NewestRun | undefined = { runId: 'newest', dataAsOf: LATE, armsAsOf: EARLY };
  /** Whether arms that are made one after the other are kept. */
  isKept: boolean[] = [];

  readonly service = new AnalysisService(
    ...([
      {
        read: async () => Promise.reject(this.readFails ?? new Error('nothing was read')),
        readForArms: async () => tableOf([]),
      },
      {},
      { analyse: async (...given: unknown[]) => (this.done.push(`looks ${JSON.stringify(given[3])}`), []) },
      {},
      {},
      {
        begin: async (_scope: unknown, runKey: string) => {
          const run = { runId: 'run', runKey, dataAsOf: EARLY };
          return this.isFinished ? { ...run, finished: true } : { ...run, finished: false, mark: null };
        },
        newestWithData: async () => this.newest,
        fail: async (_scope: unknown, { runId }: { runId: string }, code: string, at: Date) => {
          if (this.recordFails !== undefined) throw this.recordFails;
          this.done.push(`failed ${runId} ${code} ${at.toISOString()}`);
        },
        replaceArms: async (
          _scope: unknown,
          run: { runId: string; dataAsOf: Date },
          { document, body }: SerialisedDocument,
        ) => {
          expect(document).toBe(DOCUMENTS.bandit);
          this.arms.push({ ...run, bandit: JSON.parse(body) as BanditDocument });
          this.done.push('arms');
          return this.isKept.shift() ?? true;
        },
      },
      {
        isDue: async () => this.isDue,
        decide: async (_scope: unknown, runId: string) => this.done.push(`decided ${runId}`),
      },
      { borrow: async () => MARKET_PRIOR },
      { request: () => this.done.push('model asked') },
      { request: () => this.done.push('backtest') },
      { now: () => NOW },
      {
        error: (fields: Record<string, unknown>) => this.logged.push(['error', fields]),
        warn: (fields: Record<string, unknown>) => this.logged.push(['warn', fields]),
      } as unknown as Logger,
    ] as unknown as ConstructorParameters<typeof AnalysisService>),
  );

  run(onProgress?: (share: number) => void) {
    return this.service.run(SCOPE, { runKey: '2026-06-01', ...(onProgress && { onProgress }) });
  }
}

describe('a run that has succeeded before', () => {
  it('is not made again: what it calls for is done, and that is the end of it', async () => {
    const [own, progress] = [new Run(), [] as number[]];
    own.newest = undefined;
    expect(await own.run((share) => progress.push(share))).toEqual({ runId: 'run', state: 'succeeded' });
    expect(own.done).toEqual(['decided run']);
    expect(progress).toEqual([1]);
    expect(own.logged).toEqual([]);
  });

  it('renews arms that are newer than it before anything is decided by them', async () => {
    const done = async (changes: Partial<Pick<Run, 'newest' | 'isDue'>>) => {
      const own = Object.assign(new Run(), changes);
      await own.run();
      return own.done;
    };
    const arms = (armsAsOf: Date | null) => ({ newest: { runId: 'newest', dataAsOf: LATE, armsAsOf } });
    expect(await done(arms(LATE))).toEqual(['looks {"looks":false}', 'arms', 'decided run']);
    // They are its own, there are none, or everything is decided already.
    expect(await done(arms(EARLY))).toEqual(['decided run']);
    expect(await done(arms(null))).toEqual(['decided run']);
    expect(await done({ ...arms(LATE), isDue: false })).toEqual(['decided run']);
  });
});

describe('a run that fails', () => {
  const failing = async (readFails: Error, recordFails?: Error) => {
    const own = Object.assign(new Run(), { isFinished: false, readFails, recordFails });
    const error = await own.run().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { own, error };
  };

  it('is on record with its code, and in the log with what happened; nothing is done after it', async () => {
    const failure = away();
    const { own, error } = await failing(failure);
    expect(error).toBe(failure);
    expect(own.done).toEqual([`failed run SERVICE_UNAVAILABLE ${NOW.toISOString()}`]);
    expect(own.logged).toEqual([['error', { err: failure, runId: 'run', runKey: '2026-06-01' }]]);
  });

  it('is an internal error where nobody foresaw it, with the cause', async () => {
    const failure = new RangeError('no');
    const { own, error } = await failing(failure);
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', cause: failure });
    expect(error).toBeInstanceOf(AppError);
    expect(own.done).toEqual([`failed run INTERNAL_ERROR ${NOW.toISOString()}`]);
    expect(own.logged).toEqual([['error', { err: failure, runId: 'run', runKey: '2026-06-01' }]]);
  });

  it('says what failed also where that cannot be written down', async () => {
    const [failure, second] = [away(), new Error('away too')];
    const { own, error } = await failing(failure, second);
    expect(error).toBe(failure);
    expect(own.logged).toEqual([
      ['error', { err: failure, runId: 'run', runKey: '2026-06-01' }],
      ['warn', { err: second, runId: 'run' }],
    ]);
  });
});

describe('arms that are refreshed', () => {
  it('are of the newest run that had data; without one there are none', async () => {
    const own = new Run();
    expect(await own.service.refreshArms(SCOPE)).toBe(true);
    expect(own.arms).toMatchObject([{ runId: 'newest', dataAsOf: LATE }]);
    expect(own.arms[0]?.bandit).toMatchObject({ data_as_of: LATE.toISOString(), arms: [] });
    own.newest = undefined;
    expect(await own.service.refreshArms(SCOPE)).toBe(false);
    expect(own.arms).toHaveLength(1);
  });

  it('are made again where a run was published meanwhile', async () => {
    const own = new Run();
    own.isKept = [false, false, true];
    expect(await own.service.refreshArms(SCOPE)).toBe(true);
    expect(own.arms).toHaveLength(3);
  });

  it('stay where they are as fresh as the newest batch, if only stale ones are asked for', async () => {
    const made = async (armsAsOf: Date | null, options?: { onlyIfStale: boolean }) => {
      const own = new Run();
      own.newest = { runId: 'newest', dataAsOf: LATE, armsAsOf };
      expect(await own.service.refreshArms(SCOPE, options)).toBe(true);
      return own.arms.length;
    };
    expect(await made(LATE, { onlyIfStale: true })).toBe(0);
    expect(await made(new Date(LATE.getTime() + 1), { onlyIfStale: true })).toBe(0);
    expect(await made(EARLY, { onlyIfStale: true })).toBe(1);
    expect(await made(null, { onlyIfStale: true })).toBe(1);
    expect(await made(LATE)).toBe(1);
  });
});
