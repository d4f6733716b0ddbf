import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { isReady } from '../local/installation.mjs';
import { freePort } from '../local/ports.mjs';
import { run } from '../local/processes.mjs';
import { step } from '../local/progress.mjs';
import { root } from '../local/settings.mjs';
import { escapedBatch, hostileBodies, maximalBatch, singleEvent, typicalBatch } from './events.mjs';
import { interleaved, mean, overStarts } from './interleaved.ts';
import { send } from './load.ts';
import { PostgresTime, processorTimeOf } from './processor-time.mjs';
import { ratioRow, valueRow, type Row } from './report.ts';
import { withServers, type Servers } from './servers.ts';
import { startShipped, type ShippedOptions } from './shipped.ts';

const batchSize = 500;
const batches = 80;
const batchConnections = 4;
const singles = 12_000;
const singleConnections = 32;
/** After so many rounds V8 compiles next to nothing any more. */
const warmUps = 10;

/** A program under measurement. */
interface Subject {
  url: string;
  headers: Record<string, string>;
  pid: number;
  postgres: PostgresTime;
}

/** Microseconds of CPU per event. */
interface Cost {
  node: number;
  postgres: number;
  total: number;
}

/** Batches, and single events. */
interface Round {
  floor: Cost;
  service: Cost;
  floorSingle: Cost;
  serviceSingle: Cost;
}

/** P1 to P5. */
export function measure({ rounds }: { rounds: number }): Promise<Row[]> {
  return withServers(async (servers) => {
    await createFloorTable(servers);
    const results = await overStarts((suffix) => measureIngestion(servers, suffix, rounds));
    const validation = await step('Validation', () => measureValidation(rounds));
    const blocks = await step('Event loop', () => measureBlocks(servers, rounds));
    const cost = 'us/event';
    const column = (read: (result: Round) => number) => results.map(read);
    return [
      ratioRow(
        { id: 'P1', metric: 'ingest, batches of 500: CPU of Node and Postgres', unit: cost, gate: 1.15 },
        column(({ service: { total } }) => total),
        column(({ floor: { total } }) => total),
      ),
      ratioRow(
        { id: 'P1', metric: '  of that in Node', unit: cost },
        column(({ service: { node } }) => node),
        column(({ floor: { node } }) => node),
      ),
      ratioRow(
        { id: 'P2', metric: 'ingest: CPU of Postgres / flat unnest', unit: cost, gate: 1 },
        column(({ service: { postgres } }) => postgres),
        column(({ floor: { postgres } }) => postgres),
      ),
      ratioRow(
        { id: 'P3', metric: 'validation / JSON.parse', unit: 'ms/500', gate: 1.3 },
        validation.map(({ take, parse }) => take - parse),
        validation.map(({ parse }) => parse),
      ),
      ratioRow(
        { id: 'P3', metric: '  all from the bytes to the columns / the same', unit: 'ms/500' },
        validation.map(({ send: sent, parse }) => sent - parse),
        validation.map(({ parse }) => parse),
      ),
      ...blocks,
      ratioRow(
        { id: 'P5', metric: 'single events on 32 connections / the bare program', unit: cost, gate: 1.35 },
        column(({ serviceSingle: { total } }) => total),
        column(({ floorSingle: { total } }) => total),
      ),
      ratioRow(
        { id: 'P5', metric: '  of that in Node', unit: cost },
        column(({ serviceSingle: { node } }) => node),
        column(({ floorSingle: { node } }) => node),
      ),
      ratioRow(
        { id: 'P5', metric: '  against events in batches', unit: cost },
        column(({ serviceSingle: { total } }) => total),
        column(({ service: { total } }) => total),
      ),
    ];
  });
}

/** @param suffix Of the names of the processes. */
async function measureIngestion(servers: Servers, suffix: string, rounds: number): Promise<Round[]> {
  const floor = await startFloor(servers, `floor${suffix}`);
  const service = await startService(servers, { name: `ingest-api${suffix}` });
  await step('Warming up', async () => {
    for (const subject of [floor, service]) {
      for (let warmUp = 0; warmUp < warmUps; warmUp += 1) {
        await costOf(subject, typicalBatches(batches), batchConnections, batchSize);
        await costOf(subject, singleEvents(singles), singleConnections, 1);
      }
    }
  });
  const results: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await step(`Round ${round + 1} of ${rounds}`, async () => {
      const sides = [floor, service];
      const batched = await interleaved(round, sides, (subject, share) =>
        costOf(subject, typicalBatches(batches * share), batchConnections, batchSize),
      );
      const single = await interleaved(round, sides, (subject, share) =>
        costOf(subject, singleEvents(singles * share), singleConnections, 1),
      );
      const [ofFloor = none, ofService = none] = batched.map(meanCost);
      const [singleOfFloor = none, singleOfService = none] = single.map(meanCost);
      results.push({
        ...{ floor: ofFloor, service: ofService },
        ...{ floorSingle: singleOfFloor, serviceSingle: singleOfService },
      });
    });
  }
  return results;
}

function typicalBatches(count: number) {
  return Array.from({ length: count }, (_, at) => typicalBatch(batchSize, at * batchSize));
}

function singleEvents(count: number) {
  return Array.from({ length: count }, (_, at) => singleEvent(at));
}

const none = { node: NaN, postgres: NaN, total: NaN };

function meanCost(costs: readonly Cost[]): Cost {
  const of = (part: keyof Cost) => mean(costs.map((cost) => cost[part]));
  return { node: of('node'), postgres: of('postgres'), total: of('total') };
}

async function costOf(
  { url, headers, pid, postgres }: Subject,
  bodies: readonly Buffer[],
  connections: number,
  eventsPerBody: number,
): Promise<Cost> {
  const postgresBefore = await postgres.read();
  const nodeBefore = processorTimeOf(pid);
  await send({ url, headers, connections, bodies, accepted: eventsPerBody });
  const events = bodies.length * eventsPerBody;
  const node = (processorTimeOf(pid) - nodeBefore) / events;
  const inPostgres = (await postgres.since(postgresBefore)) / events;
  return { node, postgres: inPostgres, total: node + inPostgres };
}

async function createFloorTable({ pool }: Servers) {
  await pool.query('CREATE TABLE floor_events (LIKE outcome_events INCLUDING ALL)');
}

async function startFloor({ owner, pool, start, pid }: Servers, name: string): Promise<Subject> {
  const port = await freePort();
  await start({
    name,
    command: [process.execPath, join(root, 'tools/floors/ingest.mjs')],
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: owner, PORT: String(port) },
    ready: () => isReady(`http://127.0.0.1:${port}/`),
  });
  return {
    url: `http://127.0.0.1:${port}/`,
    headers: {},
    pid: pid(name),
    postgres: new PostgresTime(pool, 'floor'),
  };
}

async function startService(servers: Servers, options: ShippedOptions): Promise<Subject> {
  const { url, pid } = await startShipped(servers, 'ingest-api', options);
  const headers = { Authorization: `Bearer ${servers.apiKey}` };
  const postgres = new PostgresTime(servers.pool, 'outcomes-ingest-api');
  return { url: `${url}/ingest/events`, headers, pid, postgres };
}

async function measureValidation(rounds: number): Promise<{ parse: number; take: number; send: number }[]> {
  const command = [process.execPath, join(root, 'tools/bench/validation.mjs'), String(rounds)];
  const { code, stdout, output } = await run(command, { cwd: root, timeout: 120_000 });
  if (code !== 0) throw new Failure(output.trim());
  return JSON.parse(stdout);
}

async function measureBlocks(servers: Servers, rounds: number): Promise<Row[]> {
  const probe = await freePort();
  const service = await startService(servers, {
    name: 'ingest-api-probed',
    nodeArgs: ['--import', join(root, 'tools/bench/loop-probe.mjs')],
    environment: { LOOP_PROBE_PORT: String(probe) },
  });
  const blockOf = async (body: Buffer, accepted: number | undefined) => {
    await longestBlock(probe);
    await send({ ...service, connections: 1, bodies: [body], accepted });
    return longestBlock(probe);
  };
  for (let warmUp = 0; warmUp < 20; warmUp += 1) await blockOf(typicalBatch(batchSize), batchSize);
  const rows: Row[] = [];
  const measure = async (metric: string, gate: number, make: () => Buffer, accepted?: number) => {
    const blocks: number[] = [];
    for (let round = 0; round < rounds; round += 1) blocks.push(await blockOf(make(), accepted));
    rows.push(valueRow({ id: 'P4', metric: `longest block: ${metric}`, unit: 'ms', gate }, blocks));
  };
  const typical = typicalBatch(batchSize).length;
  await measure(
    `typical batch, ${Math.round(typical / 1_000)} kB`,
    10,
    () => typicalBatch(batchSize),
    batchSize,
  );
  const maximal = maximalBatch();
  await measure(`largest legal, ${(maximal.length / 1e6).toFixed(1)} MB`, 60, maximalBatch, batchSize);
  await measure('legal, all of it escapes', 100, escapedBatch, batchSize);
  for (const [name, body] of hostileBodies()) await measure(`8 MiB of ${name}`, 100, () => body);
  return rows;
}

/** @returns Milliseconds since the last question. */
async function longestBlock(port: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(30_000) });
  return Number(await response.text());
}
