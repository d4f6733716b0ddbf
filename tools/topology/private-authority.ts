import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { newPassword } from '../local/installation.mjs';
import { freePort } from '../local/ports.mjs';
import { onPath } from '../local/processes.mjs';
import { findRedis } from '../local/redis.mjs';
import { Life } from '../reliability/life.ts';
import type { Section } from '../reliability/section.ts';
import { becomesReady, doctor, startAll, useEverything } from './traffic.ts';

function openssl(args: string[], cwd: string) {
  const { status, stderr } = spawnSync('openssl', args, { cwd, encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Failure(`openssl ${args[0]}: ${stderr}`);
}

/** An authority, and a certificate of it for this machine. */
function makeCertificates(folder: string) {
  if (!onPath('openssl')) throw new Failure('there is no openssl on this machine');
  mkdirSync(folder);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  openssl(
    ['req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=A private authority'],
    folder,
  );
  writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost');
  openssl(
    ['req', ...key.slice(0, 5), '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost'],
    folder,
  );
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
  openssl(['x509', '-req', '-in', 'server.csr', ...signed, '-out', 'server.crt'], folder);
  chmodSync(join(folder, 'server.key'), 0o600);
}

/**
 * Postgres and Redis with certificates of a private authority, verified in full; Redis with a user of its own that may not
 * do what is dangerous.
 */
export async function verifyPrivateAuthority({ installation, report }: Section) {
  const line = { promise: 'private-ca', limit: { exactly: 0 } };
  const folder = join(installation.directory, 'certificates');
  makeCertificates(folder);
  const path = (name: string) => join(folder, name);
  appendFileSync(
    join(installation.directory, 'postgres/postgresql.conf'),
    `ssl = on\nssl_cert_file = '${path('server.crt')}'\nssl_key_file = '${path('server.key')}'\n`,
  );
  await installation.postgres.stop();
  await installation.postgres.start();
  const [port, password] = [await freePort(), newPassword()];
  const { file } = await findRedis();
  const configuration = path('redis.conf');
  const lines = [
    ...[
      'bind 127.0.0.1',
      'port 0',
      `tls-port ${port}`,
      'save ""',
      'maxmemory-policy noeviction',
      `dir ${folder}`,
    ],
    ...[`tls-cert-file ${path('server.crt')}`, `tls-key-file ${path('server.key')}`],
    ...[`tls-ca-cert-file ${path('ca.crt')}`, 'tls-auth-clients no', 'user default off'],
    `user outcomes on >${password} ~* &* +@all -@dangerous +info`,
  ];
  writeFileSync(configuration, `${lines.join('\n')}\n`, { mode: 0o600 });
  const ready = () =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.unref();
      setTimeout(() => socket.destroy(), 100).unref();
    });
  const redis = new Life(
    { name: 'redis-tls', command: [file, configuration], ready: async () => Boolean(await ready()) },
    installation.directory,
  );
  await redis.start();
  try {
    const redisUrl = `rediss://outcomes:${password}@127.0.0.1:${port}`;
    const setting = {
      environment: { REDIS_URL: redisUrl, TRUSTED_CA_FILES: path('ca.crt') },
      database: (url: string) => `${url}?sslmode=verify-full`,
    };
    const tenant = await installation.newTenant('Private');
    const services = await startAll(installation, setting);
    const { answers, failed, uncounted } = await useEverything(installation, services, tenant, 200);
    report.check({ ...line, what: `answers of ${answers} that are no success`, value: failed });
    report.check({ ...line, what: 'batches that are not counted', value: uncounted });
    const [row] = await installation.query(
      `SELECT count(*) FILTER (WHERE NOT ssl)::int AS plain FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
       WHERE usename LIKE 'outcomes%'`,
    );
    report.check({ ...line, what: 'connections of services without encryption', value: row.plain });
    const examined = await doctor(installation, { ...setting, redisUrl });
    if (examined.code !== 0) report.note(examined.output.trim());
    report.check({ ...line, what: 'faults that the doctor finds', value: examined.code });
    await installation.stop();
    const ready = await becomesReady(installation, 'read-api', {
      ...setting,
      environment: { REDIS_URL: redisUrl },
    });
    report.mutation({
      ...line,
      what: 'not told of the authority: services that never become ready',
      value: ready ? 0 : 1,
    });
  } finally {
    await installation.stop();
    await redis.stop();
  }
}
