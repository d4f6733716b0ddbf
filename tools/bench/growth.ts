import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Failure } from '../local/failure.mjs';
import { within } from '../local/processes.mjs';
import { step } from '../local/progress.mjs';
import { exchange, headersOf } from '../reliability/requests.ts';
import { typicalBatch } from './events.mjs';
import { ratioRow, valueRow } from './report.ts';
import { withServers, type Servers } from './servers.ts';
import { startShipped } from './shipped.ts';

/** What the counts have of dead rows at most, and their size at the end. */
interface Load {
  dead: number;
  megabytes: number;
}

const requests = 1_500;
const eventsPerRequest = 50;
/** Companies beside the one that sends: a table is vacuumed by the share of all its rows that is dead. */
const [idleCompanies, warmUpRequests] = [200, 100];
const patience = 300_000;
/** How often autovacuum looks, in both states alike: a minute in an installation, which counts for longer. */
const naptime = '2s';

/** P22: what events take on disk, and what counting leaves behind in the rows that it writes anew. */
export function measure({ rounds }: { rounds: number }) {
  return withServers(async (servers) => {
    const { pool } = servers;
    await pool.query(`ALTER SYSTEM SET autovacuum_naptime = '${naptime}'`);
    await pool.query('SELECT pg_reload_conf()');
    const hot = await tunedTables(pool);
    const environment = { LOG_LEVEL: 'warn', SWEEP_INTERVAL_MS: '200' };
    const { url: api } = await startShipped(servers, 'ingest-api', { environment });
    await startShipped(servers, 'analysis-worker', { environment });
    const loads: { tuned: Load; plain: Load }[] = [];
    await step(`Filling counts of ${idleCompanies} companies`, async () => {
      await count(servers, api, hot, true, warmUpRequests);
      await multiply(pool, [...hot.keys()]);
    });
    const bare = await sizes(pool);
    for (let round = 0; round < rounds; round += 1) {
      const name = `Counting, round ${round + 1} of ${rounds}`;
      const plain = await step(`${name}, as Postgres would`, () => count(servers, api, hot, false));
      const tuned = await step(`${name}, as the schema says`, () => count(servers, api, hot, true));
      loads.push({ plain, tuned });
    }
    await pool.query('VACUUM');
    const events = 2 * rounds * requests * eventsPerRequest;
    const full = await sizes(pool);
    const perEvent = (belongs: (table: string) => boolean) => {
      let bytes = 0;
      for (const [table, size] of full) if (belongs(table)) bytes += size - (bare.get(table) ?? 0);
      return bytes / events;
    };
    const kept = ['outcome_events', 'touches', 'ingest_batches'];
    const bytes = (metric: string, belongs: (table: string) => boolean) =>
      valueRow({ id: 'P22', metric, unit: 'bytes' }, [perEvent(belongs)]);
    return [
      ratioRow(
        { id: 'P22', metric: 'dead rows of counts at most, as set / by default', unit: 'rows', gate: 0.5 },
        loads.map(({ tuned }) => tuned.dead),
        loads.map(({ plain }) => plain.dead),
      ),
      ratioRow(
        { id: 'P22', metric: '  size of counts after it, as set / by default', unit: 'MB', gate: 1 },
        loads.map(({ tuned }) => tuned.megabytes),
        loads.map(({ plain }) => plain.megabytes),
      ),
      bytes('disk for an event with an excerpt: all tables and indexes', () => true),
      ...kept.map((table) => bytes(`  of that ${table}`, (name) => name === table)),
      bytes('  of that everything else', (name) => !kept.includes(name)),
    ];
  });
}

/** Tables for which the schema says when they are to be vacuumed, with what it says. */
async function tunedTables(pool: Pool) {
  const { rows } = await pool.query(
    `SELECT relname AS name, reloptions AS options FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND array_to_string(reloptions, ',') LIKE '%autovacuum_vacuum_%'`,
  );
  if (rows.length === 0) throw new Failure('the schema says of no table when it is to be vacuumed');
  return new Map(rows.map(({ name, options }) => [String(name), options as string[]]));
}

/** What one company has there, for others too. */
async function multiply(pool: Pool, tables: string[]) {
  await pool.query(
    `INSERT INTO companies (company_id, name) SELECT md5('idle ' || n)::uuid, 'Idle' FROM generate_series(1, $1::int) AS n`,
    [idleCompanies],
  );
  for (const table of tables)
    await pool.query(
      `INSERT INTO ${table}
       SELECT (jsonb_populate_record(one, jsonb_build_object('company_id', md5('idle ' || n)::uuid))).*
       FROM ${table} AS one CROSS JOIN generate_series(1, $1::int) AS n`,
      [idleCompanies],
    );
  await pool.query('VACUUM ANALYZE');
}

async function count(
  { pool, newCompany }: Servers,
  url: string,
  hot: ReadonlyMap<string, string[]>,
  isTuned: boolean,
  times: number = requests,
): Promise<Load> {
  for (const [table, options] of hot) {
    const names = options.map((option) => option.split('=')[0]).join(', ');
    await pool.query(`ALTER TABLE ${table} ${isTuned ? `SET (${options.join(', ')})` : `RESET (${names})`}`);
    await pool.query(`VACUUM FULL ${table}`);
  }
  const before = await size(pool, hot);
  const { apiKey } = await newCompany();
  let dead = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await pool.query(
        'SELECT sum(n_dead_tup)::int AS dead FROM pg_stat_user_tables WHERE relname = ANY ($1)',
        [[...hot.keys()]],
      );
      dead = Math.max(dead, rows[0].dead);
      await delay(250);
    }
  })();
  for (let at = 0; at < times; at += 1) {
    const body = typicalBatch(eventsPerRequest, at * eventsPerRequest);
    const { status, text } = await exchange(`${url}/ingest/events`, { headers: headersOf(apiKey), body });
    if (status !== 202) throw new Failure(`an ingestion was answered ${status}: ${text.slice(0, 200)}`);
  }
  const isCounted = async () =>
    (await pool.query('SELECT FROM ingest_batches WHERE processed_at IS NULL LIMIT 1')).rows.length === 0;
  if (!(await within(patience, isCounted))) throw new Failure('batches were not counted');
  isOver = true;
  await watching;
  return { dead, megabytes: ((await size(pool, hot)) - before) / 1e6 };
}

async function size(pool: Pool, tables: ReadonlyMap<string, unknown>) {
  const all = await sizes(pool);
  return [...tables.keys()].reduce((sum, table) => sum + (all.get(table) ?? 0), 0);
}

/** Bytes of every table with its indexes. */
async function sizes(pool: Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query(
    `SELECT relname AS name, pg_total_relation_size(oid)::float8 AS bytes FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}
