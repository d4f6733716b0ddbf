import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Failure } from '../local/failure.mjs';
import { isReady } from '../local/installation.mjs';
import { freePort } from '../local/ports.mjs';
import { within } from '../local/processes.mjs';
import { step } from '../local/progress.mjs';
import { root } from '../local/settings.mjs';
import { bodyOf, exchange, headersOf, keptConnections, smallEvents } from '../reliability/requests.ts';
import { median, ratioRow, valueRow, type Row } from './report.ts';
import { withServers, type Servers } from './servers.ts';
import { startShipped } from './shipped.ts';
import { fill, post, withAnalysisQueue, workedIn } from './stored-company.ts';

/** Of the company that recipients are erased from. */
const stored = 500_000;
const recipients = 60;
/** What the preparation has left to write down. */
const settleMs = 2_000;
const day = 86_400_000;
/**
 * 5 ms where a bare DELETE takes .3 ms, and tightened to the 3 ms that were aimed at. What a trip to Postgres and a flush
 * cost is the machine's: a bare DELETE takes 1.6 to 2.5 ms on virtual ones, also where the disk is memory.
 */
const mostFixed = 3 / 0.3;

/** P15. */
export function measure({ rounds }: { rounds: number }): Promise<Row[]> {
  return withServers(async (servers) => {
    const { url: api } = await startShipped(servers, 'ingest-api');
    await startShipped(servers, 'analysis-worker');
    await step(`Taking ${stored} events`, () => fill(servers, api, stored));
    const floor = await startFloor(servers);
    const erasures = [];
    for (let round = 0; round < rounds; round += 1) {
      erasures.push(
        await step(`Erasure, round ${round + 1} of ${rounds}`, () => erase(servers, api, floor, round)),
      );
    }
    return [
      ratioRow(
        {
          id: 'P15',
          metric: 'erasure of a recipient, whatever the days / bare DELETE',
          unit: 'ms',
          gate: mostFixed,
        },
        erasures.map(({ oneDay, fiveDays }) => oneDay - (fiveDays - oneDay) / 4),
        erasures.map(({ bare }) => bare),
      ),
      valueRow(
        { id: 'P15', metric: '  for each touched day', unit: 'ms', gate: 100 },
        erasures.map(({ oneDay, fiveDays }) => (fiveDays - oneDay) / 4),
      ),
      valueRow(
        { id: 'P15', metric: '  the same, where the newest outcome of each day goes', unit: 'ms', gate: 100 },
        erasures.map(({ oneDay, fiveDays, newest }) => (newest - oneDay + (fiveDays - oneDay) / 4) / 5),
      ),
      valueRow(
        { id: 'P15', metric: '  on one day, while the analysis that it asks for takes a core', unit: 'ms' },
        erasures.map(({ beside }) => beside),
      ),
    ];
  });
}

/** Does work while no analysis runs: what the floor costs is measured without one too. */
function betweenAnalyses<T>(servers: Servers, work: () => Promise<T>): Promise<T> {
  return withAnalysisQueue(servers, async (queue) => {
    await queue.pause();
    try {
      if (!(await within(300_000, async () => (await queue.getActiveCount()) === 0)))
        throw new Failure('an analysis did not end');
      await delay(settleMs);
      return await work();
    } finally {
      await queue.resume();
    }
  });
}

async function runIsUnderWay(pool: Pool) {
  const isUnderWay = async () =>
    (await pool.query(`SELECT 1 FROM analysis_runs WHERE state = 'running'`)).rows.length > 0;
  if (!(await within(60_000, isUnderWay))) throw new Failure('no analysis followed the erasures');
}

/** @returns Medians, in milliseconds. */
async function erase(
  servers: Servers,
  url: string,
  floor: string,
  round: number,
): Promise<Record<'oneDay' | 'fiveDays' | 'newest' | 'bare' | 'beside', number>> {
  const { apiKey, pool, companyId } = servers;
  const ids = (kind: string) => Array.from({ length: recipients }, (_, at) => `${kind}-${round}-${at}`);
  // A little sooner after they were sent than all the others; or as the newest outcome of its day, later for each recipient.
  const messages = (recipient_id: string, place: number, { days = 1, newest = false }) =>
    smallEvents(5, (at) => {
      const sent = 30 + ((place + (at % days)) % 5);
      const outcome_at = iso(newest ? 20 - place / 1_000 : sent - 0.45);
      return { recipient_id, sequence_step: at, sent_at: iso(sent), outcome_at };
    });
  for (const [kind, shape] of [
    ['one', {}],
    ['five', { days: 5 }],
    ['newest', { days: 5, newest: true }],
    ['beside', {}],
  ] as const) {
    const events = ids(kind).flatMap((id, place) => messages(id, place, shape));
    for (let from = 0; from < events.length; from += 500)
      await post(url, apiKey, bodyOf(events.slice(from, from + 500)));
  }
  await workedIn(pool);
  await pool.query('TRUNCATE floor_events');
  await pool.query('INSERT INTO floor_events SELECT * FROM outcome_events');
  await pool.query('VACUUM ANALYZE');
  const agent = keptConnections(1);
  const timeOf = async (address: string) => {
    const answer = await exchange(address, { method: 'DELETE', headers: headersOf(apiKey), agent });
    if (JSON.parse(answer.text).deleted !== 5)
      throw new Failure(`a deletion was answered ${answer.text.slice(0, 200)}`);
    return answer.milliseconds;
  };
  const timeOfErasing = (id: string) => timeOf(`${url}/ingest/events?recipient_id=${id}`);
  const times: Record<'oneDay' | 'fiveDays' | 'newest' | 'bare' | 'beside', number[]> = {
    oneDay: [],
    fiveDays: [],
    newest: [],
    bare: [],
    beside: [],
  };
  await betweenAnalyses(servers, async () => {
    for (const [at, id] of ids('one').entries()) {
      times.bare.push(await timeOf(`${floor}/?company_id=${companyId}&recipient_id=${id}`));
      times.oneDay.push(await timeOfErasing(id));
      times.fiveDays.push(await timeOfErasing(ids('five')[at] ?? ''));
      times.newest.push(await timeOfErasing(ids('newest').at(-1 - at) ?? ''));
    }
  });
  await runIsUnderWay(pool);
  for (const id of ids('beside')) times.beside.push(await timeOfErasing(id));
  agent.destroy();
  const { oneDay, fiveDays, newest, bare, beside } = times;
  return {
    ...{ oneDay: median(oneDay), fiveDays: median(fiveDays), newest: median(newest) },
    ...{ bare: median(bare), beside: median(beside) },
  };
}

function iso(daysAgo: number) {
  return new Date(Date.now() - daysAgo * day).toISOString();
}

async function startFloor({ owner, pool, start }: Servers): Promise<string> {
  await pool.query('CREATE TABLE floor_events (LIKE outcome_events INCLUDING ALL)');
  const port = await freePort();
  await start({
    name: 'floor',
    command: [process.execPath, join(root, 'tools/floors/erasure.mjs')],
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: owner, PORT: String(port) },
    ready: () => isReady(`http://127.0.0.1:${port}/`),
  });
  return `http://127.0.0.1:${port}`;
}
