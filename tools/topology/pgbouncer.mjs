// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { freePort } from '../local/ports.mjs';
import { identityHere } from '../local/postgres.mjs';
import { onPath } from '../local/processes.mjs';
import { Life } from '../reliability/life.mjs';
import { becomesReady, doctor, startAll, useEverything } from './traffic.mjs';

/**
 * PgBouncer in transaction mode between services and Postgres, whatever its version: fewer connections to Postgres than
 * the pools of the services have. @param {import('../reliability/section.mjs').Section} section
 */
export async function verifyPgBouncer({ installation, report }) {
  const line = { promise: 'pgbouncer', limit: { exactly: 0 } };
  const program = onPath('pgbouncer') ?? onPath('/usr/sbin/pgbouncer');
  if (!program) throw new Failure('there is no pgbouncer on this machine (Debian: pgbouncer)');
  report.note(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.split('\n')[0] ?? '');
  const folder = join(installation.directory, 'pgbouncer');
  mkdirSync(folder);
  const port = await freePort();
  const server = new URL(installation.owner);
  const users = Object.values(installation.logins).map((url) => new URL(url));
  writeFileSync(
    join(folder, 'users'),
    users.map(({ username, password }) => `"${username}" "${decodeURIComponent(password)}"\n`).join(''),
    { mode: 0o600 },
  );
  const settings = [
    ...['[databases]', `outcomes = host=127.0.0.1 port=${server.port} dbname=outcomes`, '[pgbouncer]'],
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'pool_mode = transaction'],
    ...['auth_type = scram-sha-256', `auth_file = ${join(folder, 'users')}`, 'default_pool_size = 4'],
    'max_client_conn = 200',
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`, { mode: 0o600 });
  const through = (/** @type {string} */ url) => {
    const changed = new URL(url);
    changed.port = String(port);
    return changed.toString();
  };
  const asNobody = ['unshare', '-U', '--map-user=65534', '--map-group=65534'];
  const life = new Life(
    {
      name: 'pgbouncer',
      command: [...(identityHere() === 'namespace' ? asNobody : []), program, join(folder, 'pgbouncer.ini')],
      ready: () => answersPlainly(through(installation.logins.readApi)),
    },
    installation.directory,
  );
  await life.start();
  try {
    const setting = { environment: { DATABASE_POOLER: 'transaction' }, database: through };
    const tenant = await installation.newTenant('Pooled');
    const services = await startAll(installation, setting);
    const { answers: given, failed, uncounted } = await useEverything(installation, services, tenant, 400);
    report.check({ ...line, what: `answers of ${given} that are no success`, value: failed });
    report.check({ ...line, what: 'batches that are not counted', value: uncounted });
    const [row] = await installation.query(
      `SELECT count(*)::int AS held FROM pg_stat_activity WHERE usename LIKE 'outcomes%' AND datname = 'outcomes'`,
    );
    report.check({
      ...line,
      what: 'connections to Postgres, 4 a login',
      value: row.held,
      limit: { most: 20 },
    });
    const examined = await doctor(installation, { ...setting, redisUrl: installation.redisUrl });
    if (examined.code !== 0) report.note(examined.output.trim());
    report.check({ ...line, what: 'faults that the doctor finds', value: examined.code });
    await installation.stop();
    const isReady = await becomesReady(installation, 'read-api', { environment: {}, database: through });
    report.mutation({
      ...line,
      what: 'not told of the pooler: services that never become ready',
      value: isReady ? 0 : 1,
    });
  } finally {
    await installation.stop();
    await life.stop();
  }
}

/** Without parameters of the start, which this pooler refuses. @param {string} url */
async function answersPlainly(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query('SELECT 1')).rowCount === 1;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
