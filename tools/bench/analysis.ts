import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Pool } from 'pg';
import { Failure } from '../local/failure.mjs';
import { run } from '../local/processes.mjs';
import { step } from '../local/progress.mjs';
import { localDirectory, root } from '../local/settings.mjs';
import { startWorker, type Cost, type Worker } from './analysis-worker.ts';
import { addDay, scanColumns } from './history.ts';
import {
  days,
  firstDay,
  inNewFolder,
  plantCompany,
  withHistory,
  type PlantedCompany,
} from './planted-company.ts';
import { ratioRow, valueRow, type Row } from './report.ts';
import type { Servers } from './servers.ts';

const duckdb = { name: '@duckdb/node-api', version: '1.5.6-r.1' };
/** Messages of the companies, in millions; the last is the one that is compared with DuckDB. */
const sizes = (process.env.BENCH_ANALYSIS_MILLIONS ?? '1,5').split(',').map(Number);
/** A company whose days the worker analyses before any is measured, in millions of messages, and how many days. */
const earlier = { millions: 0.1, days: 3 };

/** P12, P13 and P18. */
export async function measure({ rounds }: { rounds: number }): Promise<Row[]> {
  const packages = await step('Installing DuckDB', installDuckDb);
  const rows: Row[] = [];
  for (const millions of sizes) {
    const isCompared = millions === sizes.at(-1);
    rows.push(
      ...(await withHistory(millions, (servers, company) =>
        measureCompany({ servers, company, millions, packages, rounds: isCompared ? rounds : 0 }),
      )),
    );
  }
  return rows;
}

/** @param subjects No rounds: nothing but the first analysis is measured. */
async function measureCompany({
  servers,
  company,
  millions,
  packages,
  rounds,
}: {
  servers: Servers;
  company: PlantedCompany;
  millions: number;
  packages: string;
  rounds: number;
}): Promise<Row[]> {
  const worker = await startWorker(servers, `analysis-worker-${millions}`.replace('.', '-'));
  const first = await step(`First analysis of ${millions} M`, () => worker.analyse(company.companyId));
  console.log(`  ${millions} M: first analysis ${Math.round(first.total)} ms of CPU.`);
  const gated = { id: 'P18', unit: 'MB', gate: 256 };
  const shown = { id: 'P18', unit: 'MB' };
  const metric = `memory at its highest, first analysis of ${millions} M messages`;
  const rows = [
    valueRow({ ...gated, metric }, [worker.peakMemory()]),
    valueRow({ ...shown, metric: '  until it is published' }, [first.memory]),
  ];
  if (rounds > 0) {
    const comparison = await compare({ servers, worker, company, packages, rounds });
    rows.push(
      valueRow({ ...gated, metric: '  after the days and rebuilds below' }, [worker.peakMemory()]),
      valueRow({ ...shown, metric: '  before the first analysis' }, [worker.idleMemory]),
      ...comparison,
    );
  }
  await worker.stop();
  return rows;
}

async function compare({
  servers,
  worker,
  company: { companyId, history, folder },
  packages,
  rounds,
}: {
  servers: Servers;
  worker: Worker;
  company: PlantedCompany;
  packages: string;
  rounds: number;
}) {
  const scan = await step('Loading DuckDB', () => startScan(packages, folder));
  console.log(`  ${scan.note}`);
  const results: { day: Cost & { job: number }; rebuild: Cost; scan: { all: number; byDay: number } }[] = [];
  let day = firstDay + days;
  let recount: Cost | undefined;
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
  const column = (read: (result: (typeof results)[number]) => number) => results.map(read);
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
 */
async function workEarlier(servers: Servers, worker: Worker) {
  await inNewFolder(async (folder) => {
    const { companyId, history } = await plantCompany(servers, earlier.millions, folder);
    for (let day = firstDay + days; day < firstDay + days + earlier.days; day += 1) {
      await addDay(servers.pool, history, day);
      await worker.analyse(companyId);
    }
  });
}

/**
 * Everything that an analysis need not read again. What is counted stays, and so do the strata of pairs of claims, which
 * are counted from messages once.
 */
async function forget(pool: Pool, companyId: string) {
  await pool.query('UPDATE cohort_weeks SET digest = NULL WHERE company_id = $1', [companyId]);
  await pool.query('DELETE FROM analysis_checkpoints WHERE company_id = $1', [companyId]);
  await pool.query('DELETE FROM industry_days WHERE company_id = $1', [companyId]);
  await pool.query('DELETE FROM campaign_evidence WHERE company_id = $1', [companyId]);
  await pool.query('DELETE FROM evidence_folds WHERE company_id = $1', [companyId]);
}

async function startScan(packages: string, folder: string) {
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

/** DuckDB is no dependency of the project: it is 70 MB, and nothing else wants it. */
async function installDuckDb(): Promise<string> {
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
