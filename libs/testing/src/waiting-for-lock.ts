import type { TestDatabase } from './test-database';

/**
 * Process ids of the connections that wait for a lock in this database: `pg_locks` and `pg_stat_activity` show those of
 * every database of the cluster, and suites that run at the same time have one each.
 * @param kind - where only one kind of lock counts: `advisory`, `relation`, `transactionid`, … (`wait_event` of Postgres)
 */
export async function waitingForLock(
  database: Pick<TestDatabase, 'query'>,
  kind?: string,
): Promise<number[]> {
  const waiting = await database.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND ($1::text IS NULL OR wait_event = $1)`,
    [kind ?? null],
  );
  return waiting.map(({ pid }) => pid);
}
