// @ts-check
import { Queue } from 'bullmq';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../local/failure.mjs';
import { within } from '../local/processes.mjs';
import { settle } from './ledger.mjs';
import { poolOf, withDatabase } from './installation.mjs';
import { bodyOf, exchange, headersOf, smallEvents } from './requests.mjs';

/** @typedef {import('./section.mjs').Section} Section */
/** @typedef {import('./installation.mjs').Installation} Installation */

const database = 'retention';
const patience = 300_000;

/** What was kept for 24 months goes, and nobody who sends events notices. @param {Section} section */
export async function verifyRetention({ installation, report, isShort }) {
  const batches = isShort ? 4 : 20;
  await installation.addDatabase(database);
  const tenant = await installation.newTenant('Retention', database);
  await ingestLongAgo(installation, tenant, batches);
  const expired = async () =>
    (
      await installation.query(
        `SELECT count(*)::int AS n FROM outcome_events WHERE ingested_at < now() + interval '1 day'`,
        [],
        database,
      )
    )[0].n;
  if ((await expired()) !== batches * 500) throw new Failure('the old events are not stored');
  const behind = await startWorker(installation, shiftOf(23, 0));
  await dailyRun(installation, tenant.companyId, shiftOf(23, 0));
  const line = { promise: 'retention' };
  const none = { limit: { exactly: 0 } };
  report.mutation({
    ...line,
    what: 'a worker whose calendar is a month behind: expired events left',
    value: await expired(),
    ...none,
  });
  await installation.stop(behind);

  const clockShift = shiftOf(24, 1);
  const api = await installation.start('ingest-api', {
    clockShift,
    database: installation.loginTo('ingest-api', database),
  });
  await startWorker(installation, clockShift);
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
  const run = dailyRun(installation, tenant.companyId, clockShift);
  const isGone = await within(patience, async () => (await expired()) === 0);
  await delay(1_000);
  over = true;
  await clients;
  await run;
  if (!isGone) report.note('the expired events were still there after five minutes');
  const pool = poolOf(withDatabase(installation.owner, database));
  const { lost } = await settle(pool, 'outcome_events', [tenant], acknowledged);
  await pool.end();
  report.check({
    ...line,
    what: `24 months and a day later: of ${batches * 500} events left`,
    value: await expired(),
    ...none,
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
}

/** @param {Installation} installation @param {import('./installation.mjs').Tenant} tenant @param {number} batches */
async function ingestLongAgo(installation, tenant, batches) {
  const api = await installation.start('ingest-api', {
    database: installation.loginTo('ingest-api', database),
  });
  const worker = await startWorker(installation, 0);
  for (let batch = 0; batch < batches; batch += 1) {
    const request = { headers: headersOf(tenant.apiKey), body: bodyOf(smallEvents(500)) };
    const { status } = await exchange(`${api.url}/ingest/events`, request);
    if (status !== 202) throw new Failure(`an ingestion was answered ${status}`);
  }
  const isWorkedIn = async () =>
    (
      await installation.query(
        'SELECT 1 FROM ingest_batches WHERE processed_at IS NULL LIMIT 1',
        [],
        database,
      )
    ).length === 0;
  if (!(await within(patience, isWorkedIn))) throw new Failure('batches were not worked in');
  await installation.stop(api, worker);
}

/** @param {Installation} installation @param {number} clockShift */
function startWorker(installation, clockShift) {
  const environment = { SWEEP_INTERVAL_MS: '100', REDIS_PREFIX: `{shift-${clockShift}}` };
  return installation.start('analysis-worker', {
    ...{ clockShift, environment, database: installation.loginTo('analysis-worker', database) },
  });
}

/** Asks for the daily run of a company and waits for it. @param {Installation} installation @param {string} companyId @param {number} clockShift */
async function dailyRun(installation, companyId, clockShift) {
  const runKey = new Date(Date.now() + clockShift).toISOString().slice(0, 10);
  const queue = new Queue('analysis', {
    connection: { url: installation.redisUrl },
    prefix: `{shift-${clockShift}}`,
  });
  queue.on('error', () => {});
  await queue.add('analyse', { companyId, runKey });
  await queue.close();
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

/** @param {number} months @param {number} days @returns {number} Milliseconds from now until then, by the calendar. */
function shiftOf(months, days) {
  const now = new Date();
  const then = new Date(now);
  then.setUTCMonth(then.getUTCMonth() + months, then.getUTCDate() + days);
  return then.getTime() - now.getTime();
}
