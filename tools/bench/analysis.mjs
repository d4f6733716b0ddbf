// @ts-check
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Failure } from '../local/failure.mjs';
import { run } from '../local/processes.mjs';
import { step } from '../local/progress.mjs';
import { localDirectory, root } from '../local/settings.mjs';
import { startWorker } from './analysis-worker.mjs';
import { addDay, History, loadHistory, scanColumns, writeHistory } from './history.mjs';
import { ratioRow, valueRow } from './report.mjs';
import { withServers } from './servers.mjs';

const duckdb = { name: '@duckdb/node-api', version: '1.5.6-r.1' };
const days = 730;
/** 2024-01-01, a Monday. */
const firstDay = 19_723;
/** Messages of the companies, in millions; the last is the one that is compared with DuckDB. */
const sizes = (process.env.BENCH_ANALYSIS_MILLIONS ?? '1,5').split(',').map(Number);
/** A company whose days the worker analyses before any is measured, in millions of messages, and how many days. */
const earlier = { millions: 0.1, days: 3 };
const cli = join(root, 'apps/outcomes-cli/dist/main.js');
/** @typedef {import('./analysis-worker.mjs').Cost} Cost */
/** @typedef {import('./analysis-worker.mjs').Worker} Worker */

/** P12, P13 and P18. @param {{ rounds: number }} options @returns {Promise<import('./report.mjs').Row[]>} */
export async function measure({ rounds }) {
  const packages = await step('Installing DuckDB', installDuckDb);
  return withServers(async (servers) => {
    /** @type {import('./report.mjs').Row[]} */
    const memory = [];
    for (const [index, millions] of sizes.entries()) {
      const folder = mkdtempSync(join(tmpdir(), 'outcomes-history-'));
      // Postgres may be somebody else, and reads the files itself.
      chmodSync(folder, 0o755);
      try {
        const company = await loadCompany(servers, millions, folder);
        const worker = await startWorker(servers, `analysis-worker-${millions}`.replace('.', '-'));
        const first = await step(`First analysis of ${millions} M`, () => worker.analyse(company.companyId));
        const resident = worker.peakMemory();
        const last = index === sizes.length - 1;
        const comparison = last ? await compare({ servers, worker, company, folder, packages, rounds }) : [];
        const row = { id: 'P18', unit: 'MB', gate: 256 };
        memory.push(
          valueRow({ ...row, metric: `memory at its highest, first analysis of ${millions} M messages` }, [
            resident,
          ]),
        );
        const then = { ...row, gate: undefined, metric: '  until it is published' };
        memory.push(valueRow(then, [first.memory]));
        if (last) {
          const idle = { ...row, gate: undefined, metric: '  before the first analysis' };
          memory.push(
            valueRow({ ...row, metric: '  after the days and rebuilds below' }, [worker.peakMemory()]),
          );
          memory.push(valueRow(idle, [worker.idleMemory]));
        }
        console.log(`  ${millions} M: first analysis ${Math.round(first.total)} ms of CPU.`);
        memory.push(...comparison);
        await worker.stop();
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
    return memory;
  });
}

/**
 * @param {{
 *   servers: import('./servers.mjs').Servers, worker: Worker, folder: string, packages: string, rounds: number,
 *   company: { companyId: string, history: History },
 * }} subjects
 */
async function compare({ servers, worker, company: { companyId, history }, folder, packages, rounds }) {
  const scan = await step('Loading DuckDB', () => startScan(packages, folder));
  console.log(`  ${scan.note}`);
  /** @type {{ day: Cost & { job: number }, rebuild: Cost, scan: { all: number, byDay: number } }[]} */
  const results = [];
  let day = firstDay + days;
  /** @type {Cost | undefined} */
  let recount;
  try {
    await step(`Analysing ${earlier.days} days of a small company`, () => workEarlier(servers, worker));
    // What is left to compile for a company of this size: run and not counted.
    for (let round = -2; round < rounds; round += 1) {
      await step(round < 0 ? 'Warming up' : `Round ${round + 1} of ${rounds}`, async () => {
        await addDay(servers.pool, history, day);
        day += 1;
        const oneDay = await worker.analyse(companyId);
        await forget(servers.pool, companyId);
        const rebuild = await worker.analyse(companyId);
        const scanned = await scan.once();
        if (round >= 0) results.push({ day: oneDay, rebuild, scan: scanned });
      });
    }
    recount = await step('Counting pairs of claims anew', async () => {
      await forget(servers.pool, companyId);
      await servers.pool.query('DELETE FROM campaign_strata WHERE company_id = $1', [companyId]);
      return worker.analyse(companyId);
    });
  } finally {
    scan.stop();
  }
  const column = (/** @type {(result: typeof results[number]) => number} */ read) => results.map(read);
  const scans = column(({ scan: { all } }) => all);
  const scansByDay = column(({ scan: { byDay } }) => byDay);
  const unit = 'ms CPU';
  return [
    ratioRow(
      { id: 'P12', metric: 'analysis after one new day / the same counts by DuckDB', unit, gate: 0.08 },
      column((result) => result.day.total),
      scans,
    ),
    ratioRow(
      { id: 'P12', metric: '  / those by day and stratum alone', unit },
      column((result) => result.day.total),
      scansByDay,
    ),
    valueRow(
      { id: 'P12', metric: '  of that in Node', unit },
      column((result) => result.day.node),
    ),
    valueRow(
      { id: 'P12', metric: '  of that in Postgres', unit },
      column((result) => result.day.postgres),
    ),
    valueRow(
      { id: 'P12', metric: '  with what the job does after it: decisions', unit },
      column((result) => result.day.job),
    ),
    ratioRow(
      { id: 'P13', metric: 'analysis from the counts alone / the same counts by DuckDB', unit, gate: 1 },
      column((result) => result.rebuild.total),
      scans,
    ),
    ratioRow(
      { id: 'P13', metric: '  / those by day and stratum alone', unit },
      column((result) => result.rebuild.total),
      scansByDay,
    ),
    valueRow(
      { id: 'P13', metric: '  of that in Node', unit },
      column((result) => result.rebuild.node),
    ),
    valueRow(
      { id: 'P13', metric: '  of that in Postgres', unit },
      column((result) => result.rebuild.postgres),
    ),
    valueRow({ id: 'P13', metric: '  with pairs of claims counted from messages', unit }, [recount.total]),
  ];
}

/**
 * A worker runs for weeks, and a daily run finds its code compiled by the companies before it. So the worker that is
 * measured analyses another company's days first, of its own, one by one: no result of them is of use to any other.
 * @param {import('./servers.mjs').Servers} servers @param {Worker} worker
 */
async function workEarlier(servers, worker) {
  const folder = mkdtempSync(join(tmpdir(), 'outcomes-history-'));
  chmodSync(folder, 0o755);
  try {
    const { companyId, history } = await loadCompany(servers, earlier.millions, folder);
    for (let day = firstDay + days; day < firstDay + days + earlier.days; day += 1) {
      await addDay(servers.pool, history, day);
      await worker.analyse(companyId);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Everything that an analysis need not read again. What is counted stays, and so do the strata of pairs of claims, which
 * are counted from messages once. @param {import('pg').Pool} pool @param {string} companyId
 */
async function forget(pool, companyId) {
  await pool.query('UPDATE cohort_weeks SET digest = NULL WHERE company_id = $1', [companyId]);
  await pool.query('DELETE FROM analysis_checkpoints WHERE company_id = $1', [companyId]);
  await pool.query('DELETE FROM industry_days WHERE company_id = $1', [companyId]);
  await pool.query('DELETE FROM campaign_evidence WHERE company_id = $1', [companyId]);
  await pool.query('DELETE FROM evidence_folds WHERE company_id = $1', [companyId]);
}

/** @param {import('./servers.mjs').Servers} servers @param {number} millions @param {string} folder */
async function loadCompany({ pool, logins, redis }, millions, folder) {
  const created = await runCli(['company', 'create', `Benchmark ${millions}`, '--json'], logins.cli, redis);
  const { companyId } = created;
  const history = new History({ companyId, firstDay, sendsPerDay: Math.round((millions * 1e6) / days) });
  await step(`Drawing ${millions} M messages`, () => writeHistory(history, days, folder));
  await step('Loading them into Postgres', () => loadHistory(pool, folder));
  await pool.query(
    `INSERT INTO ingest_batches (company_id, batch_id, event_ids, received_at, processed_at)
     VALUES ($1, gen_random_uuid(), '{}', $2, $2)`,
    [companyId, new Date((firstDay + days) * 86_400_000)],
  );
  return { companyId, history };
}

/** @param {string} packages @param {string} folder */
async function startScan(packages, folder) {
  const program = join(root, 'tools/floors/analysis.mjs');
  const child = spawn(process.execPath, [program, packages, folder, scanColumns.join(',')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Failure('DuckDB has stopped.');
    return String(value);
  };
  const [, note] = (await next()).split('|');
  return {
    note: `DuckDB, by ${note}.`,
    async once() {
      child.stdin.write('\n');
      const [all = NaN, byDay = NaN] = (await next()).split('|').map((spent) => Number(spent) / 1_000);
      return { all, byDay };
    },
    stop: () => child.kill(),
  };
}

/** DuckDB is no dependency of the project: it is 70 MB, and nothing else wants it. @returns {Promise<string>} */
async function installDuckDb() {
  const folder = join(localDirectory, 'bench/duckdb');
  const manifest = join(folder, `node_modules/${duckdb.name}/package.json`);
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === duckdb.version)
    return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--save-exact'];
  const { code } = await run(['npm', ...install, `${duckdb.name}@${duckdb.version}`], {
    ...{ cwd: folder, timeout: 300_000 },
  });
  if (code !== 0)
    throw new Failure('NOT RUN: DuckDB, which the analysis is compared with, cannot be installed.');
  return folder;
}

/** @param {string[]} args @param {string} database @param {string} redis */
async function runCli(args, database, redis) {
  const { code, stdout, output } = await run([process.execPath, cli, ...args], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: database,
      REDIS_URL: redis,
    },
    timeout: 120_000,
  });
  if (code !== 0) throw new Failure(`${output.trim()}\noutcomes ${args[0]} failed.`);
  return JSON.parse(stdout);
}
