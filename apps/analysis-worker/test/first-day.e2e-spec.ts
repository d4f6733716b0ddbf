import { DOCUMENTS, type ContactInsights } from '@outcomes/contracts';
import { waitUntil, type ServiceProcess } from '@outcomes/testing';
import { isAnalysed, letTimePass, settle } from './passing-time';
import { WorkerInstallation } from './worker-installation';

describe('the first day of a company', () => {
  let installation: WorkerInstallation;
  let worker: ServiceProcess;

  beforeAll(async () => {
    installation = await WorkerInstallation.create();
    worker = await installation.startWorker();
    await installation.dailyRunMadeUpFor();
  });
  afterEach(() => installation.redis.restore());
  afterAll(() => installation.close());

  const messages = async (companyId: string) =>
    (await installation.document<ContactInsights>(companyId, DOCUMENTS.contactInsights))?.total_messages;
  const planned = async (companyId: string) =>
    (await installation.runKeys(companyId)).filter((key) => /^(first|growth)-/.test(key));

  it('begins with answers about all of an import, however many requests it came in', async () => {
    const company = await installation.addCompany();
    for (let request = 1; request <= 8; request += 1) {
      await installation.ingest(company);
      await waitUntil('the counts', async () => (await installation.touches(company)) === 10 * request);
      // Less than the pause: the next request is on its way. Mutation: without it the first run knows ten messages.
      await letTimePass(installation, company, 2);
      expect(await messages(company)).toBeUndefined();
    }
    await letTimePass(installation, company, 5);
    await waitUntil('the analysis', () => isAnalysed(installation, company));
    expect(await messages(company)).toBe(80);
    expect(await planned(company)).toEqual([expect.stringMatching(/^first-\d+$/)]);
  });

  it('goes on with an analysis for what comes later, when the minute is over', async () => {
    const company = await installation.addCompany();
    await installation.ingest(company);
    await settle(installation, company, 10);
    await waitUntil('the first analysis', () => isAnalysed(installation, company));
    await installation.ingest(company);
    await settle(installation, company, 20);
    const [due] = await installation.database.query<{ seconds: number }>(
      `SELECT extract(epoch FROM next_at - begun_at)::float8 AS seconds FROM analysis_plans WHERE company_id = $1`,
      [company],
    );
    expect(due?.seconds).toBeCloseTo(60, 3);
    expect(await messages(company)).toBe(10);
    await letTimePass(installation, company, 60);
    await waitUntil('the second analysis', () => isAnalysed(installation, company));
    expect(await messages(company)).toBe(20);
    expect(await planned(company)).toEqual(['first-1', 'first-2']);
  });

  it('goes on after a daily run that found nothing, and ends with one that found something', async () => {
    const company = await installation.addCompany();
    const daily = async (date: string) => {
      await installation.requestAnalysis(company, date);
      await waitUntil('the daily run', async () => (await installation.runKeys(company)).includes(date));
    };
    await daily('2026-06-01');
    await letTimePass(installation, company, 60);
    await installation.ingest(company);
    await settle(installation, company, 10);
    await waitUntil('the first analysis', async () => (await planned(company)).length === 1);
    for (let request = 0; request < 9; request += 1) await installation.ingest(company);
    await waitUntil('the counts', async () => (await installation.touches(company)) === 100);
    await daily('2026-06-02');

    // Nine of a hundred are not a tenth; the tenth one is.
    const [event] = await installation.database.query<{ sent_at: Date }>(
      'SELECT sent_at FROM outcome_events WHERE company_id = $1 LIMIT 1',
      [company],
    );
    const send = (from: number, to: number) =>
      installation.ingestEvents(
        company,
        Array.from({ length: to - from }, (_, n) => ({
          ...{ channel: 'email', sequence_step: 0, recipient_id: `late-${from + n}`, outcome: 'no_response' },
          ...{ sent_at: event?.sent_at, outcome_at: event?.sent_at },
        })),
      );
    await send(0, 9);
    await settle(installation, company, 109);
    await letTimePass(installation, company, 600);
    const [plan] = await installation.database.query(
      'SELECT next_at FROM analysis_plans WHERE company_id = $1',
      [company],
    );
    expect(plan).toEqual({ next_at: null });
    await send(9, 10);
    await settle(installation, company, 110);
    await letTimePass(installation, company, 60);
    await waitUntil('the analysis after growth', () => isAnalysed(installation, company));
    expect(await messages(company)).toBe(110);
    expect(await planned(company)).toEqual([
      expect.stringMatching(/^first-/),
      expect.stringMatching(/^growth-/),
    ]);
  });

  it('needs no Redis', async () => {
    await installation.redis.cut();
    const company = await installation.addCompany();
    for (let request = 0; request < 3; request += 1) await installation.ingest(company);
    await settle(installation, company, 30);
    await waitUntil('the analysis', () => isAnalysed(installation, company));
    expect(await messages(company)).toBe(30);
  });

  it('outlives a worker that took the analysis and died, and a Redis that forgot it', async () => {
    const company = await installation.addCompany();
    await installation.ingest(company);
    await waitUntil('the counts', async () => (await installation.touches(company)) === 10);
    await worker.stop('SIGKILL');
    // As it is between the message and the run, and in Redis nothing is left of the message.
    await installation.database.query(
      `UPDATE analysis_plans SET asked_at = clock_timestamp(), next_at = clock_timestamp() + interval '1 minute'
       WHERE company_id = $1`,
      [company],
    );
    await installation.startWorker();
    await letTimePass(installation, company, 60);
    await waitUntil('the analysis', () => isAnalysed(installation, company));
    expect(await messages(company)).toBe(10);
    expect(await planned(company)).toEqual(['first-1']);
  });

  it('is analysed once where two workers are there to do it', async () => {
    await installation.startWorker();
    const companies: string[] = [];
    while (companies.length < 10) companies.push(await installation.addCompany());
    for (const company of companies) await installation.ingest(company);
    for (const company of companies) await settle(installation, company, 10);
    for (const company of companies) await waitUntil('the analysis', () => isAnalysed(installation, company));
    const runs = await installation.database.query<{ runs: number }>(
      `SELECT count(*)::int AS runs FROM analysis_runs WHERE run_key LIKE 'first-%' AND company_id = ANY ($1)
       GROUP BY company_id`,
      [companies],
    );
    expect(runs.map(({ runs }) => runs)).toEqual(companies.map(() => 1));
  });
});
