import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { failureLine } from '../output/cli-failure';
import { fault, ok, type Finding } from './finding';

const TIMEOUT_MS = 5_000;
const POLL_MS = 20;
const check = 'replica';

/** Whether the standby follows the primary, and how far behind it is. @param primary - URL of any login there */
export async function examineReplica(replica: string, primary: string): Promise<Finding> {
  const source = clientFor(primary);
  const standby = clientFor(replica);
  try {
    await Promise.all([source.connect(), standby.connect()]);
    return await followed(source, standby);
  } catch (error) {
    return fault(
      check,
      `not readable (${failureLine(error)}); documents are read from the primary meanwhile`,
    );
  } finally {
    await Promise.all([source, standby].map((client) => client.end().catch(() => undefined)));
  }
}

function clientFor(url: string): Client {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  return client;
}

async function followed(source: Client, standby: Client): Promise<Finding> {
  const { rows } = await source.query<{ position: string }>('SELECT pg_current_wal_flush_lsn() AS position');
  const began = performance.now();
  for (;;) {
    const found = await standby.query<{ isStandby: boolean; isPassed: boolean | null }>(
      `SELECT pg_is_in_recovery() AS "isStandby", pg_last_wal_replay_lsn() >= $1::pg_lsn AS "isPassed"`,
      [rows[0]?.position],
    );
    const waitedMs = performance.now() - began;
    if (found.rows[0]?.isStandby === false)
      return fault(check, 'this is not a standby, so it is not used; set DATABASE_REPLICA_URL to one');
    if (found.rows[0]?.isPassed) return ok(check, `a standby, less than ${Math.ceil(waitedMs)} ms behind`);
    if (waitedMs > TIMEOUT_MS)
      return fault(
        check,
        `more than ${TIMEOUT_MS / 1_000} s behind; documents are read from the primary meanwhile`,
      );
    await pause(POLL_MS);
  }
}
