import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { isReady } from '../local/installation.mjs';
import { freePort } from '../local/ports.mjs';
import { step } from '../local/progress.mjs';
import { root } from '../local/settings.mjs';
import { interleaved, mean, overStarts } from './interleaved.ts';
import { read } from './load.ts';
import { PostgresTime, processorTimeOf } from './processor-time.mjs';
import { ratioRow, type Row } from './report.ts';
import { withServers, type Servers } from './servers.ts';
import { startShipped, type ShippedOptions } from './shipped.ts';

const requests = 6_000;
const connections = 16;
const records = 20;

/** A program under measurement. */
interface Subject {
  url: string;
  headers: Record<string, string>;
  pid: number;
  postgres: PostgresTime;
}

/** Microseconds of CPU per request: of Node, and with Postgres. */
interface Cost {
  node: number;
  total: number;
}

/** P6 and P7. */
export function measure({ rounds }: { rounds: number }): Promise<Row[]> {
  return withServers(async (servers) => {
    const length = await plantPatterns(servers);
    const results = await overStarts((suffix) => measureReads(servers, suffix, length, rounds));
    return [
      ...rowsOf(
        'P6',
        'GET /patterns with RLS read: CPU of Node and Postgres',
        1.3,
        results.map(({ read }) => read),
      ),
      ...rowsOf(
        'P7',
        'GET /patterns from the cache: CPU of Node and Postgres',
        1.35,
        results.map(({ held }) => held),
      ),
    ];
  });
}

/** What a service and its floor cost in one round. */
interface Pair {
  side: Cost;
  base: Cost;
}

function rowsOf(id: string, metric: string, gate: number, costs: readonly Pair[]) {
  const unit = 'us/request';
  return [
    ratioRow(
      { id, metric, unit, gate },
      costs.map(({ side }) => side.total),
      costs.map(({ base }) => base.total),
    ),
    ratioRow(
      { id, metric: '  of that in Node', unit },
      costs.map(({ side }) => side.node),
      costs.map(({ base }) => base.node),
    ),
  ];
}

/**
 * @param suffix Of the names of the processes.
 * @param length Characters that the document alone has.
 */
async function measureReads(
  servers: Servers,
  suffix: string,
  length: number,
  rounds: number,
): Promise<{ read: Pair; held: Pair }[]> {
  const floor = await startFloor(servers, `floor${suffix}`);
  const cached = await startReadApi(servers, { name: `read-api${suffix}` });
  const uncached = await startReadApi(servers, {
    name: `read-api-uncached${suffix}`,
    nodeArgs: ['--import', join(root, 'tools/bench/without-snapshot-cache.mjs')],
    isChanged: true,
  });
  const floorRead = { ...floor, url: `${floor.url}/read` };
  const floorHeld = { ...floor, url: `${floor.url}/held` };
  await step('Warming up', async () => {
    for (const subject of [floorRead, floorHeld, uncached, cached]) {
      await requireAnswer(subject, length);
      for (let warmUp = 0; warmUp < 5; warmUp += 1) await costOf(subject);
    }
  });
  const read = await step(`P6, ${rounds} rounds`, () => costsOf(uncached, floorRead, rounds));
  const held = await step(`P7, ${rounds} rounds`, () => costsOf(cached, floorHeld, rounds));
  return read.flatMap((pair, round) => (held[round] ? [{ read: pair, held: held[round] }] : []));
}

async function costsOf(side: Subject, base: Subject, rounds: number): Promise<Pair[]> {
  const costs = [];
  for (let round = 0; round < rounds; round += 1) {
    const inTurn = await interleaved(round, [side, base], costOf);
    const [ofSide, ofBase] = inTurn.map((slices) => ({
      node: mean(slices.map(({ node }) => node)),
      total: mean(slices.map(({ total }) => total)),
    }));
    if (ofSide && ofBase) costs.push({ side: ofSide, base: ofBase });
  }
  return costs;
}

/** @param share Of the requests of a round. */
async function costOf({ url, headers, pid, postgres }: Subject, share = 1): Promise<Cost> {
  const postgresBefore = await postgres.read();
  const before = processorTimeOf(pid);
  const count = requests * share;
  await read({ url, headers, connections, count });
  const node = (processorTimeOf(pid) - before) / count;
  return { node, total: node + (await postgres.since(postgresBefore)) / count };
}

/** @param length Characters that the document alone has. */
async function requireAnswer({ url, headers }: Subject, length: number) {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) });
  const size = (await answer.text()).length;
  if (!answer.ok || size < length)
    throw new Failure(`${url} answered ${answer.status} with ${size} bytes; the document has ${length}.`);
}

/** Twenty pattern records, as a run writes them. */
async function plantPatterns({ pool, companyId }: Servers) {
  const body = JSON.stringify(
    Array.from({ length: records }, (_, at) => ({
      ...{ companyId, code: `TA-${at + 1}`, title: 'A <b>direct</b> tone gets more replies' },
      message: `Messages with a direct tone were answered more often than others. ${'Of 4,812 messages 291 were answered. '.repeat(4)}`,
      ...{ type: 'recommendation', positive: true, tier: 3, evidence_tier: 'confirmed' },
      updated: '2026-02-03T08:00:00.000Z',
    })),
  );
  await pool.query(
    `INSERT INTO snapshots (company_id, document, run_id, data_as_of, updated_at, etag, body)
     VALUES ($1, 'patterns', $2, now(), now(), 'abcdefghijklmnopqrstuv', $3),
       ($1, 'frame', $2, now(), now(), 'abcdefghijklmnopqrstuv', $4)`,
    [companyId, randomUUID(), body, JSON.stringify(frame)],
  );
  return body.length;
}

/** What a run leaves of itself, two channels with a change each: answers say it beside their document. */
const frame = {
  analysed_at: '2026-02-03T08:00:00.000Z',
  data_as_of: '2026-02-03T07:58:00.000Z',
  engine_version: '1',
  newest_outcome_at: '2026-02-03T06:00:00.000Z',
  channels: ['email', 'linkedin'].map((channel) => ({
    ...{ channel, look_possible: true, looked_through: '2026-01-20', settled_through: '2026-01-20' },
    ...{ statistic: 2.1, threshold: 5.75, data_from: '2025-09-02', settled_replies: 310 },
    rate: { value: 0.05, ci_low: 0.045, ci_high: 0.056, n: 6_200 },
    ...{ last_sent_on: '2026-02-02', newest_outcome_at: '2026-02-03T06:00:00.000Z', recounted_at: null },
    changes: [
      {
        ...{
          channel,
          since: '2025-09-02',
          settled_on: '2025-09-18',
          told_at: '2025-10-02',
          direction: 'down',
        },
        ...{ ratio: 0.612, statistic: 8.12, scope: { kind: 'channel', value: null } },
        before: { value: 0.0622, ci_low: 0.0522, ci_high: 0.0722, n: 4_120 },
        after: { value: 0.0422, ci_low: 0.0322, ci_high: 0.0522, n: 1_412 },
      },
    ],
    ...{
      mix: { distance: 0.08, alert: false },
      volume: { ratio: 1.2, alert: false },
      campaigns: 14,
      campaigns_merged: 0,
    },
  })),
};

async function startFloor(
  { owner, redis, companyId, pool, start, pid }: Servers,
  name: string,
): Promise<Subject> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await start({
    name,
    command: [process.execPath, join(root, 'tools/floors/read.mjs')],
    cwd: root,
    env: {
      ...process.env,
      ...{ NODE_ENV: 'production', DATABASE_URL: owner, REDIS_URL: redis },
      ...{ COMPANY_ID: companyId, PORT: String(port) },
    },
    ready: () => isReady(`${url}/held`),
  });
  return { url, headers: {}, pid: pid(name), postgres: new PostgresTime(pool, 'floor') };
}

async function startReadApi(servers: Servers, options: ShippedOptions): Promise<Subject> {
  const { url, pid } = await startShipped(servers, 'read-api', options);
  const headers = { Authorization: `Bearer ${servers.apiKey}` };
  const postgres = new PostgresTime(servers.pool, 'outcomes-read-api');
  return { url: `${url}/v1/patterns`, headers, pid, postgres };
}
