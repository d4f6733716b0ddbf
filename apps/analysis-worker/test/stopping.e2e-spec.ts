import { waitUntil } from '@outcomes/testing';
import { isAnalysed, letTimePass } from './passing-time';
import { WorkerInstallation } from './worker-installation';

/** What the process may take to stop. */
const STOP_LIMIT_MS = 10_000;

describe('a worker that is stopped', () => {
  let installation: WorkerInstallation;

  beforeAll(async () => {
    installation = await WorkerInstallation.create();
  });
  afterEach(async () => {
    await installation.stopServices({ signal: 'SIGKILL' });
    await installation.redis.restore();
  });
  afterAll(() => installation.close());

  it.each([false, true])('ends by itself within ten seconds (Redis away: %s)', async (isRedisAway) => {
    const worker = await installation.startWorker();
    if (isRedisAway) await installation.redis.cut();
    const started = performance.now();
    await worker.stop('SIGTERM');
    expect(worker.child.exitCode).toBe(0);
    expect(performance.now() - started).toBeLessThan(STOP_LIMIT_MS);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'by %s leaves nothing half done: the next one counts each message once',
    async (signal) => {
      const company = await installation.addCompany();
      for (let batch = 0; batch < 120; batch += 1) await installation.ingest(company);
      const first = await installation.startWorker();
      await waitUntil('it to be at work', async () => (await installation.touches(company)) > 0);
      await first.stop(signal);
      await installation.startWorker();
      await waitUntil(
        'everything to be processed',
        async () => (await installation.touches(company)) === 1_200,
        20_000,
      );
      const pending = await installation.database.query(
        'SELECT 1 FROM ingest_batches WHERE processed_at IS NULL',
      );
      expect(pending).toEqual([]);
      await letTimePass(installation, company, 65);
      // One of several killed at once may have begun it: Redis believes in the dead for half a minute.
      await waitUntil('the first analysis', () => isAnalysed(installation, company), 45_000);
    },
    90_000,
  );
});

/** A slice of `npm run verify:reliability -- D8`, which compares every document of an analysis killed 20 times. */
describe('a worker that is killed', () => {
  let installation: WorkerInstallation;
  beforeAll(async () => {
    installation = await WorkerInstallation.create();
  });
  afterAll(() => installation.close());

  it('leaves its work to the next, which counts every message once', async () => {
    const company = await installation.addCompany();
    for (let batch = 0; batch < 20; batch += 1) await installation.ingest(company);
    const first = await installation.startWorker();
    await waitUntil('some of the work', async () => (await installation.touches(company)) > 0);
    await first.stop('SIGKILL');
    await installation.ingest(company);
    await installation.startWorker();
    // Redis believes for half a minute that the killed is at work; the sweep does not wait for that.
    await waitUntil('the rest of it', async () => (await installation.touches(company)) === 210, 25_000);
  }, 60_000);
});
