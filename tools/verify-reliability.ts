// `npm run verify:reliability`: the promises about faults, hostile input and erasure, each measured on the built
// services with servers that are killed under them, and each seen to fail on a design that breaks it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from './local/failure.mjs';
import { build } from './local/install.mjs';
import { program } from './local/program.mjs';
import {
  ensureLocalDirectory,
  localDirectory,
  requireFreeSpace,
  root,
  writeJson,
} from './local/settings.mjs';
import { withInstallation } from './reliability/installation.ts';
import { formatLine, Report } from './reliability/report.ts';
import { progress, type Section } from './reliability/section.ts';

const help = `Usage: npm run verify:reliability [-- --short] [-- SECTION ...]

Starts a Postgres (fsync and synchronous_commit on), a Redis and the built services, does harm to them, and prints
every promise with its measured value, its limit and PASS or FAIL; broken designs are measured beside it and have to
be caught. What could not be measured is NOT RUN, which is a failure. Ten to twenty minutes on two cores.

  --short   the same promises at a smaller size, five minutes or so
  SECTION   some of: SECTIONS

All sections at full size are written to tools/reliability/verification.txt, every run to .local/reliability.json.`;

const sections: Record<string, () => Promise<(section: Section) => Promise<void>>> = {
  D1: async () => (await import('./reliability/durability.ts')).verifyLedger,
  D2: async () => (await import('./reliability/retries.ts')).verifyKilledBeforeAnswer,
  D3: async () => (await import('./reliability/retries.ts')).verifySameBatch,
  D4: async () => (await import('./reliability/retries.ts')).verifyLateRetry,
  D5: async () => (await import('./reliability/outages.ts')).verifyOutages,
  D6: async () => (await import('./reliability/stopping.ts')).verifyStopping,
  D7: async () => (await import('./reliability/retries.ts')).verifyInvalidNeighbours,
  D8: async () => (await import('./reliability/analysis.ts')).verifyKilledAnalysis,
  D9: async () => (await import('./reliability/daily-run.ts')).verifyDailyRun,
  D10: async () => (await import('./reliability/stalled-jobs.ts')).verifyStalledJobs,
  poison: async () => (await import('./reliability/poison.ts')).verifyPoison,
  verdict: async () => (await import('./reliability/verdict.ts')).verifyVerdicts,
  erasure: async () => (await import('./reliability/erasure.ts')).verifyErasure,
  optouts: async () => (await import('./reliability/optouts.ts')).verifyOptOuts,
  restore: async () => (await import('./reliability/restore.ts')).verifyRestore,
  doctor: async () => (await import('./reliability/doctor.ts')).verifyDoctor,
  company: async () => (await import('./reliability/company.ts')).verifyCompany,
  drill: async () => (await import('./reliability/drill.ts')).verifyDrill,
  migrations: async () => (await import('./reliability/migrations.ts')).verifyMigrations,
  retention: async () => (await import('./reliability/retention.ts')).verifyRetention,
};

async function verify(names: string[], isShort: boolean) {
  ensureLocalDirectory();
  await requireFreeSpace(2_000);
  await build(new AbortController().signal);
  const began = Date.now();
  const report = new Report((line) => console.log(line));
  console.log('  Starting Postgres (fsync on) and Redis ...\n');
  await withInstallation(async (installation) => {
    for (const name of names) await runSection(name, { installation, report, progress, isShort });
  }).catch((error) => report.notRun('servers', String(error?.message ?? error)));
  const { lines, failures } = report;
  const seconds = Math.round((Date.now() - began) / 1_000);
  const closing = `${lines.length - failures} of ${lines.length} lines hold (${seconds} s)`;
  console.log(`\n${closing}`);
  writeJson(join(localDirectory, 'reliability.json'), {
    measuredAt: new Date().toISOString(),
    isShort,
    names,
    lines,
  });
  if (!isShort && names.length === Object.keys(sections).length) {
    const head = `Measured by "npm run verify:reliability" at full size, Node ${process.version}.`;
    const file = 'tools/reliability/verification.txt';
    writeFileSync(join(root, file), `${[head, '', ...lines.map(formatLine), '', closing].join('\n')}\n`);
    console.log(`Written to ${file}.`);
  }
  if (failures > 0) process.exitCode = 1;
}

async function runSection(name: string, section: Section) {
  const { report, installation } = section;
  const before = report.lines.length;
  try {
    await (
      await sections[name]?.()
    )?.(section);
    if (report.lines.length === before) report.notRun(name, 'measured nothing');
  } catch (error) {
    report.notRun(name, error instanceof Error ? error.message : String(error));
    if (!(error instanceof Failure)) console.error(error);
  } finally {
    await installation.stop();
    // The next section finds servers that run, whatever this one did to them.
    for (const server of [installation.postgres, installation.redis]) {
      if (server.pid === undefined) await server.start();
    }
  }
}

await program(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { short: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  const known = Object.keys(sections);
  const usage = help.replace('SECTIONS', known.join(' '));
  if (values.help) return console.log(usage);
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown) throw new Failure(`There is no section ${unknown}.\n${usage}`);
  const names = known.filter((name) => positionals.length === 0 || positionals.includes(name));
  await verify(names, values.short);
});
