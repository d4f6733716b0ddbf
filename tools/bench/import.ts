// P20: a file of history through the command line, until its last row is counted.
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Pool } from 'pg';
import { Failure } from '../local/failure.mjs';
import { run, within } from '../local/processes.mjs';
import { step } from '../local/progress.mjs';
import { root } from '../local/settings.mjs';
import { settled } from './analysis-worker.ts';
import { historyOf } from './counted-events.mjs';
import { PostgresTime, processorTimeOf } from './processor-time.mjs';
import { valueRow, type Row } from './report.ts';
import { withServers, type Servers } from './servers.ts';
import { startShipped } from './shipped.ts';

interface Import {
  send: number;
  behind: number;
  waiting: number;
  worker: number;
  postgres: number;
}

const rows = Number(process.env['BENCH_IMPORT_ROWS'] ?? 150_000);
const longest = 600_000;

/** P20. */
export async function measure({ rounds }: { rounds: number }): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'outcomes-import-'));
  try {
    const file = join(folder, 'history.csv');
    await step(`Writing ${rows} rows`, () => writeFile(file));
    return await withServers(async (servers) => {
      const { url } = await startShipped(servers, 'ingest-api');
      await startShipped(servers, 'analysis-worker');
      const results: Import[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const name = `Import, round ${round + 1} of ${rounds}`;
        const { companyId, ...result } = await step(name, () => importFile(servers, url, file, folder));
        results.push(result);
        // What the new company sets going is not the next import's: its first analysis begins when it has been quiet.
        await step('Waiting for its analysis', () => analysed(servers.pool, companyId));
        await settled(servers.pid('analysis-worker'));
      }
      const column = (part: keyof Import) => results.map((result) => result[part]);
      const line = (metric: string, unit = 's') => ({ id: 'P20', metric, unit });
      return [
        valueRow({ ...line('import: from the last request to counted'), gate: 5 }, column('behind')),
        valueRow(
          line('  from its start to counted'),
          results.map(({ send, behind }) => send + behind),
        ),
        valueRow(line(`  ${rows} rows sent`), column('send')),
        valueRow(line('  of those not counted at the last request', 'rows'), column('waiting')),
        valueRow(line('  CPU of the worker until then', 'us/row'), column('worker')),
        valueRow(line('  CPU of its connections to Postgres', 'us/row'), column('postgres')),
      ];
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A row per message with its outcome, as a sending tool exports them. */
async function writeFile(file: string) {
  const events = historyOf({ count: rows, seed: 1 });
  // Some have no address.
  const names = [...new Set(events.flatMap(Object.keys))].filter((name) => name !== 'metadata');
  const keys = Object.keys(events[0]?.['metadata'] ?? {});
  const cell = (value: string | number | boolean | null | undefined) =>
    `"${String(value ?? '').replaceAll('"', '""')}"`;
  async function* lines() {
    yield `${[...names, ...keys.map((key) => `metadata.${key}`)].join(',')}\n`;
    for (const event of events)
      yield `${[...names.map((name) => event[name]), ...keys.map((key) => event['metadata'][key])].map(cell).join(',')}\n`;
  }
  await pipeline(Readable.from(lines()), createWriteStream(file));
}

/** @returns Seconds, rows, and CPU microseconds per row. */
async function importFile(
  { pool, pid, newCompany }: Servers,
  url: string,
  file: string,
  folder: string,
): Promise<Import & { companyId: string }> {
  const { companyId, apiKey } = await newCompany();
  // Another file: the same one would be taken for an interrupted import.
  await utimes(file, new Date(), new Date());
  await pool.query('CHECKPOINT');
  const worker = pid('analysis-worker');
  const postgres = new PostgresTime(pool, 'analysis-worker');
  const inPostgres = await postgres.read();
  const inWorker = processorTimeOf(worker);
  const began = Date.now();
  const command = [
    process.execPath,
    join(root, 'apps/outcomes-cli/bundle/main.js'),
    'import',
    file,
    '--json',
  ];
  const { code, stdout, output } = await run(
    [...command, '--no-wait', '--url', url, '--state-folder', folder],
    {
      ...{ cwd: root, env: { ...process.env, OUTCOMES_API_KEY: apiKey }, timeout: longest },
    },
  );
  if (code !== 0 || JSON.parse(stdout).accepted !== rows)
    throw new Failure(`${output.trim()}\nThe import failed.`);
  const { last, waiting } = await stateOf(pool, companyId);
  if (!(await within(longest, () => isCounted(pool, companyId))))
    throw new Failure('The import was not counted.');
  const counted = Date.now();
  const cost = { worker: processorTimeOf(worker) - inWorker, postgres: await postgres.since(inPostgres) };
  const messages = await pool.query('SELECT count(*)::int AS count FROM touches WHERE company_id = $1', [
    companyId,
  ]);
  if (messages.rows[0].count !== rows)
    throw new Failure(`Of ${rows} messages, ${messages.rows[0].count} are there.`);
  return {
    companyId,
    ...{ send: (last - began) / 1_000, behind: (counted - last) / 1_000, waiting },
    ...{ worker: cost.worker / rows, postgres: cost.postgres / rows },
  };
}

/** Asked many times a second, so it unpacks nothing. */
async function isCounted(pool: Pool, companyId: string) {
  const { rows: found } = await pool.query(
    'SELECT FROM ingest_batches WHERE company_id = $1 AND processed_at IS NULL LIMIT 1',
    [companyId],
  );
  return found.length === 0;
}

/** Waits until everything of a company is in an analysis whose decisions are made. */
async function analysed(pool: Pool, companyId: string) {
  const stands = async () => {
    const { rows: found } = await pool.query(
      `SELECT FROM analysis_plans JOIN analysis_runs USING (company_id)
       WHERE company_id = $1 AND unanalysed_since IS NULL AND state = 'succeeded' AND decisions_made_at IS NOT NULL`,
      [companyId],
    );
    return found.length > 0;
  };
  if (!(await within(longest, stands))) throw new Failure('The import was not analysed.');
}

/** When the last request was taken, in milliseconds since 1970, and how many events wait to be counted. */
async function stateOf(pool: Pool, companyId: string): Promise<{ last: number; waiting: number }> {
  const { rows: found } = await pool.query(
    `SELECT (extract(epoch FROM max(received_at)) * 1000)::float8 AS last,
       coalesce(sum(cardinality(event_ids)) FILTER (WHERE processed_at IS NULL), 0)::int AS waiting
     FROM ingest_batches WHERE company_id = $1`,
    [companyId],
  );
  return found[0];
}
