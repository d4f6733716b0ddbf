import { Queue } from 'bullmq';
import { setTimeout as delay } from 'node:timers/promises';
import { typicalBatch } from '../bench/events.mjs';
import { Failure } from '../local/failure.mjs';
import { within } from '../local/processes.mjs';
import type { Installation, Tenant } from './installation.ts';
import { exchange, headersOf, seeded } from './requests.ts';
import type { Section } from './section.ts';

const patience = 120_000;

/** D8: a worker that is killed again and again leaves what an undisturbed one leaves. */
export async function verifyKilledAnalysis({ installation, report, progress, isShort }: Section) {
  const size = isShort ? { batches: 6, kills: 4 } : { batches: 40, kills: 20 };
  await installation.addDatabase('killed');
  const tenant = await installation.newTenant('Killed analyses', 'killed');
  await ingest(installation, tenant, size.batches);
  // The same company with the same pending batches, twice.
  await installation.query('CREATE DATABASE undisturbed TEMPLATE killed');
  await analyseInPeace(installation, tenant.companyId, 'undisturbed', 'kill-0');
  const bar = progress('D8 kills', size.kills);
  const kills = await analyseUnderFire(installation, tenant.companyId, size.kills, bar);
  bar(size.kills, '');
  const expected = await resultsOf(installation, 'undisturbed');
  const found = await resultsOf(installation, 'killed');
  const line = { promise: 'D8' };
  report.check({
    ...line,
    what: 'kills while an analysis was under way, none finished by the killed',
    value: kills.inAnalysis,
    limit: { least: size.kills },
  });
  report.check({
    ...line,
    what: 'kills before, while batches were processed',
    value: kills.inBatches,
    limit: { least: 1 },
  });
  report.check({
    ...line,
    what: 'documents of the undisturbed run',
    value: expected.documents.size,
    limit: { least: 10 },
  });
  report.check({
    ...line,
    what: 'documents that differ in a byte (but for the time of the run)',
    value: differences(expected.documents, found.documents),
    limit: { exactly: 0 },
  });
  report.check({
    ...line,
    what: 'touches and counts that differ',
    value: differences(expected.rows, found.rows),
    limit: { exactly: 0 },
  });
  await installation.query(
    `UPDATE cohort_counts SET touches = touches + 1 WHERE ctid = (SELECT min(ctid) FROM cohort_counts)`,
    ...[[], 'killed'],
  );
  await analyseInPeace(installation, tenant.companyId, 'killed', 'miscounted');
  const miscounted = await resultsOf(installation, 'killed');
  report.mutation({
    ...line,
    what: 'one message counted twice: documents that differ',
    value: differences(expected.documents, miscounted.documents),
    limit: { exactly: 0 },
  });
}

async function ingest(installation: Installation, { apiKey }: Tenant, batches: number) {
  const service = await installation.start('ingest-api', {
    database: installation.loginTo('ingest-api', 'killed'),
  });
  for (let at = 0; at < batches; at += 1) {
    const request = { headers: headersOf(apiKey), body: typicalBatch(500, at * 500) };
    const { status } = await exchange(`${service.url}/ingest/events`, request);
    if (status !== 202) throw new Failure(`a typical batch was answered ${status}`);
  }
  await installation.stop(service);
}

/** @param prefix Of Redis; an own one for each life. */
function startWorker(installation: Installation, database: string, prefix: string) {
  const environment = { REDIS_PREFIX: `{${prefix}}`, SWEEP_INTERVAL_MS: '100' };
  return installation.start('analysis-worker', {
    database: installation.loginTo('analysis-worker', database),
    environment,
  });
}

async function requestAnalysis(
  { redisUrl }: Installation,
  prefix: string,
  companyId: string,
  runKey: string,
) {
  const queue = new Queue('analysis', { connection: { url: redisUrl }, prefix: `{${prefix}}` });
  queue.on('error', () => {});
  await queue.add('analyse', { companyId, runKey });
  await queue.close();
}

async function analyseInPeace(
  installation: Installation,
  companyId: string,
  database: string,
  runKey: string,
) {
  const prefix = `${database}-${runKey}`;
  const worker = await startWorker(installation, database, prefix);
  const { query } = watcher(installation, database);
  const isFinished = async () =>
    (await query(`SELECT 1 FROM ingest_batches WHERE processed_at IS NULL LIMIT 1`)).length === 0;
  if (!(await within(patience, isFinished))) throw new Failure('the batches were not processed');
  await requestAnalysis(installation, prefix, companyId, runKey);
  if (!(await within(patience, async () => (await took(query, runKey)) !== undefined)))
    throw new Failure('the analysis did not end');
  // Folded beside the run once it has ended, and left to the next one by a worker that is told to stop before.
  const isFolded = async () =>
    (await query(`SELECT 1 FROM snapshots WHERE document = 'backtest'`)).length > 0;
  if (!(await within(patience, isFolded))) throw new Failure('the history was not folded');
  await installation.stop(worker);
}

/** @param wanted Kills in an analysis. */
async function analyseUnderFire(
  installation: Installation,
  companyId: string,
  wanted: number,
  bar: (done: number, text: string) => void,
) {
  // Other work on the machine makes runs slower, or faster again: as long as the last one that ended.
  let usual = (await took(watcher(installation, 'undisturbed').query, 'kill-0')) ?? patience;
  const chance = seeded(8);
  const { query } = watcher(installation, 'killed');
  const state = async (key: string) =>
    (
      await query(`SELECT state FROM analysis_runs WHERE run_key = '${key}' ORDER BY started_at DESC LIMIT 1`)
    )[0]?.state;
  let [inAnalysis, inBatches, succeeded] = [0, 0, 0];
  for (let life = 0; inAnalysis < wanted && life < 4 * wanted; life += 1) {
    const prefix = `killed-${life}`;
    const worker = await startWorker(installation, 'killed', prefix);
    const pending = await query(`SELECT count(*)::int AS n FROM ingest_batches WHERE processed_at IS NULL`);
    if (pending[0].n > 0 && inBatches < 5) {
      await delay(chance() * 400);
      await worker.life.kill('SIGKILL');
      inBatches += 1;
    } else {
      const key = `kill-${succeeded}`;
      await requestAnalysis(installation, prefix, companyId, key);
      const began = Date.now();
      while ((await state(key)) !== 'running' && Date.now() - began < 20_000) await delay(2);
      // A run taken up by its twin is "running" from before: what counts is what it has become after the kill.
      await delay(chance() * 0.9 * usual);
      await worker.life.kill('SIGKILL');
      if ((await state(key)) === 'running') inAnalysis += 1;
      else {
        usual = (await took(query, key)) ?? usual;
        succeeded += 1;
      }
    }
    await installation.stop(worker);
    bar(inAnalysis, `${inAnalysis} of ${wanted}`);
  }
  await analyseInPeace(installation, companyId, 'killed', `kill-${succeeded}`);
  return { inAnalysis, inBatches };
}

function watcher(installation: Installation, database: string) {
  return { query: (text: string) => installation.query(text, [], database) };
}

/** @returns milliseconds that a run took; undefined while it has not succeeded */
async function took(query: ReturnType<typeof watcher>['query'], runKey: string): Promise<number | undefined> {
  const [run] = await query(
    `SELECT (extract(epoch FROM finished_at - started_at) * 1000)::float8 AS ms
     FROM analysis_runs WHERE run_key = '${runKey}' AND state = 'succeeded'`,
  );
  return run?.ms;
}

/** What a run leaves, under names. */
async function resultsOf(installation: Installation, database: string) {
  const documents = await installation.query('SELECT document, etag, body FROM snapshots', [], database);
  const rows = await installation.query(
    `SELECT 'touch ' || touch_id AS name, t::text AS value FROM touches AS t
     UNION ALL SELECT concat_ws(' ', sent_day, channel, step_bucket, position), c::text FROM cohort_counts AS c`,
    ...[[], database],
  );
  return {
    documents: new Map(
      documents.map(({ document, etag, body }) => [document, `${etag} ${withoutTime(body)}`]),
    ),
    rows: new Map(rows.map(({ name, value }) => [name, value])),
  };
}

function withoutTime(body: string) {
  return JSON.stringify(JSON.parse(body), (key, value) =>
    ['updated', 'lastUpdated', 'last_updated', 'analysed_at', 'made_at'].includes(key) ? undefined : value,
  );
}

function differences(expected: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>) {
  const names = new Set([...expected.keys(), ...found.keys()]);
  return [...names].filter((name) => expected.get(name) !== found.get(name)).length;
}
