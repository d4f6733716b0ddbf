// `npm run verify:topology`: ways to run Postgres and Redis that the documentation names, each with the built services.
import { parseArgs } from 'node:util';
import { Failure } from './local/failure.mjs';
import { build } from './local/install.mjs';
import { program } from './local/program.mjs';
import { ensureLocalDirectory, requireFreeSpace } from './local/settings.mjs';
import { withInstallation } from './reliability/installation.ts';
import { Report } from './reliability/report.ts';
import { progress, type Section } from './reliability/section.ts';

const help = `Usage: npm run verify:topology [-- NAME ...]

Starts Postgres, Redis and what stands between or beside them, lets the built services work there, and prints every
promise with its measured value, its limit and PASS or FAIL; a wrong setting is measured beside it and has to be caught.
What could not be measured is NOT RUN, which is a failure.

  NAME   some of: NAMES

private-ca needs openssl and a Redis with TLS. pgbouncer takes the oldest PgBouncer of this machine (Debian's does),
prepared one of 1.25 or newer: what PGBOUNCER names, or pgbouncer on the path. citus needs a Postgres with Citus in
/usr/lib/postgresql, and psql.`;

const topologies: Record<string, () => Promise<(section: Section) => Promise<void>>> = {
  pgbouncer: async () => (await import('./topology/pgbouncer.ts')).verifyPgBouncer,
  prepared: async () => (await import('./topology/pgbouncer.ts')).verifyPreparedStatements,
  'private-ca': async () => (await import('./topology/private-authority.ts')).verifyPrivateAuthority,
  managed: async () => (await import('./topology/managed.ts')).verifyManaged,
  failover: async () => (await import('./topology/failover.ts')).verifyFailover,
  replica: async () => (await import('./topology/replica.ts')).verifyReplica,
  sentinel: async () => (await import('./topology/sentinel.ts')).verifySentinel,
  citus: async () => (await import('./topology/citus.ts')).verifyCitus,
  two: async () => (await import('./topology/two-installations.ts')).verifyTwoInstallations,
};

async function verify(names: string[]) {
  ensureLocalDirectory();
  await requireFreeSpace(1_000);
  await build(new AbortController().signal);
  const report = new Report((line) => console.log(line));
  for (const name of names) {
    try {
      const section = await topologies[name]?.();
      await withInstallation((installation) =>
        Promise.resolve(section?.({ installation, report, progress, isShort: true })),
      );
    } catch (error) {
      report.notRun(name, error instanceof Error ? error.message : String(error));
      console.error(error instanceof Failure ? error.message : error);
    }
  }
  console.log(`\n${report.lines.length - report.failures} of ${report.lines.length} lines hold`);
  if (report.failures > 0) process.exitCode = 1;
}

await program(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false } },
  });
  const known = Object.keys(topologies);
  const usage = help.replace('NAMES', known.join(' '));
  if (values.help) return console.log(usage);
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown) throw new Failure(`There is no topology ${unknown}.\n${usage}`);
  const names = known.filter((name) => positionals.length === 0 || positionals.includes(name));
  await verify(names);
});
