// P19: what it costs to turn stored events into messages and counts, compared with a bare program that does the same.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Pool } from 'pg';
import { Failure } from '../local/failure.mjs';
import { step } from '../local/progress.mjs';
import { root, serviceEnvironmentOf } from '../local/settings.mjs';
import { PostgresTime, processorTimeOf } from './processor-time.mjs';
import { ratioRow, valueRow, type Row } from './report.ts';
import { withServers, type Servers } from './servers.ts';
import { shippedNodeArgsOf } from './shipped.ts';

/** CPU microseconds per event. */
interface Cost {
  node: number;
  postgres: number;
  total: number;
  seconds: number;
  features?: number;
}
type Program = Awaited<ReturnType<typeof startProgram>>;

/** Events of a company that is counted; two groups of the largest size. */
const events = Number(process.env['BENCH_COUNTING_EVENTS'] ?? 40_000);
const program = join(root, 'tools/bench/counting-worker.mjs');
/** BENCH_COUNTING_BATCHES=1: a transaction for every batch, which has to fail. */
const flags = process.env['BENCH_COUNTING_BATCHES'] === '1' ? ['--one-batch-a-transaction'] : [];

/** P19. */
export function measure({ rounds }: { rounds: number }): Promise<Row[]> {
  return withServers(async (servers) => {
    await servers.pool.query(`CREATE TABLE floor_touches (LIKE touches INCLUDING ALL);
      CREATE TABLE floor_counts (LIKE cohort_counts INCLUDING ALL);
      CREATE TABLE floor_campaigns (LIKE campaigns INCLUDING ALL);
      CREATE TABLE floor_days (LIKE campaign_days INCLUDING ALL);
      CREATE TABLE floor_cells (LIKE campaign_cells INCLUDING ALL);
      CREATE TABLE floor_outcomes (LIKE campaign_outcomes INCLUDING ALL);
      CREATE TABLE floor_texts (LIKE campaign_texts INCLUDING ALL);
      CREATE TABLE floor_subjects (LIKE campaign_subjects INCLUDING ALL);
      CREATE TABLE floor_suppressions (LIKE suppression_list INCLUDING ALL);
      CREATE TABLE floor_batches (LIKE ingest_batches)`);
    // It would analyze and clean when it thinks fit, in one round and not in the next.
    await servers.pool.query('ALTER SYSTEM SET autovacuum = off');
    await servers.pool.query('SELECT pg_reload_conf()');
    const { logins, owner, redis, pool } = servers;
    const store = await startProgram([program, 'bench-store'], {
      DATABASE_URL: logins.ingestApi,
      REDIS_URL: redis,
    });
    const worker = await startProgram(
      [...shippedNodeArgsOf('analysis-worker'), program, 'bench-worker', ...flags],
      {
        ...serviceEnvironmentOf('analysis-worker'),
        ...{ DATABASE_URL: logins.analysisWorker, REDIS_URL: redis },
      },
      new PostgresTime(pool, 'bench-worker'),
    );
    const floor = await startProgram(
      [join(root, 'tools/floors/counting.mjs')],
      { DATABASE_URL: owner },
      new PostgresTime(pool, 'floor'),
    );
    const results: { service: Cost; floor: Cost }[] = [];
    const idle = worker.memory('VmRSS');
    // The first round, which is not counted, has everything compiled.
    for (let round = -1; round < rounds; round += 1) {
      const name = round < 0 ? 'Warming up' : `Counting, round ${round + 1} of ${rounds}`;
      const result = await step(name, async () => {
        const companyId = await fill(servers, store, round);
        const costs = await inTurn(round, companyId, worker, floor);
        await checkSame(pool, companyId);
        return costs;
      });
      if (round >= 0) results.push(result);
    }
    const peak = worker.memory('VmHWM');
    for (const started of [store, worker, floor]) started.stop();
    const line = (metric: string) => ({ id: 'P19', metric, unit: 'us/event' });
    const service = (read: (cost: Cost) => number) => results.map((result) => read(result.service));
    const bare = (read: (cost: Cost) => number) => results.map((result) => read(result.floor));
    return [
      ratioRow(
        { ...line('counting stored events: CPU of worker and Postgres'), gate: 1.5 },
        service(({ total }) => total),
        bare(({ total }) => total),
      ),
      ratioRow(
        line('  of that in the worker'),
        service(({ node }) => node),
        bare(({ node }) => node),
      ),
      ratioRow(
        line('  of that in Postgres'),
        service(({ postgres }) => postgres),
        bare(({ postgres }) => postgres),
      ),
      valueRow(
        line('  finding features, which both do'),
        bare(({ features }) => features ?? NaN),
      ),
      valueRow(
        { id: 'P19', metric: '  events counted on one worker', unit: 'per s' },
        service(({ seconds }) => events / seconds),
      ),
      valueRow({ id: 'P19', metric: '  resident memory of the worker, idle', unit: 'MB' }, [idle]),
      valueRow({ id: 'P19', metric: '  at most while it counts', unit: 'MB', gate: 256 }, [peak]),
    ];
  });
}

/**
 * A new company whose events wait to be counted. Postgres has statistics of those before it and none of this one: so it
 * is when a company brings its history along, and a plan that scans all that a company has would go unseen otherwise.
 */
async function fill({ pool }: Servers, store: Program, round: number) {
  const companyId = randomUUID();
  const own = [companyId];
  await pool.query(`INSERT INTO companies (company_id, name, time_zone) VALUES ($1, 'Counted', 'UTC')`, own);
  await pool.query('VACUUM ANALYZE');
  await store.ask({ run: 'store', companyId, count: events, seed: round + 2 });
  await pool.query('INSERT INTO floor_batches SELECT * FROM ingest_batches WHERE company_id = $1', own);
  await pool.query('CHECKPOINT');
  return companyId;
}

/** The order changes from round to round. */
async function inTurn(round: number, companyId: string, worker: Program, floor: Program) {
  const ask = { run: 'count', companyId };
  if (round % 2 === 0) return { service: await worker.cost(ask), floor: await floor.cost(ask) };
  const first = await floor.cost(ask);
  return { service: await worker.cost(ask), floor: first };
}

/** A floor that does less than the service would be none. */
async function checkSame(pool: Pool, companyId: string) {
  const touch = `touch_id, channel, sequence_step, position, outcome, outcome_at, outcome_is_exact, streamed, sent_day,
    sent_hour, sent_at, levels, recipient_id, thread_id, campaign_id, recipient_hash, recipient_position, industry, opened,
    meeting_booked, silent_at, replied_at, bounced_at, unsubscribed_at, opened_at, meeting_booked_at,
    text_id, subject_id`;
  const counts = `sent_day, channel, step_bucket, position, touches, replies, bounces, unsubscribes, opens, meetings,
    streamed, last_outcome_at, level_touches, level_replies, hour_touches, hour_replies, reply_delays`;
  for (const [columns, floor, table] of [
    [touch, 'floor_touches', 'touches'],
    [counts, 'floor_counts', 'cohort_counts'],
    ['campaign, campaign_id, touches', 'floor_campaigns', 'campaigns'],
    ['channel, sent_day, counts', 'floor_days', 'campaign_days'],
    ['campaign, fortnight, counts', 'floor_cells', 'campaign_cells'],
    ['campaign, fortnight, counts', 'floor_outcomes', 'campaign_outcomes'],
    ['campaign, shard, counts', 'floor_texts', 'campaign_texts'],
    ['campaign, shard, counts', 'floor_subjects', 'campaign_subjects'],
    [
      `change, reason, bounce, recipient_id, recipient_sha, recipient_hash, channel,
        CASE WHEN change = 'added' THEN since END AS since`,
      'floor_suppressions',
      'suppression_list',
    ],
  ] as const) {
    const of = (name: string) => `SELECT ${columns} FROM ${name} WHERE company_id = $1`;
    const count = (rows: string) => `(SELECT count(*)::int FROM (${rows}) AS counted)`;
    const { rows } = await pool.query(
      `SELECT ${count(of(table))} AS there, ${count(of(floor))} AS here,
         ${count(`${of(table)} INTERSECT ${of(floor)}`)} AS same`,
      [companyId],
    );
    const { here, same, there } = rows[0];
    if (here === 0 || here !== same || here !== there)
      throw new Failure(`Of ${there} ${table}, ${same} are as the floor has them, who has ${here}.`);
  }
}

/** A program that answers each line with a line. */
async function startProgram(args: string[], environment: Record<string, string>, postgres?: PostgresTime) {
  const child = spawn(process.execPath, args, {
    ...{ cwd: root, stdio: ['pipe', 'pipe', 'inherit'] },
    env: { ...process.env, NODE_ENV: 'production', ...environment },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Failure(`${args.join(' ')} has stopped.`);
      if (String(value).startsWith('answer')) return String(value).slice('answer'.length);
      console.error(value);
    }
  };
  await next();
  const pid = child.pid ?? 0;
  const ask = async (command: object) => {
    child.stdin.write(`${JSON.stringify(command)}\n`);
    return JSON.parse(await next());
  };
  return {
    ask,
    stop: () => child.kill(),
    memory: (field: 'VmRSS' | 'VmHWM') =>
      (Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) *
        1_024) /
      1e6,
    async cost(command: object): Promise<Cost> {
      const [inNode, inPostgres, began] = [processorTimeOf(pid), await postgres?.read(), performance.now()];
      const { events: done, features } = await ask(command);
      const seconds = (performance.now() - began) / 1_000;
      if (done !== events) throw new Failure(`${done} events of ${events} were counted.`);
      const node = (processorTimeOf(pid) - inNode) / events;
      const database = ((await postgres?.since(inPostgres ?? new Map())) ?? 0) / events;
      return {
        node,
        postgres: database,
        total: node + database,
        seconds,
        features: features && features / events,
      };
    },
  };
}
