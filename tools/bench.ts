// `npm run bench`: the services against bare programs that do the same input and output.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable, machine, type Row } from './bench/report.ts';
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

const sections: Record<string, () => Promise<{ measure: (options: { rounds: number }) => Promise<Row[]> }>> =
  {
    ingest: () => import('./bench/ingest.ts'),
    counting: () => import('./bench/counting.ts'),
    import: () => import('./bench/import.ts'),
    retention: () => import('./bench/retention.ts'),
    erasure: () => import('./bench/erasure.ts'),
    growth: () => import('./bench/growth.ts'),
    memory: () => import('./bench/memory.ts'),
    access: () => import('./bench/access.ts'),
    read: () => import('./bench/read.ts'),
    analysis: () => import('./bench/analysis.ts'),
    mcp: () => import('./bench/mcp.ts'),
  };

async function bench(names: string[], rounds: number) {
  ensureLocalDirectory();
  await requireFreeSpace(2_000);
  await build(new AbortController().signal);
  const folder = join(localDirectory, 'bench');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const all: Row[] = [];
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
