import { DAY_MS } from '@outcomes/contracts';
import { IngestionService } from '@outcomes/ingestion';
import { JOBS, QUEUES } from '@outcomes/queues';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { loseRedisContents, testRedisUrl, waitUntil } from '@outcomes/testing';
import { Queue } from 'bullmq';
import { WorkerInstallation } from './worker-installation';

describe('the worker, asked for analyses', () => {
  let installation: WorkerInstallation;
  let queue: Queue;

  beforeAll(async () => {
    installation = await WorkerInstallation.create({ DAILY_ANALYSIS_CRON: '30 3 * * *' });
    const prefix = installation.redisPrefix;
    queue = new Queue(QUEUES.analysis, { connection: { url: testRedisUrl() }, prefix });
    await installation.startWorker();
  });
  afterAll(async () => {
    await queue.close();
    await installation.close();
  });

  const schedule = async () => (await queue.getJobSchedulers())[0];

  it('runs one under the key that was asked for', async () => {
    const companyId = await installation.addCompany();
    await queue.add(JOBS.analysis.analyse, { companyId, runKey: 'manual-1' });
    await waitUntil('the run', async () => (await installation.runKeys(companyId)).includes('manual-1'));
  });

  it.each([
    ['no company', { runKey: 'manual-1' }],
    [
      'a company that does not exist',
      { companyId: 'c0ffee00-0000-4000-8000-000000000000', runKey: 'manual-1' },
    ],
    ['a key that is none', { companyId: 'c0ffee00-0000-4000-8000-000000000000', runKey: 'a b' }],
  ])('gives up at once on a job that names %s', async (_, data) => {
    const job = await queue.add(JOBS.analysis.analyse, data, { attempts: 5, removeOnFail: false });
    await waitUntil('the job to have failed', async () => (await job.getState()) === 'failed');
    expect((await queue.getJob(job.id ?? ''))?.attemptsMade).toBe(1);
  });

  it('keeps the daily schedule in Redis, in UTC', async () => {
    const found = await waitUntil('the schedule', schedule);
    expect(found).toMatchObject({ name: JOBS.analysis.analyseAll, pattern: '30 3 * * *', tz: 'UTC' });
    expect(new Date(found.next ?? 0).toISOString()).toMatch(/T03:30:00.000Z$/);
  });

  it('analyses every company when the daily job is due', async () => {
    const companies = [await installation.addCompany(), await installation.addCompany()];
    await queue.add(JOBS.analysis.analyseAll, { runKey: '2026-06-01' });
    for (const companyId of companies) {
      await waitUntil('its run', async () => (await installation.runKeys(companyId)).includes('2026-06-01'));
    }
  });

  it('lets go of expired events before the daily run', async () => {
    const companyId = await installation.addCompany();
    await installation.ingest(companyId);
    await waitUntil('the batch', async () => (await installation.touches(companyId)) === 10);
    await installation.database.query(
      `UPDATE outcome_events SET ingested_at = now() - interval '25 months' WHERE company_id = $1`,
      [companyId],
    );
    await queue.add(JOBS.analysis.analyse, { companyId, runKey: '2026-06-02' });
    await waitUntil('the run', async () => (await installation.runKeys(companyId)).includes('2026-06-02'));
    expect(await installation.touches(companyId)).toBe(0);
    expect(await installation.document(companyId, 'bandit')).toMatchObject({ arms: [] });
  });

  it('lets go of contacts of keys that have ended, with the daily run', async () => {
    const companyId = await installation.addCompany();
    await installation.database.query(
      `INSERT INTO key_contacts (company_id, key_id, email, updated_at)
       VALUES ($1, '', 'company@example.com', now()), ($1, 'ended', 'ended@example.com', now())`,
      [companyId],
    );
    await queue.add(JOBS.analysis.analyse, { companyId, runKey: '2026-06-03' });
    await waitUntil('the run', async () => (await installation.runKeys(companyId)).includes('2026-06-03'));
    const left = await installation.database.query<{ email: string }>(
      'SELECT email FROM key_contacts WHERE company_id = $1',
      [companyId],
    );
    expect(left).toEqual([{ email: 'company@example.com' }]);
  });

  it('puts the schedule back where Redis has lost everything, and makes up for the day', async () => {
    await waitUntil('the schedule', schedule);
    const companyId = await installation.addCompany();
    // At once, as a Redis without its memory comes back: obliterate() would go on while workers write again.
    await loseRedisContents(installation.redisPrefix);
    const restored = await waitUntil('the schedule to be back', schedule);
    const lastDue = new Date((restored.next ?? 0) - DAY_MS).toISOString().slice(0, 10);
    await waitUntil('the run of the last due day', async () =>
      (await installation.runKeys(companyId)).includes(lastDue),
    );
  });

  describe('after a deletion that no message told of', () => {
    const requests = (companyId: string) =>
      installation.database.query('SELECT FROM reanalysis_requests WHERE company_id = $1', [companyId]);
    const isAnalysed = async (companyId: string) =>
      (await installation.runKeys(companyId)).some((key) => key.startsWith('erasure-')) &&
      (await requests(companyId)).length === 0;
    const deleted = async () => {
      const companyId = await installation.addCompany();
      await installation.ingest(companyId);
      await waitUntil('the batch', async () => (await installation.touches(companyId)) === 10);
      await deleteSomebody(installation, companyId);
      expect(await requests(companyId)).toHaveLength(1);
      return companyId;
    };

    it('analyses within seconds, and then the request is fulfilled', async () => {
      const companyId = await deleted();
      await waitUntil('the analysis', () => isAnalysed(companyId), 20_000);
      expect(await overdueAnalyses(installation)).toBeGreaterThan(0);
    }, 40_000);

    it('analyses from Postgres alone while Redis is away', async () => {
      const companyId = await deleted();
      await installation.redis.cut();
      await waitUntil('the analysis', () => isAnalysed(companyId), 20_000);
      await installation.redis.restore();
    }, 40_000);
  });
});

async function overdueAnalyses(installation: WorkerInstallation): Promise<number> {
  const text = await installation.metrics();
  const found = /outcomes_overdue_reanalyses_total\{[^}]*result="queued"[^}]*\} (\d+)/.exec(text);
  return Number(found?.[1] ?? 0);
}

/** Deletes all that the company has of one recipient. The worker is not told. */
async function deleteSomebody({ database, ingestion }: WorkerInstallation, companyId: string): Promise<void> {
  const [somebody] = await database.query<{ recipient_id: string }>(
    'SELECT recipient_id FROM outcome_events WHERE company_id = $1 LIMIT 1',
    [companyId],
  );
  const scope = mintTenantScope(companyId);
  await ingestion.get(IngestionService).deleteRecipient(scope, somebody?.recipient_id);
}
