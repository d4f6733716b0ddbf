import { Queue } from 'bullmq';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../local/failure.mjs';
import { within } from '../local/processes.mjs';
import { settle } from './ledger.ts';
import { poolOf, withDatabase, type Installation, type Tenant } from './installation.ts';
import { bodyOf, exchange, headersOf, smallEvents } from './requests.ts';
import type { Section } from './section.ts';

const database = 'retention';
const prefix = '{retention}';
const patience = 300_000;
const day = 86_400_000;
/** How far ahead a clock is that is wrong. */
const ahead = 800 * day;

/** What was kept for 24 months goes, and nobody who sends events notices. */
export async function verifyRetention({ installation, report, isShort }: Section) {
  const batches = isShort ? 4 : 20;
  await installation.addDatabase(database);
  const tenant = await installation.newTenant('Retention', database);
  await ingestLongAgo(installation, tenant, batches);
  const held = batches * 500;
  const count = async (where: string) =>
    (await installation.query(`SELECT count(*)::int AS n FROM outcome_events ${where}`, [], database))[0].n;
  const old = () => count(`WHERE ingested_at < now() - interval '22 months'`);
  const all = () => count('');
  await age(installation, '23 months');
  if ((await old()) !== held) throw new Failure('the old events are not stored');
  const line = { promise: 'retention' };
  const none = { limit: { exactly: 0 } };
  const worker = await startWorker(installation);
  await dailyRun(installation, tenant.companyId, 0);
  report.check({
    ...line,
    what: `of ${held} events kept for 23 months, gone`,
    value: held - (await old()),
    ...none,
  });
  await installation.stop(worker);
  await tryWithWrongClock(installation, tenant.companyId);
  report.check({
    ...line,
    what: 'a worker that is 800 days ahead: events gone',
    value: held - (await old()),
    ...none,
  });

  await age(installation, '1 month 1 day');
  const api = await installation.start('ingest-api', {
    database: installation.loginTo('ingest-api', database),
  });
  const ordinary = await startWorker(installation);
  const acknowledged = new Map();
  let [others, over, slowest] = [0, false, 0];
  const client = async () => {
    while (!over) {
      const events = smallEvents(50);
      const request = { headers: headersOf(tenant.apiKey), body: bodyOf(events) };
      const answer = await exchange(`${api.url}/ingest/events`, request).catch(() => undefined);
      slowest = Math.max(slowest, answer?.milliseconds ?? Infinity);
      if (answer?.status !== 202) others += 1;
      else for (const { event_id } of events) acknowledged.set(event_id, tenant.companyId);
      await delay(100);
    }
  };
  const clients = Promise.all([client(), client()]);
  await delay(500);
  let mostShare = 0;
  let left = held;
  for (let later = 2; left > 0 && later < 40; later += 1) {
    await dailyRun(installation, tenant.companyId, later);
    const after = await old();
    const gone = left - after;
    if (gone > 1_000) mostShare = Math.max(mostShare, gone / (gone + (await all())));
    left = after;
  }
  await delay(1_000);
  over = true;
  await clients;
  const pool = poolOf(withDatabase(installation.owner, database));
  const { lost } = await settle(pool, 'outcome_events', [tenant], acknowledged);
  await pool.end();
  report.check({
    ...line,
    what: `24 months and a day later: of ${held} events left after the daily runs of some days`,
    value: await old(),
    ...none,
  });
  report.check({
    ...line,
    what: 'most that one run deleted above a thousand events, in hundredths of what was held',
    value: Math.round(100 * mostShare),
    limit: { most: 20 },
  });
  const [{ orphans }] = await installation.query(
    `SELECT (SELECT count(*) FROM touches WHERE sent_at < now() - interval '19 days' AND NOT EXISTS
       (SELECT FROM outcome_events AS event WHERE event.company_id = touches.company_id AND event.touch_id = touches.touch_id))::int AS orphans`,
    ...[[], database],
  );
  report.check({ ...line, what: 'messages left that no event tells of', value: orphans, ...none });
  report.check({
    ...line,
    what: 'events ingested meanwhile',
    value: acknowledged.size,
    limit: { least: 100 },
  });
  report.check({ ...line, what: 'ingestions meanwhile not answered 202', value: others, ...none });
  report.check({ ...line, what: 'events ingested meanwhile and lost', value: lost, ...none });
  report.note(`slowest ingestion meanwhile: ${slowest.toFixed(0)} ms`);
  await installation.stop(ordinary);
  const before = await all();
  await startWorker(installation, {
    clockShift: ahead,
    environment: { MAX_CLOCK_SKEW_MS: String(2 * ahead) },
  });
  await dailyRun(installation, tenant.companyId, 800);
  report.mutation({
    ...line,
    what: 'a worker that is 800 days ahead and compares no clocks: events gone',
    value: before - (await all()),
    ...none,
  });
}

async function ingestLongAgo(installation: Installation, tenant: Tenant, batches: number) {
  const api = await installation.start('ingest-api', {
    database: installation.loginTo('ingest-api', database),
  });
  const worker = await startWorker(installation);
  for (let batch = 0; batch < batches; batch += 1) {
    const request = { headers: headersOf(tenant.apiKey), body: bodyOf(smallEvents(500)) };
    const { status } = await exchange(`${api.url}/ingest/events`, request);
    if (status !== 202) throw new Failure(`an ingestion was answered ${status}`);
  }
  const isProcessed = async () =>
    (
      await installation.query(
        'SELECT 1 FROM ingest_batches WHERE processed_at IS NULL LIMIT 1',
        [],
        database,
      )
    ).length === 0;
  if (!(await within(patience, isProcessed))) throw new Failure('batches were not processed');
  await installation.stop(api, worker);
}

/** A worker that is 800 days ahead takes the daily run, and lets go of it. */
async function tryWithWrongClock(installation: Installation, companyId: string) {
  const wrong = await startWorker(installation, { clockShift: ahead, awaitsReady: false });
  const { id } = await ask(installation, companyId, 1);
  const queue = queueOf(installation);
  const isPutOff = await within(patience, async () => (await queue.getJobState(id)) === 'delayed');
  await queue.close();
  await installation.stop(wrong);
  if (!isPutOff) throw new Failure('a worker whose clock is wrong did not let go of the daily run');
}

/** Lets what is stored have been ingested so much earlier. */
async function age(installation: Installation, interval: string) {
  await installation.query(
    `UPDATE outcome_events SET ingested_at = ingested_at - $1::interval`,
    [interval],
    database,
  );
}

function startWorker(
  installation: Installation,
  {
    environment = {},
    ...options
  }: { clockShift?: number; environment?: Record<string, string>; awaitsReady?: boolean } = {},
) {
  return installation.start('analysis-worker', {
    ...options,
    environment: { SWEEP_INTERVAL_MS: '100', REDIS_PREFIX: prefix, ...environment },
    database: installation.loginTo('analysis-worker', database),
  });
}

function queueOf(installation: Installation) {
  const queue = new Queue('analysis', { connection: { url: installation.redisUrl }, prefix });
  queue.on('error', () => {});
  return queue;
}

/** Asks for the daily run of a company. @param later in days */
async function ask(installation: Installation, companyId: string, later: number) {
  const runKey = new Date(Date.now() + later * day).toISOString().slice(0, 10);
  const queue = queueOf(installation);
  const { id = '' } = await queue.add('analyse', { companyId, runKey });
  await queue.close();
  return { runKey, id };
}

/** The same, and waits for it. */
async function dailyRun(installation: Installation, companyId: string, later: number) {
  const { runKey } = await ask(installation, companyId, later);
  const isOver = async () =>
    (
      await installation.query(
        `SELECT 1 FROM analysis_runs WHERE run_key = $1 AND state = 'succeeded'`,
        [runKey],
        database,
      )
    ).length > 0;
  if (!(await within(patience, isOver))) throw new Failure('the daily run did not end');
}
