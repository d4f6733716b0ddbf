import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../local/failure.mjs';
import { within } from '../local/processes.mjs';
import type { Installation } from './installation.ts';
import type { Section } from './section.ts';

const lead = 20_000;

/** D9: Redis forgets everything, the schedule included, before the daily run is due. */
export async function verifyDailyRun({ installation, report, isShort }: Section) {
  const companies = isShort ? 30 : 250;
  await installation.addDatabase('daily');
  await installation.query(
    `INSERT INTO companies (company_id, name) SELECT gen_random_uuid(), 'Company ' || n FROM generate_series(1, $1) AS n`,
    ...[[companies], 'daily'],
  );
  const line = { promise: 'D9' };
  const real = await forget(installation, companies, { isMended: true });
  report.check({
    ...line,
    what: `companies of ${companies} without their daily run after FLUSHALL`,
    value: real.missing,
    limit: { exactly: 0 },
  });
  report.check({
    ...line,
    what: 'seconds from the time it was due to the last company',
    value: real.seconds,
    limit: { most: 60 },
    unit: 's',
  });
  await installation.query('DELETE FROM analysis_runs', [], 'daily');
  const broken = await forget(installation, companies, { isMended: false });
  report.mutation({
    ...line,
    what: 'a schedule that nobody puts back: companies without their run',
    value: broken.missing,
    limit: { exactly: 0 },
  });
}

/** @param options `isMended: false` looks at the schedule once an hour, that is, not any more. */
async function forget(installation: Installation, companies: number, { isMended }: { isMended: boolean }) {
  const redis = new Redis(installation.redisUrl);
  redis.on('error', () => {});
  const queue = new Queue('analysis', { connection: { url: installation.redisUrl }, prefix: '{outcomes}' });
  queue.on('error', () => {});
  try {
    const due = new Date(Math.ceil((Date.now() + lead) / 1_000) * 1_000);
    const cron = `${due.getUTCSeconds()} ${due.getUTCMinutes()} ${due.getUTCHours()} * * *`;
    const start = (interval: string) =>
      installation.start('analysis-worker', {
        database: installation.loginTo('analysis-worker', 'daily'),
        environment: { DAILY_ANALYSIS_CRON: cron, SWEEP_INTERVAL_MS: interval },
      });
    const worker = await start('100');
    const isPlanned = async () =>
      (await queue.getJobSchedulers()).some((schedule) => schedule?.pattern === cron);
    if (!(await within(lead / 2, isPlanned))) throw new Failure('the worker planned no daily run');
    if (!isMended) {
      await installation.stop(worker);
      await start('3600000');
    }
    await redis.flushall();
    if (Date.now() >= due.getTime()) throw new Failure('the daily run was due before Redis forgot');
    await delay(due.getTime() - Date.now());
    const runKey = due.toISOString().slice(0, 10);
    const missing = async () => {
      const [row] = await installation.query(
        `SELECT count(*)::int AS n FROM companies WHERE company_id NOT IN
           (SELECT company_id FROM analysis_runs WHERE run_key = $1 AND state = 'succeeded')`,
        ...[[runKey], 'daily'],
      );
      return row.n;
    };
    await within(isMended ? 60_000 : 8_000, async () => (await missing()) === 0);
    return { missing: await missing(), seconds: (Date.now() - due.getTime()) / 1_000 };
  } finally {
    await installation.stop();
    await queue.close();
    redis.disconnect();
  }
}
