import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../local/ports.mjs';
import { identityHere } from '../local/postgres.mjs';
import { onPath } from '../local/processes.mjs';
import type { Installation } from '../reliability/installation.ts';
import { Life } from '../reliability/life.ts';

/** `minor`: of 1.25.2 it is 25. */
export interface Program {
  file: string;
  version: string;
  minor: number;
}

/** The PgBouncers of this machine: what PGBOUNCER names, what is on the path, where Debian has it. */
export function findPgBouncers(): Program[] {
  const files = [process.env['PGBOUNCER'], onPath('pgbouncer'), '/usr/sbin/pgbouncer'];
  return [...new Set(files)].flatMap((file) => {
    if (!file) return [];
    const told = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 10_000 });
    const [version = ''] = (told.stdout ?? '').split('\n');
    const minor = /^PgBouncer 1\.(\d+)/.exec(version)?.[1];
    return minor === undefined ? [] : [{ file, version, minor: Number(minor) }];
  });
}

/**
 * PgBouncer in transaction mode before the installation's Postgres, for the logins of the services: four connections each.
 * @param pooler `settings`: further lines of its file.
 */
export async function startPgBouncer(
  installation: Installation,
  { name, program, settings = [] }: { name: string; program: Program; settings?: readonly string[] },
) {
  const folder = join(installation.directory, name);
  mkdirSync(folder);
  const port = await freePort();
  const server = new URL(installation.owner);
  const users = Object.values(installation.logins).map((url) => new URL(url));
  writeFileSync(
    join(folder, 'users'),
    users.map(({ username, password }) => `"${username}" "${decodeURIComponent(password)}"\n`).join(''),
    { mode: 0o600 },
  );
  const through = (url: string) => {
    const changed = new URL(url);
    changed.port = String(port);
    return changed.toString();
  };
  const observer = new URL(through(installation.logins.readApi));
  const lines = [
    ...['[databases]', `outcomes = host=127.0.0.1 port=${server.port} dbname=outcomes`, '[pgbouncer]'],
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'pool_mode = transaction'],
    ...['auth_type = scram-sha-256', `auth_file = ${join(folder, 'users')}`, 'default_pool_size = 4'],
    ...['max_client_conn = 200', `stats_users = ${observer.username}`, ...settings],
  ];
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  const asNobody = ['unshare', '-U', '--map-user=65534', '--map-group=65534'];
  const life = new Life(
    {
      name,
      command: [...(identityHere() === 'namespace' ? asNobody : []), program.file, file],
      ready: () => answersPlainly(through(installation.logins.readApi)),
    },
    installation.directory,
  );
  await life.start();
  observer.pathname = '/pgbouncer';
  return { through, stop: () => life.stop(), stats: () => statsOf(observer.toString()) };
}

/** Without parameters of the start, which this pooler refuses. */
async function answersPlainly(url: string) {
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

/**
 * What PgBouncer has counted for the database of the services, by its own names. Its console knows the simple protocol alone.
 */
async function statsOf(url: string): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query('SHOW STATS');
    const row = rows.find(({ database }) => database === 'outcomes') ?? {};
    return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]));
  } finally {
    await client.end();
  }
}
