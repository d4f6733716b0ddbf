// @ts-check
import { Queue } from 'bullmq';
import { Failure } from '../local/failure.mjs';
import { freePort } from '../local/ports.mjs';
import { within } from '../local/processes.mjs';
import { root } from '../local/settings.mjs';
import { exchange, headersOf } from '../reliability/requests.mjs';
import { typicalBatch } from './events.mjs';
import { shippedCommand, shippedEnvironmentOf } from './shipped.mjs';

/** @typedef {import('./servers.mjs').Servers} Servers */

/** Events that are accepted and processed. @param {Servers} servers @param {string} url @param {number} count */
export async function fill({ apiKey, pool }, url, count) {
  for (let from = 0; from < count; from += 500) await post(url, apiKey, typicalBatch(500, from));
  await workedIn(pool);
}

/** @param {string} url @param {string} apiKey @param {Buffer} body */
export async function post(url, apiKey, body) {
  const { status, text } = await exchange(`${url}/ingest/events`, { headers: headersOf(apiKey), body });
  if (status !== 202) throw new Failure(`an ingestion was answered ${status}: ${text.slice(0, 200)}`);
}

/** @param {import('pg').Pool} pool */
export async function workedIn(pool) {
  const isOver = async () =>
    (await pool.query('SELECT 1 FROM ingest_batches WHERE processed_at IS NULL LIMIT 1')).rows.length === 0;
  if (!(await within(300_000, isOver))) throw new Failure('batches were not processed');
}

/** @template T @param {Servers} servers @param {(queue: Queue) => Promise<T>} work @returns {Promise<T>} */
export async function withAnalysisQueue({ redis }, work) {
  const queue = new Queue('analysis', { connection: { url: redis }, prefix: '{outcomes}' });
  queue.on('error', () => {});
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

/** @param {Servers} servers @param {'ingest-api' | 'analysis-worker'} app @param {string} login @returns {Promise<string>} */
export async function startApp({ redis, start }, app, login) {
  const [port, management] = [await freePort(), await freePort()];
  await start({
    name: app,
    command: shippedCommand(app),
    cwd: root,
    env: {
      ...shippedEnvironmentOf(app),
      ...{ BIND_ADDRESS: '127.0.0.1', DATABASE_URL: login, REDIS_URL: redis },
      ...{ PORT: String(port), MANAGEMENT_PORT: String(management) },
    },
    ready: () => answers(`http://127.0.0.1:${management}/readyz`),
  });
  return `http://127.0.0.1:${port}`;
}

/** @param {string} url @returns {Promise<boolean>} */
export async function answers(url) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.status === 200;
}
