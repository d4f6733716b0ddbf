import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { JOBS, QUEUES } from '@outcomes/queues';
import { testRedisUrl, waitUntil } from '@outcomes/testing';
import { Queue } from 'bullmq';
import { WorkerInstallation } from './worker-installation';

const clock = pathToFileURL(join(__dirname, 'jumping-clock.mjs')).href;

describe('a worker whose clock goes ahead by 800 days', () => {
  let installation: WorkerInstallation;
  let queue: Queue | undefined;

  const held = async () => (await installation.database.query('SELECT FROM outcome_events')).length;
  const start = (environment: Record<string, string> = {}) =>
    WorkerInstallation.create({ NODE_OPTIONS: `--import ${clock}`, ...environment });
  /** The state of a daily run that the worker was asked for, once it has let go of it. */
  const daily = async (companyId: string) => {
    queue = new Queue(QUEUES.analysis, {
      connection: { url: testRedisUrl() },
      prefix: installation.redisPrefix,
    });
    const job = await queue.add(JOBS.analysis.analyse, { companyId, runKey: '2026-06-02' });
    return waitUntil('the job', async () => {
      const state = await job.getState();
      return state === 'waiting' || state === 'active' ? undefined : state;
    });
  };

  afterEach(async () => {
    await queue?.close();
    await installation.close();
  });

  it('is not ready, says why, and deletes nothing', async () => {
    installation = await start();
    const worker = await installation.startWorker();
    const companyId = await installation.addCompany();
    await installation.ingest(companyId);
    await waitUntil('the batch', async () => (await installation.touches(companyId)) === 10);
    worker.child.kill('SIGUSR2');
    await waitUntil('it to be out', async () => (await installation.management('/readyz')).status === 503);
    const reason = 'the clock of this process is not that of postgres: set it right';
    await waitUntil('the reason', () => Promise.resolve(worker.output().includes(reason)));
    expect(await daily(companyId)).toBe('delayed');
    expect([await held(), await installation.touches(companyId)]).toEqual([10, 10]);
  });

  it('comes back when the clock is right again, however many have asked meanwhile', async () => {
    installation = await start();
    const worker = await installation.startWorker();
    const ready = async () => (await installation.management('/readyz')).status;
    worker.child.kill('SIGUSR2');
    await waitUntil('it to be out', async () => {
      const states = await Promise.all(Array.from({ length: 8 }, ready));
      return states.every((state) => state === 503);
    });
    worker.child.kill('SIGUSR2');
    await waitUntil('it to be back', async () => (await ready()) === 200);
    const companyId = await installation.addCompany();
    expect(await daily(companyId)).toBe('completed');
    // Mutation: several connect at once, and all but the first go on trying for ever.
    expect(worker.output()).not.toContain('postgres is not reachable yet');
  });

  it('would delete everything, were any clock right', async () => {
    installation = await start({ MAX_CLOCK_SKEW_MS: String(1e12) });
    const worker = await installation.startWorker();
    const companyId = await installation.addCompany();
    await installation.ingest(companyId);
    await waitUntil('the batch', async () => (await installation.touches(companyId)) === 10);
    worker.child.kill('SIGUSR2');
    expect(await daily(companyId)).toBe('completed');
    expect(await held()).toBe(0);
  });
});
