import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Failure } from '../local/failure.mjs';
import { within } from '../local/processes.mjs';
import { step } from '../local/progress.mjs';
import { bodyOf, exchange, headersOf, keptConnections, smallEvents } from '../reliability/requests.ts';
import { median, ratioRow, valueRow, type Row } from './report.ts';
import { withServers, type Servers } from './servers.ts';
import { startShipped } from './shipped.ts';
import { fill, withAnalysisQueue, workedIn } from './stored-company.ts';

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

/** P14. */
export function measure({ rounds }: { rounds: number }): Promise<Row[]> {
  return withServers(async (servers) => {
    const { url: api } = await startShipped(servers, 'ingest-api');
    await startShipped(servers, 'analysis-worker');
    await step(`Taking ${kept} events`, () => fill(servers, api, kept));
    const ingestion = [];
    for (let round = 0; round < rounds; round += 1) {
      ingestion.push(
        await step(`Retention, round ${round + 1} of ${rounds}`, () => besideRetention(servers, api, round)),
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
    ];
  });
}

async function runIsOver(pool: Pool, runKey: string) {
  const isOver = async () => {
    const text = `SELECT 1 FROM analysis_runs WHERE run_key = $1 AND state = 'succeeded'`;
    return (await pool.query(text, [runKey])).rows.length > 0;
  };
  if (!(await within(300_000, isOver))) throw new Failure('the daily run did not end');
}

function percentile(values: readonly number[], share: number) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

async function besideRetention(servers: Servers, url: string, round: number) {
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
 * @returns How long each took, in milliseconds, from the time it was due.
 */
async function paced({ apiKey }: Servers, url: string, isOver: () => boolean): Promise<number[]> {
  const agent = keptConnections(64);
  const began = performance.now();
  const answers: Promise<number>[] = [];
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

function requestDailyRun(servers: Servers, runKey: string) {
  const { companyId } = servers;
  return withAnalysisQueue(servers, (queue) => queue.add('analyse', { companyId, runKey }));
}
