import { Queue } from 'bullmq';
import type { Pool } from 'pg';
import { Failure } from '../local/failure.mjs';
import { within } from '../local/processes.mjs';
import { exchange, headersOf } from '../reliability/requests.ts';
import { typicalBatch } from './events.mjs';
import type { Servers } from './servers.ts';

/** Events that are accepted and processed. */
export async function fill({ apiKey, pool }: Servers, url: string, count: number) {
  for (let from = 0; from < count; from += 500) await post(url, apiKey, typicalBatch(500, from));
  await workedIn(pool);
}

export async function post(url: string, apiKey: string, body: Buffer) {
  const { status, text } = await exchange(`${url}/ingest/events`, { headers: headersOf(apiKey), body });
  if (status !== 202) throw new Failure(`an ingestion was answered ${status}: ${text.slice(0, 200)}`);
}

export async function workedIn(pool: Pool) {
  const isOver = async () =>
    (await pool.query('SELECT 1 FROM ingest_batches WHERE processed_at IS NULL LIMIT 1')).rows.length === 0;
  if (!(await within(300_000, isOver))) throw new Failure('batches were not processed');
}

export async function withAnalysisQueue<T>(
  { redis }: Servers,
  work: (queue: Queue) => Promise<T>,
): Promise<T> {
  const queue = new Queue('analysis', { connection: { url: redis }, prefix: '{outcomes}' });
  queue.on('error', () => {});
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}
