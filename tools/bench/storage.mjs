// @ts-check
import { Queue } from 'bullmq';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../local/failure.mjs';
import { freePort } from '../local/ports.mjs';
import { within } from '../local/processes.mjs';
import { step } from '../local/progress.mjs';
import { root } from '../local/settings.mjs';
import { bodyOf, exchange, headersOf, keptConnections, smallEvents } from '../reliability/requests.mjs';
import { typicalBatch } from './events.mjs';
import { median, ratioRow, valueRow } from './report.mjs';
import { withServers } from './servers.mjs';

/** @typedef {import('./servers.mjs').Servers} Servers */

/** Three days' worth of a company that keeps five million events: one day would be over too soon to measure. */
const expired = 20_000;
const kept = 120_000;
/** Requests start at this pace whatever happens, and each has this many events. */
const everyMs = 10;
const eventsPerRequest = 20;
/** As long before the deletion as after it, so that neither side is always the later one. */
const quietMs = 5_000;
/** What the preparation has left to write down. */
const settleMs = 2_000;
const recipients = 60;
const day = 86_400_000;

/** P14 and P15. @param {{ rounds: number }} options @returns {Promise<import('./report.mjs').Row[]>} */
export function measure({ rounds }) {
  return withServers(async (servers) => {
    const api = await startApp(servers, 'ingest-api', servers.logins.ingestApi);
    await startApp(servers, 'analysis-worker', servers.logins.analysisWorker);
    await step(`Taking ${kept} events`, () => fill(servers, api, kept));
    const ingestion = [];
    for (let round = 0; round < rounds; round += 1) {
      ingestion.push(
        await step(`Retention, round ${round + 1} of ${rounds}`, () => besideRetention(servers, api, round)),
      );
    }
    const floor = await startFloor(servers);
    const erasures = [];
    for (let round = 0; round < rounds; round += 1) {
      erasures.push(
        await step(`Erasure, round ${round + 1} of ${rounds}`, () => erase(servers, api, floor, round)),
      );
    }
    return [
      ratioRow(
        { id: 'P14', metric: 'ingest p99 while expired events are deleted / without', unit: 'ms', gate: 1.3 },
        ingestion.map(({ beside }) => percentile(beside, 0.99)),
        ingestion.map(({ quiet }) => percentile(quiet, 0.99)),
      ),
      ratioRow(
        { id: 'P14', metric: '  the median of the same', unit: 'ms' },
        ingestion.map(({ beside }) => median(beside)),
        ingestion.map(({ quiet }) => median(quiet)),
      ),
      valueRow(
        { id: 'P14', metric: '  expired events deleted', unit: 'per s' },
        ingestion.map(({ seconds }) => expired / seconds),
      ),
      ratioRow(
        { id: 'P15', metric: 'erasure of a recipient on one day / bare DELETE', unit: 'ms' },
        erasures.map(({ oneDay }) => oneDay),
        erasures.map(({ bare }) => bare),
      ),
      valueRow(
        { id: 'P15', metric: '  of that whatever the days', unit: 'ms', gate: 5 },
        erasures.map(({ oneDay, fiveDays }) => oneDay - (fiveDays - oneDay) / 4),
      ),
      valueRow(
        { id: 'P15', metric: '  for each touched day', unit: 'ms', gate: 100 },
        erasures.map(({ oneDay, fiveDays }) => (fiveDays - oneDay) / 4),
      ),
    ];
  });
}

/** @param {readonly number[]} values @param {number} share */
function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** Events that are taken and worked in. @param {Servers} servers @param {string} url @param {number} count */
async function fill({ apiKey, pool }, url, count) {
  for (let from = 0; from < count; from += 500) await post(url, apiKey, typicalBatch(500, from));
  await workedIn(pool);
}

/** @param {string} url @param {string} apiKey @param {Buffer} body */
async function post(url, apiKey, body) {
  const { status, text } = await exchange(`${url}/ingest/events`, { headers: headersOf(apiKey), body });
  if (status !== 202) throw new Failure(`an ingestion was answered ${status}: ${text.slice(0, 200)}`);
}

/** @param {import('pg').Pool} pool */
async function workedIn(pool) {
  const isOver = async () =>
    (await pool.query('SELECT 1 FROM ingest_batches WHERE processed_at IS NULL LIMIT 1')).rows.length === 0;
  if (!(await within(300_000, isOver))) throw new Failure('batches were not worked in');
}

/** @param {import('pg').Pool} pool @param {string} runKey */
async function runIsOver(pool, runKey) {
  const isOver = async () => {
    const text = `SELECT 1 FROM analysis_runs WHERE run_key = $1 AND state = 'succeeded'`;
    return (await pool.query(text, [runKey])).rows.length > 0;
  };
  if (!(await within(300_000, isOver))) throw new Failure('the daily run did not end');
}

/** @param {Servers} servers @param {string} url @param {number} round */
async function besideRetention(servers, url, round) {
  const { pool, companyId } = servers;
  await fill(servers, url, expired);
  await pool.query(
    `UPDATE outcome_events SET ingested_at = now() - interval '25 months' WHERE company_id = $1 AND event_id IN
       (SELECT event_id FROM outcome_events WHERE company_id = $1 ORDER BY ingested_at DESC LIMIT $2)`,
    [companyId, expired],
  );
  await pool.query('VACUUM ANALYZE outcome_events');
  await pool.query('CHECKPOINT');
  await delay(settleMs);
  const quietly = async () => {
    const until = Date.now() + quietMs;
    const times = await paced(servers, url, () => Date.now() > until);
    await workedIn(pool);
    return times;
  };
  const before = await quietly();
  const began = performance.now();
  const runKey = `2001-01-${String(round + 1).padStart(2, '0')}`;
  await requestDailyRun(servers, runKey);
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await pool.query(
        `SELECT 1 FROM outcome_events WHERE company_id = $1 AND ingested_at < now() - interval '24 months' LIMIT 1`,
        [companyId],
      );
      isOver = rows.length === 0 || performance.now() - began > 300_000;
      await delay(100);
    }
  })();
  const beside = await paced(servers, url, () => isOver);
  await watching;
  const seconds = (performance.now() - began) / 1_000;
  await runIsOver(pool, runKey);
  return { quiet: [...before, ...(await quietly())], beside, seconds };
}

/**
 * Sends small batches at a steady pace.
 * @param {Servers} servers
 * @param {string} url
 * @param {() => boolean} isOver
 * @returns {Promise<number[]>} How long each took, in milliseconds, from the time it was due.
 */
async function paced({ apiKey }, url, isOver) {
  const agent = keptConnections(64);
  const began = performance.now();
  /** @type {Promise<number>[]} */
  const answers = [];
  while (!isOver()) {
    const due = began + answers.length * everyMs;
    await delay(Math.max(0, due - performance.now()));
    const request = { headers: headersOf(apiKey), agent, body: bodyOf(smallEvents(eventsPerRequest)) };
    answers.push(
      exchange(`${url}/ingest/events`, request).then(({ status }) => {
        if (status !== 202) throw new Failure(`an ingestion was answered ${status}`);
        return performance.now() - due;
      }),
    );
  }
  const times = await Promise.all(answers);
  agent.destroy();
  return times;
}

/** @param {Servers} servers @param {string} runKey */
async function requestDailyRun({ redis, companyId }, runKey) {
  const queue = new Queue('analysis', { connection: { url: redis }, prefix: '{outcomes}' });
  queue.on('error', () => {});
  await queue.add('analyse', { companyId, runKey });
  await queue.close();
}

/**
 * @param {Servers} servers
 * @param {string} url
 * @param {string} floor
 * @param {number} round
 * @returns {Promise<{ oneDay: number, fiveDays: number, bare: number }>} Medians, in milliseconds.
 */
async function erase({ apiKey, pool, companyId }, url, floor, round) {
  const ids = (/** @type {string} */ kind) =>
    Array.from({ length: recipients }, (_, at) => `${kind}-${round}-${at}`);
  const messages = (/** @type {string} */ recipient_id, /** @type {number} */ days) =>
    smallEvents(5, (at) => ({
      recipient_id,
      sequence_step: at,
      sent_at: iso(30 + (at % days)),
      outcome_at: iso(20),
    }));
  for (const [kind, days] of /** @type {const} */ ([
    ['one', 1],
    ['five', 5],
  ])) {
    const events = ids(kind).flatMap((id) => messages(id, days));
    for (let from = 0; from < events.length; from += 500)
      await post(url, apiKey, bodyOf(events.slice(from, from + 500)));
  }
  await workedIn(pool);
  await pool.query('TRUNCATE floor_events');
  await pool.query('INSERT INTO floor_events SELECT * FROM outcome_events');
  await pool.query('VACUUM ANALYZE');
  const agent = keptConnections(1);
  const timeOf = async (/** @type {string} */ address) => {
    const answer = await exchange(address, { method: 'DELETE', headers: headersOf(apiKey), agent });
    if (JSON.parse(answer.text).deleted !== 5)
      throw new Failure(`a deletion was answered ${answer.text.slice(0, 200)}`);
    return answer.milliseconds;
  };
  /** @type {{ oneDay: number[], fiveDays: number[], bare: number[] }} */
  const times = { oneDay: [], fiveDays: [], bare: [] };
  for (const [at, id] of ids('one').entries()) {
    times.bare.push(await timeOf(`${floor}/?company_id=${companyId}&recipient_id=${id}`));
    times.oneDay.push(await timeOf(`${url}/ingest/events?recipient_id=${id}`));
    times.fiveDays.push(await timeOf(`${url}/ingest/events?recipient_id=${ids('five')[at]}`));
  }
  agent.destroy();
  return { oneDay: median(times.oneDay), fiveDays: median(times.fiveDays), bare: median(times.bare) };
}

/** @param {number} daysAgo */
function iso(daysAgo) {
  return new Date(Date.now() - daysAgo * day).toISOString();
}

/** @param {Servers} servers @returns {Promise<string>} */
async function startFloor({ owner, pool, start }) {
  await pool.query('CREATE TABLE floor_events (LIKE outcome_events INCLUDING ALL)');
  const port = await freePort();
  await start({
    name: 'floor',
    command: [process.execPath, join(root, 'tools/floors/erasure.mjs')],
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: owner, PORT: String(port) },
    ready: () => answers(`http://127.0.0.1:${port}/`),
  });
  return `http://127.0.0.1:${port}`;
}

/** @param {Servers} servers @param {'ingest-api' | 'analysis-worker'} app @param {string} login @returns {Promise<string>} */
async function startApp({ redis, start }, app, login) {
  const [port, management] = [await freePort(), await freePort()];
  await start({
    name: app,
    command: [process.execPath, join(root, 'apps', app, 'dist/main.js')],
    cwd: root,
    env: {
      ...process.env,
      ...{ NODE_ENV: 'production', BIND_ADDRESS: '127.0.0.1', DATABASE_URL: login, REDIS_URL: redis },
      ...{ PORT: String(port), MANAGEMENT_PORT: String(management) },
    },
    ready: () => answers(`http://127.0.0.1:${management}/readyz`),
  });
  return `http://127.0.0.1:${port}`;
}

/** @param {string} url @returns {Promise<boolean>} */
async function answers(url) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.status === 200;
}
