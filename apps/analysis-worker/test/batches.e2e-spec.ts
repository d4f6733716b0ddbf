import { DOCUMENTS, type BanditDocument } from '@outcomes/contracts';
import { waitUntil } from '@outcomes/testing';
import { settle } from './passing-time';
import { WorkerInstallation } from './worker-installation';

describe('the worker, given batches', () => {
  let installation: WorkerInstallation;

  beforeAll(async () => {
    installation = await WorkerInstallation.create();
    await installation.startWorker();
  });
  afterAll(() => installation.close());

  const bandit = (companyId: string) => installation.document<BanditDocument>(companyId, DOCUMENTS.bandit);
  const observations = async (companyId: string) =>
    (await bandit(companyId))?.arms.reduce((sum, arm) => sum + arm.observations, 0);

  it('works them in without having been told, and analyses a company for the first time', async () => {
    const company = await installation.addCompany();
    await installation.ingest(company);
    await settle(installation, company, 10);
    // The daily run that a worker makes up for at its start may have come first, even before there was anything to count.
    const arms = await waitUntil('the arms', async () => {
      const document = await bandit(company);
      return document !== undefined && document.arms.length > 0 && document.arms;
    });
    expect(arms).toEqual([expect.objectContaining({ channel: 'email', observations: 10, replies: 3 })]);
    const runKeys = await waitUntil('a run', async () => {
      const keys = await installation.runKeys(company);
      return keys.length > 0 && keys;
    });
    expect(runKeys[0]).toMatch(/^(first-1|\d{4}-\d{2}-\d{2})$/);
    expect(await installation.document(company, DOCUMENTS.patterns)).toEqual(expect.any(Array));
  });

  it('brings the arms up to date with each further batch, without another run', async () => {
    const company = await installation.addCompany();
    await installation.ingest(company);
    await settle(installation, company, 10);
    await waitUntil('the first arms', async () => (await observations(company)) === 10);
    const runKeys = await installation.runKeys(company);
    await installation.ingest(company);
    await waitUntil('the newer arms', async () => (await observations(company)) === 20);
    expect(await installation.runKeys(company)).toEqual(runKeys);
  });

  it('keeps companies apart', async () => {
    const [one, other] = [await installation.addCompany(), await installation.addCompany()];
    await Promise.all([installation.ingest(one, 1), installation.ingest(other, 9)]);
    for (const company of [one, other]) await settle(installation, company, 10);
    const replies = async (companyId: string) => (await bandit(companyId))?.arms[0]?.replies;
    await waitUntil(
      'both',
      async () => (await replies(one)) !== undefined && (await replies(other)) !== undefined,
    );
    expect([await replies(one), await replies(other)]).toEqual([1, 9]);
  });

  it('tells operators how much it did, and names no company in it', async () => {
    const text = await installation.metrics();
    expect(text).toMatch(/outcomes_batches_processed_total\{app="analysis-worker"\} [1-9]/);
    expect(text).toMatch(/outcomes_events_processed_total\{app="analysis-worker"\} [1-9]\d/);
    expect(text).toMatch(/outcomes_analysis_seconds_count\{app="analysis-worker",state="succeeded"\} [1-9]/);
    expect(text).toMatch(/outcomes_queue_lag_seconds_count\{app="analysis-worker",queue="batches"\} [1-9]/);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
  });

  it('says how much waits, how long the oldest has, and what is parked', async () => {
    const company = await installation.addCompany();
    await installation.database.query(
      `INSERT INTO ingest_batches (company_id, batch_id, event_ids, received_at, failed_attempts)
       VALUES ($1, gen_random_uuid(), '{}', now() - interval '1 hour', 5)`,
      [company],
    );
    const gauge = async (name: string, labels = '') => {
      const text = await installation.metrics();
      const line = text.split('\n').find((each) => each.startsWith(`${name}{`) && each.includes(labels));
      return Number(line?.split(' ')[1]);
    };
    const parked = () => gauge('outcomes_batches_pending', 'state="parked"');
    const waiting = () => gauge('outcomes_batches_pending', 'state="waiting"');
    const oldest = () => gauge('outcomes_batches_oldest_seconds');
    await waitUntil('the parked batch', async () => (await parked()) === 1);
    // What is parked is not late.
    await waitUntil('the others', async () => (await waiting()) === 0 && (await oldest()) === 0);

    const holder = await holdCompany(installation, company);
    await installation.database.query(`UPDATE ingest_batches SET failed_attempts = 0 WHERE company_id = $1`, [
      company,
    ]);
    await waitUntil('the waiting batch', async () => (await oldest()) > 3_500);
    expect(await waiting()).toBe(1);
    await holder();
    await waitUntil('the end', async () => (await oldest()) === 0);
  });

  it('does the work from Postgres alone while Redis is away, and says so', async () => {
    await installation.redis.cut();
    const company = await installation.addCompany();
    await installation.ingest(company);
    await settle(installation, company, 10);
    await waitUntil('the arms', async () => (await observations(company)) === 10);
    expect(await installation.runKeys(company)).toEqual(['first-1']);
    expect(JSON.parse((await installation.management('/readyz')).text)).toMatchObject({ failing: ['redis'] });
    expect((await installation.management('/livez')).status).toBe(200);

    await installation.redis.restore();
    await waitUntil(
      'Redis to be back',
      async () => (await installation.management('/readyz')).status === 200,
    );
    await installation.ingest(company);
    await waitUntil('the newer arms', async () => (await observations(company)) === 20);
  });
});

/** Nothing of the company is processed until the function that comes back is called. */
async function holdCompany(
  { database }: WorkerInstallation,
  company: string,
): Promise<() => Promise<unknown>> {
  await database.query('SELECT pg_advisory_lock($1, hashtext($2))', [0x7f01, company]);
  return () => database.query('SELECT pg_advisory_unlock($1, hashtext($2))', [0x7f01, company]);
}
