// @ts-check
// `npm run bench`: the services against bare programs that do the same input and output.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable, machine } from './bench/report.mjs';
import { Failure } from './local/failure.mjs';
import { build } from './local/install.mjs';
import { program } from './local/program.mjs';
import { ensureLocalDirectory, localDirectory, requireFreeSpace, writeJson } from './local/settings.mjs';

const help = `Usage: npm run bench [-- SECTION ...] [--rounds N]

Runs the built services and bare programs (tools/floors) by turns, on a Postgres (fsync on) and a Redis of
their own, and prints what the service costs more. The figures also go to .local/bench/<section>.json.
The exit code is 1 where a gate does not hold. Other work on the machine makes them worthless.

  --rounds N   rounds per measurement, 5 unless told; every figure is the median of them. ingest, read and mcp start
               their programs three times, with so many rounds each
  SECTION      some of: ingest, counting, import, growth, retention, erasure, memory, access, read, analysis, mcp; all of them
               unless told, which takes about three quarters of an hour and ends with one table of everything`;

/** @type {Record<string, () => Promise<{ measure: (options: { rounds: number }) => Promise<import('./bench/report.mjs').Row[]> }>>} */
const sections = {
  ingest: () => import('./bench/ingest.mjs'),
  counting: () => import('./bench/counting.mjs'),
  import: () => import('./bench/import.mjs'),
  retention: () => import('./bench/retention.mjs'),
  erasure: () => import('./bench/erasure.mjs'),
  growth: () => import('./bench/growth.mjs'),
  memory: () => import('./bench/memory.mjs'),
  access: () => import('./bench/access.mjs'),
  read: () => import('./bench/read.mjs'),
  analysis: () => import('./bench/analysis.mjs'),
  mcp: () => import('./bench/mcp.mjs'),
};

/** @param {string[]} names @param {number} rounds */
async function bench(names, rounds) {
  ensureLocalDirectory();
  await requireFreeSpace(2_000);
  await build(new AbortController().signal);
  const folder = join(localDirectory, 'bench');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  /** @type {import('./bench/report.mjs').Row[]} */
  const all = [];
  for (const name of names) {
    const section = await sections[name]?.();
    if (!section) continue;
    const before = machine();
    const rows = await section.measure({ rounds });
    const after = machine();
    console.log(`\n${formatTable(rows)}\n`);
    console.log(`  ${before.processors} processors, load ${before.load} before, ${after.load} after.`);
    const file = join(folder, `${name}.json`);
    writeJson(file, { measuredAt: new Date().toISOString(), rounds, before, after, rows });
    console.log(`  Written to ${file}.`);
    all.push(...rows);
    if (rows.some(({ verdict }) => verdict === 'FAIL')) process.exitCode = 1;
  }
  if (names.length > 1) console.log(`\n${formatTable(all)}\n`);
}

await program(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: 'string', default: '5' }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return console.log(help);
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Failure('--rounds takes a whole number from 1 on.');
  const unknown = positionals.find((name) => !Object.hasOwn(sections, name));
  if (unknown) throw new Failure(`There is no section ${unknown}.\n${help}`);
  const names = positionals.length > 0 ? positionals : Object.keys(sections);
  await bench(names, rounds);
});
