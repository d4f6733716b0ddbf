import { Failure } from '../local/failure.mjs';
import type { Section } from '../reliability/section.ts';
import { findPgBouncers, startPgBouncer, type Program } from './pooler.ts';
import { becomesReady, doctor, startAll, useEverything, type Setting } from './traffic.ts';

const rounds = 400;
/** The first that knows prepared statements is 1.21; what is verified is a version that is maintained. */
const leastMinor = 25;
/** How many executions of statements have to find one that Postgres has parsed before. */
const leastFound = 1_000;

/**
 * PgBouncer in transaction mode between services and Postgres, whatever its version: fewer connections to Postgres than
 * the pools of the services have.
 */
export async function verifyPgBouncer({ installation, report }: Section) {
  const line = { promise: 'pgbouncer', limit: { exactly: 0 } };
  const program = findPgBouncers().sort((one, other) => one.minor - other.minor)[0];
  if (!program) throw new Failure('there is no pgbouncer on this machine (Debian: pgbouncer)');
  report.note(program.version);
  const pooler = await startPgBouncer(installation, { name: 'pgbouncer', program });
  try {
    const setting = { environment: { DATABASE_POOLER: 'transaction' }, database: pooler.through };
    await verifyUse({ installation, report }, line, setting);
    const untold = { environment: {}, database: pooler.through };
    report.mutation({
      ...{ ...line, what: 'not told of the pooler: services that never become ready' },
      value: (await becomesReady(installation, 'read-api', untold)) ? 0 : 1,
    });
  } finally {
    await installation.stop();
    await pooler.stop();
  }
}

/** The same where PgBouncer knows prepared statements: they keep their names. */
export async function verifyPreparedStatements({ installation, report }: Section) {
  const line = { promise: 'prepared', limit: { exactly: 0 } };
  const program = findPgBouncers().find(({ minor }) => minor >= leastMinor);
  if (!program)
    throw new Failure(`there is no pgbouncer 1.${leastMinor} or newer here; PGBOUNCER may name one`);
  report.note(program.version);
  const knowing = await startPgBouncer(installation, {
    ...{ name: 'pgbouncer-prepared', program, settings: ['max_prepared_statements = 200'] },
  });
  const environment = { DATABASE_POOLER: 'transaction-prepared' };
  const found = async (setting: Setting, named: typeof line) => {
    const before = await knowing.stats();
    await verifyUse({ installation, report }, named, setting);
    const after = await knowing.stats();
    const grown = (name: string) => (after[name] ?? Number.NaN) - (before[name] ?? 0);
    return grown('total_bind_count') - grown('total_server_parse_count');
  };
  try {
    const prepared = await found({ environment, database: knowing.through }, line);
    const often = { ...line, limit: { least: leastFound } };
    report.check({
      ...often,
      what: 'executions that find their statement parsed before',
      value: prepared,
    });
    const unnamed = { environment: { DATABASE_POOLER: 'transaction' }, database: knowing.through };
    report.mutation({
      ...{ ...often, what: 'statements without names: executions that find theirs parsed before' },
      value: await found(unnamed, { ...line, promise: 'unnamed' }),
    });
    await knowing.stop();
    await verifyUnknowing({ installation, report }, program, environment);
  } finally {
    await installation.stop();
    await knowing.stop();
  }
}

/**
 * A pooler that takes what services say at the start, and forgets it: nothing but the statements could tell that it is there.
 */
async function verifyUnknowing(
  { installation, report }: Pick<Section, 'installation' | 'report'>,
  program: Program,
  environment: Record<string, string>,
) {
  const line = { promise: 'prepared', limit: { exactly: 0 } };
  const unknowing = await startPgBouncer(installation, {
    ...{ name: 'pgbouncer-unknowing', program },
    settings: [
      'max_prepared_statements = 0',
      'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,lock_timeout',
    ],
  });
  try {
    for (const [told, variables] of [
      ['told of prepared statements', environment],
      ['not told of the pooler', {}],
    ] as const) {
      const setting = { environment: variables, database: unknowing.through };
      report.mutation({
        ...{ ...line, what: `${told}, which knows none: services that never become ready` },
        value: (await becomesReady(installation, 'read-api', setting)) ? 0 : 1,
      });
      const examined = await doctor(installation, { ...setting, redisUrl: installation.redisUrl });
      report.note(
        examined.output.split('\n').find((text) => /mixed up/.test(text)) ?? 'not found by the doctor',
      );
      report.mutation({
        ...{ ...line, what: `${told}, which knows none: exit code of the doctor` },
        value: examined.output.includes('mixed up') ? examined.code : 0,
      });
    }
  } finally {
    await unknowing.stop();
  }
}

async function verifyUse(
  { installation, report }: Pick<Section, 'installation' | 'report'>,
  line: { promise: string; limit: { exactly: number } },
  setting: Setting,
) {
  const tenant = await installation.newTenant(`Pooled ${line.promise}`);
  const services = await startAll(installation, setting);
  const { answers: given, failed, uncounted } = await useEverything(installation, services, tenant, rounds);
  report.check({ ...line, what: `answers of ${given} that are no success`, value: failed });
  report.check({ ...line, what: 'batches that are not counted', value: uncounted });
  const [row] = await installation.query(
    `SELECT count(*)::int AS held FROM pg_stat_activity WHERE usename LIKE 'outcomes%' AND datname = 'outcomes'`,
  );
  report.check({
    ...{ ...line, what: 'connections to Postgres, 4 a login' },
    ...{ value: row.held, limit: { most: 20 } },
  });
  const examined = await doctor(installation, { ...setting, redisUrl: installation.redisUrl });
  if (examined.code !== 0) report.note(examined.output.trim());
  report.check({ ...line, what: 'faults that the doctor finds', value: examined.code });
  await installation.stop();
}
