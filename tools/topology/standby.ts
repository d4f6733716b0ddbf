import { appendFileSync, chmodSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { Failure } from '../local/failure.mjs';
import { freePort } from '../local/ports.mjs';
import { postgresService } from '../local/postgres.mjs';
import { within } from '../local/processes.mjs';
import type { Installation } from '../reliability/installation.ts';
import { Life } from '../reliability/life.ts';

const patience = 60_000;
/** By which the primary knows it, also in synchronous_standby_names. */
export const standbyName = 'standby';

/**
 * A standby that follows the installation's Postgres by streaming. The primary is stopped for as long as its files are
 * copied.
 */
export async function startStandby(installation: Installation) {
  const primary = new URL(installation.owner);
  const directory = join(installation.directory, 'standby');
  const password = decodeURIComponent(primary.password);
  const port = await freePort();
  await installation.postgres.stop();
  cpSync(join(installation.directory, 'postgres'), directory, { recursive: true });
  // Postgres refuses a folder that others may read.
  chmodSync(directory, 0o700);
  writeFileSync(join(directory, 'standby.signal'), '');
  const source = `host=127.0.0.1 port=${primary.port} user=${primary.username} password=${password}`;
  appendFileSync(
    join(directory, 'postgresql.auto.conf'),
    `primary_conninfo = '${source} application_name=${standbyName}'\n`,
  );
  await installation.postgres.start();
  const service = postgresService({ directory, port, password, durable: true });
  const life = await new Life({ ...service, name: standbyName }, installation.directory).start();
  /** How the primary sees it: async or sync; undefined while it does not follow. */
  const state = async (): Promise<string | undefined> => {
    const text = 'SELECT sync_state FROM pg_stat_replication WHERE application_name = $1';
    return (await installation.query(text, [standbyName]))[0]?.sync_state;
  };
  if (!(await within(patience, async () => (await state()) !== undefined))) {
    await life.stop();
    throw new Failure('the standby does not follow');
  }
  /** The same URL, on the standby. */
  const urlOf = (url: string) => {
    const changed = new URL(url);
    changed.port = String(port);
    return changed.toString();
  };
  /** One query there, as the owner. */
  const query = async (text: string, values: unknown[] = []): Promise<any[]> => {
    const client = new pg.Client({ connectionString: urlOf(installation.owner), query_timeout: 60_000 });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  };
  return { life, port, state, urlOf, query };
}
