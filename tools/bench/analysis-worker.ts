// The analysis worker as a process of its own, and what an analysis costs it and Postgres.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { Failure } from '../local/failure.mjs';
import { root } from '../local/settings.mjs';
import { PostgresTime, processorTimeOf } from './processor-time.mjs';
import type { Servers } from './servers.ts';
import { startShipped } from './shipped.ts';

const { Queue }: typeof import('bullmq') = createRequire(join(root, 'libs/queues/package.json'))('bullmq');

/** CPU milliseconds. */
export interface Cost {
  node: number;
  postgres: number;
  total: number;
}

export type Worker = Awaited<ReturnType<typeof startWorker>>;

export async function startWorker(servers: Servers, name: string) {
  const { pid, pool, redis } = servers;
  await startShipped(servers, 'analysis-worker', {
    name,
    environment: {
      // Each worker has a queue of its own, so that the job goes to the one that is measured.
      REDIS_PREFIX: name,
      SWEEP_INTERVAL_MS: '600000',
      DATABASE_STATEMENT_TIMEOUT_MS: '300000',
    },
  });
  const queue = new Queue('analysis', { connection: { url: redis }, prefix: name });
  const postgres = new PostgresTime(pool, 'analysis-worker');
  const memory = (field: string) =>
    Number(readFileSync(`/proc/${pid(name)}/status`, 'utf8').match(new RegExp(`${field}:\\s+(\\d+)`))?.[1]) /
    1_024;
  return {
    stop: () => queue.close(),
    idleMemory: memory('VmRSS'),
    peakMemory: () => memory('VmHWM'),
    /** @returns Until the run is published; `job` with what comes after. */
    async analyse(companyId: string): Promise<Cost & { memory: number; job: number }> {
      const [inPostgres, inNode] = [await postgres.read(), processorTimeOf(pid(name))];
      const cost = async () => {
        const node = (processorTimeOf(pid(name)) - inNode) / 1_000;
        const inDatabase = (await postgres.since(inPostgres)) / 1_000;
        return { node, postgres: inDatabase, total: node + inDatabase };
      };
      const runKey = `manual-${randomUUID()}`;
      await queue.add('analyse', { companyId, runKey });
      await state(pool, { companyId, runKey }, 'published');
      const run = { ...(await cost()), memory: memory('VmHWM') };
      // What is still at work would be taken for the next run's: Postgres may be busy while the process rests.
      await state(pool, { companyId, runKey }, 'decided');
      await settled(pid(name));
      return { ...run, job: (await cost()).total };
    },
  };
}

/** Waits until the documents of a run stand, or until the decisions that follow it are made. */
async function state(
  pool: Pool,
  { companyId, runKey }: { companyId: string; runKey: string },
  wanted: 'published' | 'decided',
) {
  for (const deadline = performance.now() + 600_000; performance.now() < deadline;) {
    const { rows } = await pool.query(
      'SELECT state, decisions_made_at FROM analysis_runs WHERE company_id = $1 AND run_key = $2',
      [companyId, runKey],
    );
    const [run] = rows;
    if (run?.state === 'succeeded' && (wanted === 'published' || run.decisions_made_at)) return;
    if (run?.state === 'failed') break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Failure(`The analysis ${runKey} was not ${wanted}.`);
}

/** What a job does after its run has ended belongs to it: waits until the process rests. */
export async function settled(pid: number) {
  const deadline = performance.now() + 60_000;
  for (let quiet = 0, before = processorTimeOf(pid); quiet < 4 && performance.now() < deadline;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const now = processorTimeOf(pid);
    quiet = now - before < 2_000 ? quiet + 1 : 0;
    before = now;
  }
}
