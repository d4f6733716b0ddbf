// A company with a long history, planted for a measurement, or taken from what was planted before.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { run } from '../local/processes.mjs';
import { step } from '../local/progress.mjs';
import { localDirectory, root } from '../local/settings.mjs';
import { History, loadHistory, writeHistory } from './history.ts';
import { withServers, type Servers } from './servers.ts';

export const days = 730;
/** 2024-01-01, a Monday. */
export const firstDay = 19_723;
const cli = join(root, 'apps/outcomes-cli/bundle/main.js');

/** `folder` has the files that DuckDB reads. */
export interface PlantedCompany {
  companyId: string;
  history: History;
  folder: string;
}

/** Drawing and loading five million messages takes ten minutes: BENCH_ANALYSIS_KEPT=1 works on a copy of kept ones. */
const isKept = process.env.BENCH_ANALYSIS_KEPT === '1';
const keptFolder = (millions: number) => join(localDirectory, `bench/history-${millions}`);

/** Runs a measurement on servers with a company of so many messages. */
export async function withHistory<T>(
  millions: number,
  work: (servers: Servers, company: PlantedCompany) => Promise<T>,
): Promise<T> {
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

/** Plants a company once, with its cluster. */
export async function keepHistory(millions: number) {
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

export async function plantCompany(
  { pool, logins, redis }: Servers,
  millions: number,
  folder: string,
): Promise<PlantedCompany> {
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

export async function inNewFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'outcomes-history-'));
  // Postgres may be somebody else, and reads the files itself.
  chmodSync(folder, 0o755);
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createCompany(name: string, database: string, redis: string): Promise<{ companyId: string }> {
  const { code, stdout, output } = await run([process.execPath, cli, 'company', 'create', name, '--json'], {
    ...{ cwd: root, timeout: 120_000 },
    env: { ...process.env, DATABASE_URL: database, REDIS_URL: redis },
  });
  if (code !== 0) throw new Failure(`${output.trim()}\noutcomes company create failed.`);
  return JSON.parse(stdout);
}
