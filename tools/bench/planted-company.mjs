// @ts-check
// A company with a long history, planted for a measurement, or taken from what was planted before.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { run } from '../local/processes.mjs';
import { step } from '../local/progress.mjs';
import { localDirectory, root } from '../local/settings.mjs';
import { History, loadHistory, writeHistory } from './history.mjs';
import { withServers } from './servers.mjs';

export const days = 730;
/** 2024-01-01, a Monday. */
export const firstDay = 19_723;
const cli = join(root, 'apps/outcomes-cli/dist/main.js');

/**
 * `folder` has the files that DuckDB reads.
 * @typedef {{ companyId: string, history: History, folder: string }} PlantedCompany
 * @typedef {import('./servers.mjs').Servers} Servers
 */

/** Drawing and loading five million messages takes ten minutes: BENCH_ANALYSIS_KEPT=1 works on a copy of kept ones. */
const isKept = process.env.BENCH_ANALYSIS_KEPT === '1';
/** @param {number} millions */
const keptFolder = (millions) => join(localDirectory, `bench/history-${millions}`);

/**
 * Runs a measurement on servers with a company of so many messages.
 * @template T
 * @param {number} millions
 * @param {(servers: Servers, company: PlantedCompany) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withHistory(millions, work) {
  if (!isKept) {
    return withServers((servers) =>
      inNewFolder(async (folder) => work(servers, await plantCompany(servers, millions, folder))),
    );
  }
  await keepHistory(millions);
  const folder = keptFolder(millions);
  const history = History.takeUp(readFileSync(join(folder, 'history')));
  const company = { companyId: history.plan.companyId, history, folder };
  return withServers((servers) => work(servers, company), { from: folder });
}

/** Plants a company once, with its cluster. @param {number} millions */
export async function keepHistory(millions) {
  const folder = keptFolder(millions);
  // Written last.
  if (existsSync(join(folder, 'cluster.json'))) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  await withServers(
    async (servers) => {
      const { history } = await plantCompany(servers, millions, folder);
      writeFileSync(join(folder, 'history'), history.keep());
    },
    { keepIn: folder },
  );
}

/**
 * @param {Servers} servers @param {number} millions @param {string} folder @returns {Promise<PlantedCompany>}
 */
export async function plantCompany({ pool, logins, redis }, millions, folder) {
  const { companyId } = await createCompany(`Benchmark ${millions}`, logins.cli, redis);
  const drawn = new History({ companyId, firstDay, sendsPerDay: Math.round((millions * 1e6) / days) });
  await step(`Drawing ${millions} M messages`, () => writeHistory(drawn, days, folder));
  await step('Loading them into Postgres', () => loadHistory(pool, folder));
  await pool.query(
    `INSERT INTO ingest_batches (company_id, batch_id, event_ids, received_at, processed_at)
     VALUES ($1, gen_random_uuid(), '{}', $2, $2)`,
    [companyId, new Date((firstDay + days) * 86_400_000)],
  );
  // The days to come are the same whether the history was kept or not.
  return { companyId, history: History.takeUp(drawn.keep()), folder };
}

/** @template T @param {(folder: string) => Promise<T>} work @returns {Promise<T>} */
export async function inNewFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'outcomes-history-'));
  // Postgres may be somebody else, and reads the files itself.
  chmodSync(folder, 0o755);
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} name @param {string} database @param {string} redis @returns {Promise<{ companyId: string }>} */
async function createCompany(name, database, redis) {
  const { code, stdout, output } = await run([process.execPath, cli, 'company', 'create', name, '--json'], {
    ...{ cwd: root, timeout: 120_000 },
    env: { ...process.env, DATABASE_URL: database, REDIS_URL: redis },
  });
  if (code !== 0) throw new Failure(`${output.trim()}\noutcomes company create failed.`);
  return JSON.parse(stdout);
}
