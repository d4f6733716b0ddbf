import type { Client } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';

/** What the driver has and its type does not tell. */
interface DriverParts {
  readonly connectedQueryRunners: QueryRunner[];
}

/**
 * Ends a data source and every connection of it, also those with a transaction under way, which fails.
 *
 * Left to itself, TypeORM returns connections in use to the pool before it ends the pool, and the pool hands each of them
 * to whoever waits: two tenants' transactions would then share one connection, and the statements of one run under the
 * company of the other. With no runner left to return, the pool is told first, in this very turn; from then on it hands
 * out nothing, and removes what it gets back.
 */
export async function endConnections(dataSource: DataSource): Promise<void> {
  const inUse = (dataSource.driver as unknown as DriverParts).connectedQueryRunners.splice(0);
  const ended = dataSource.destroy();
  for (const runner of inUse) {
    // Not `end()`, which has statements that were sent answered first. The runner gives the lost connection back by itself.
    void runner.connect().then(({ connection }: Client) => connection.stream.destroy());
  }
  await ended;
}
