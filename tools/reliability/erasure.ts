import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { typicalBatch } from '../bench/events.mjs';
import { Failure } from '../local/failure.mjs';
import { within } from '../local/processes.mjs';
import type { Installation, Tenant } from './installation.ts';
import { bodyOf, exchange, headersOf, smallEvents } from './requests.ts';
import type { Section } from './section.ts';

interface Canary {
  token: string;
  needles: string[];
}
interface Scene {
  installation: Installation;
  url: string;
  tenant: Tenant;
}

const database = 'erasure';
const patience = 60_000;

/** A recipient who was deleted is nowhere, also where an analysis was under way. */
export async function verifyErasure({ installation, report, isShort }: Section) {
  await installation.addDatabase(database);
  const tenant = await installation.newTenant('Erasure', database);
  const api = await installation.start('ingest-api', {
    database: installation.loginTo('ingest-api', database),
  });
  await installation.start('analysis-worker', {
    ...{
      database: installation.loginTo('analysis-worker', database),
      environment: { SWEEP_INTERVAL_MS: '100' },
    },
  });
  const scene = { installation, url: api.url, tenant };
  for (let at = 0; at < (isShort ? 5 : 30); at += 1) await post(scene, typicalBatch(500, at * 500));
  const line = { promise: 'erasure' };
  const none = { limit: { exactly: 0 } };

  const first = await plant(scene);
  const before = await search(installation, first.needles);
  report.check({
    ...line,
    what: 'before: tables in which the search finds the canary',
    value: before.tables.length,
    limit: { least: 2 },
  });
  const idle = await erase(scene, first, () => Promise.resolve());
  report.check({
    ...line,
    what: 'ms from the request until no event of the recipient is left',
    value: Math.round(idle.gone),
    limit: { most: 1_000 },
    unit: 'ms',
  });
  report.check({
    ...line,
    what: 'rows of any table and keys of Redis with a trace, after the re-analysis',
    value: idle.traces,
    ...none,
  });

  const second = await plant(scene);
  const busy = await erase(scene, second, () => untilAnalysing(scene));
  report.check({
    ...line,
    what: 'the same while an analysis is under way: ms until no event is left',
    value: Math.round(busy.gone),
    limit: { most: 1_000 },
    unit: 'ms',
  });
  report.check({ ...line, what: 'the same: rows and keys with a trace', value: busy.traces, ...none });

  const third = await plant(scene);
  await installation.query(
    `DELETE FROM outcome_events WHERE recipient_id = $1`,
    [`${third.token}-id`],
    database,
  );
  await analyse(scene, 'manual-after-mutation');
  const left = await search(installation, third.needles);
  report.mutation({
    ...line,
    what: 'events deleted and nothing else: rows and keys with a trace',
    value: left.rows,
    ...none,
  });
}

async function post({ url, tenant }: Scene, body: Buffer) {
  const { status, text } = await exchange(`${url}/ingest/events`, {
    headers: headersOf(tenant.apiKey),
    body,
  });
  if (status !== 202) throw new Failure(`an ingestion was answered ${status}: ${text.slice(0, 200)}`);
}

/** Events of a recipient with a word of its own in every field, processed and analysed. */
async function plant(scene: Scene): Promise<Canary> {
  const token = `canary${randomBytes(8).toString('hex')}`;
  const events = smallEvents(6, (at) => ({
    ...{
      recipient_id: `${token}-id`,
      recipient_email: `${token}@example.com`,
      recipient_position: `Chief ${token}`,
    },
    ...{
      thread_id: `${token}-thread`,
      sequence_step: at,
      subject: `Hello ${token}`,
      body: `Dear ${token}, a word.`,
    },
    ...{
      body_excerpt: `Dear ${token}`,
      industry: `${token} industry`,
      outcome: at === 0 ? 'responded' : 'no_response',
    },
    metadata: { campaign_id: `${token}-campaign`, first_name: token },
  }));
  await post(scene, bodyOf(events));
  await analyse(scene, `manual-${randomUUID()}`);
  const stored = await scene.installation.query(
    ...[
      'SELECT event_id, touch_id, recipient_hash FROM outcome_events WHERE recipient_id = $1',
      [`${token}-id`],
      database,
    ],
  );
  if (stored.length !== events.length) throw new Failure('the canary is not stored');
  // Whatever was derived from it names it, too.
  const derived = new Set(stored.flatMap((row) => [row.event_id, row.touch_id, row.recipient_hash]));
  return { token, needles: [token, ...[...derived].filter(Boolean).map(String)] };
}

/** Waits until what is pending is processed, then for one more analysis. */
async function analyse(scene: Scene, runKey: string) {
  const { installation, tenant } = scene;
  const isProcessed = async () =>
    (
      await installation.query(
        'SELECT 1 FROM ingest_batches WHERE processed_at IS NULL LIMIT 1',
        [],
        database,
      )
    ).length === 0;
  if (!(await within(patience, isProcessed))) throw new Failure('batches were not processed');
  await request(installation, tenant.companyId, runKey);
  if (!(await within(patience, async () => (await stateOf(installation, runKey)) === 'succeeded')))
    throw new Failure('an analysis did not end');
}

async function request({ redisUrl }: Installation, companyId: string, runKey: string) {
  const queue = new Queue('analysis', { connection: { url: redisUrl }, prefix: '{outcomes}' });
  queue.on('error', () => {});
  await queue.add('analyse', { companyId, runKey }, { removeOnComplete: true });
  await queue.close();
}

/** @param runKey As a LIKE pattern. */
async function stateOf(installation: Installation, runKey: string): Promise<string | undefined> {
  const rows = await installation.query(
    ...[
      'SELECT state FROM analysis_runs WHERE run_key LIKE $1 ORDER BY started_at DESC LIMIT 1',
      [runKey],
      database,
    ],
  );
  return rows[0]?.state;
}

/** Returns in the middle of an analysis. */
async function untilAnalysing({ installation, tenant }: Scene) {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const runKey = `beside-${attempt}`;
    await request(installation, tenant.companyId, runKey);
    const began = Date.now();
    while (Date.now() - began < 5_000) {
      const state = await stateOf(installation, runKey);
      if (state === 'running') return;
      if (state === 'succeeded') break;
      await delay(1);
    }
  }
  throw new Failure('no analysis was met under way');
}

/** @param meanwhile What has to be under way. */
async function erase(scene: Scene, { token, needles }: Canary, meanwhile: () => Promise<void>) {
  const { installation, url, tenant } = scene;
  const events = () =>
    installation.query(
      'SELECT 1 FROM outcome_events WHERE recipient_id = $1 LIMIT 1',
      [`${token}-id`],
      database,
    );
  const runs = async () =>
    (
      await installation.query(
        `SELECT count(*)::int AS n FROM analysis_runs WHERE run_key LIKE 'erasure-%' AND state = 'succeeded'`,
        [],
        database,
      )
    )[0].n;
  const before = await runs();
  await meanwhile();
  const began = performance.now();
  const answer = await exchange(`${url}/ingest/events?recipient_id=${token}-id`, {
    method: 'DELETE',
    headers: headersOf(tenant.apiKey),
  });
  if (answer.status !== 200) throw new Failure(`the deletion was answered ${answer.status}`);
  await within(10_000, async () => (await events()).length === 0);
  const gone = performance.now() - began;
  const isOver = async () => (await runs()) > before && (await stateOf(installation, '%')) !== 'running';
  if (!(await within(patience, isOver))) throw new Failure('no re-analysis followed the deletion');
  const { rows } = await search(installation, needles);
  return { gone, traces: rows };
}

/** Looks through every column of every table, and through every key of Redis. */
async function search(
  installation: Installation,
  needles: readonly string[],
): Promise<{ rows: number; tables: string[] }> {
  const tables = await installation.query(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    ...[[], database],
  );
  // A row as text has all its columns as text; what is bytea there is hexadecimal.
  const patterns = needles.flatMap((needle) => [`%${needle}%`, `%${Buffer.from(needle).toString('hex')}%`]);
  const found = [];
  for (const { name } of tables) {
    const [{ n }] = await installation.query(
      `SELECT count(*)::int AS n FROM ${name} AS one WHERE one::text LIKE ANY ($1)`,
      ...[[patterns], database],
    );
    if (n > 0) found.push({ name, n });
  }
  const keys = await redisKeysWith(installation.redisUrl, needles);
  return { rows: found.reduce((sum, { n }) => sum + n, keys), tables: found.map(({ name }) => name) };
}

/** How many keys name one of them. */
export async function redisKeysWith(url: string, needles: readonly string[]): Promise<number> {
  const redis = new Redis(url);
  try {
    let count = 0;
    for (const key of await redis.keys('*')) {
      // DUMP may compress; the commands for reading do not.
      const type = await redis.type(key);
      const value =
        type === 'string'
          ? await redis.get(key)
          : type === 'hash'
            ? await redis.hgetall(key)
            : type === 'list'
              ? await redis.lrange(key, 0, -1)
              : type === 'set'
                ? await redis.smembers(key)
                : type === 'zset'
                  ? await redis.zrange(key, 0, -1)
                  : await redis.xrange(key, '-', '+');
      const text = `${key} ${JSON.stringify(value)}`;
      if (needles.some((needle) => text.includes(needle))) count += 1;
    }
    return count;
  } finally {
    redis.disconnect();
  }
}
