import { Queue, Worker } from 'bullmq';
import pg from 'pg';
import { within } from '../local/processes.mjs';
import { withDatabase, type Installation } from './installation.ts';
import type { Section } from './section.ts';

interface Mortal {
  kill: () => Promise<unknown>;
}

/** A database of its own: nobody else's work is in the way. */
const database = 'stalled';
const runKey = '2001-01-01';
const kills = 2;
/** Redis gives a lock up after 30 s, and the workers look for jobs without one every 10 s; the second look takes them. */
const patience = 60_000;

/**
 * D10: BullMQ takes up the job of a worker that was killed, and of the next one that is killed at it. Nobody queues it
 * again, and nothing in Postgres tells of it: no batch is pending and no deletion waits.
 */
export async function verifyStalledJobs({ installation, report, progress }: Section) {
  await installation.addDatabase(database);
  const { companyId } = await installation.newTenant('Stalled jobs', database);
  const line = { promise: 'D10', limit: { exactly: 0 } };
  const bar = progress('D10 kills', kills + 1);
  const began = performance.now();
  const lost = await withHeldRuns(installation, (runs) =>
    lostJobs(installation, 'stalled', { companyId, runKey }, async (life) => {
      bar(life, `${life} of ${kills}`);
      // What a run begins with waits until the last life, so that no kill comes too late.
      await (life < kills ? runs.hold() : runs.release());
      const { life: process } = await installation.start('analysis-worker', {
        database: installation.loginTo('analysis-worker', database),
        environment: { REDIS_PREFIX: '{stalled}' },
      });
      return { kill: () => process.kill('SIGKILL') };
    }),
  );
  bar(kills + 1, '');
  const seconds = (performance.now() - began) / 1_000;
  report.check({ ...line, what: `jobs lost whose worker was killed, ${kills} times`, value: lost });
  const most = ((kills + 1) * patience) / 1_000;
  report.check({ ...line, what: 'the same: until it was done', value: seconds, limit: { most }, unit: 's' });
  const [{ runs }] = await installation.query(
    `SELECT count(*)::int AS runs FROM analysis_runs WHERE company_id = $1 AND run_key = $2 AND state = 'succeeded'`,
    ...[[companyId, runKey], database],
  );
  report.check({ ...line, what: 'runs of it that have succeeded', value: runs, limit: { exactly: 1 } });
  report.mutation({
    ...line,
    what: 'a job may be taken up once: jobs lost',
    value: await lostJobs(installation, 'stalled-once', {}, (life) => startImpatient(installation, life)),
  });
}

/**
 * Queues one job, kills each worker that has it, and lets the last do it.
 * @param prefix Of Redis.
 * @param start Starts a worker, which but for the last does not get done.
 * @returns 1 where nobody did the job in time, 0 where somebody did.
 */
async function lostJobs(
  { redisUrl }: Installation,
  prefix: string,
  data: object,
  start: (life: number) => Promise<Mortal>,
): Promise<number> {
  const queue = new Queue('analysis', { connection: { url: redisUrl }, prefix: `{${prefix}}` });
  queue.on('error', () => {});
  try {
    const { id = '' } = await queue.add('analyse', data, { attempts: 5 });
    for (let life = 0; life <= kills; life += 1) {
      const worker = await start(life);
      const isReached = async () => {
        const job = await queue.getJob(id);
        if (!job || (await job.isFailed())) return true;
        return life < kills ? job.stalledCounter === life && (await job.isActive()) : job.isCompleted();
      };
      await within(patience, isReached);
      await worker.kill();
    }
    return (await (await queue.getJob(id))?.isCompleted()) ? 0 : 1;
  } finally {
    await queue.close();
  }
}

/** A worker with the defaults of BullMQ, but for its clock: a job that stalls a second time has failed. */
async function startImpatient({ redisUrl }: Installation, life: number): Promise<Mortal> {
  const worker = new Worker('analysis', () => (life < kills ? new Promise(() => {}) : Promise.resolve()), {
    ...{ connection: { url: redisUrl }, prefix: '{stalled-once}' },
    ...{ lockDuration: 1_000, stalledInterval: 1_000, maxStalledCount: 1 },
  });
  worker.on('error', () => {});
  await worker.waitUntilReady();
  return { kill: () => worker.close(true) };
}

/** Lets runs wait for a lock as long as is wanted. */
async function withHeldRuns<T>(
  { owner }: Installation,
  work: (runs: { hold: () => Promise<void>; release: () => Promise<void> }) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: withDatabase(owner, database), query_timeout: 60_000 });
  client.on('error', () => {});
  await client.connect();
  let isHeld = false;
  const release = async () => {
    if (isHeld) await client.query('ROLLBACK');
    isHeld = false;
  };
  const hold = async () => {
    if (isHeld) return;
    isHeld = true;
    await client.query('BEGIN');
    await client.query('LOCK TABLE analysis_runs IN ACCESS EXCLUSIVE MODE');
  };
  try {
    return await work({ hold, release });
  } finally {
    await client.end();
  }
}
