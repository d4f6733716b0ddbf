import { waitUntil } from '@outcomes/testing';
import { WorkerInstallation } from './worker-installation';

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
