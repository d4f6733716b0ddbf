import { Gauge, type Management } from '@outcomes/platform';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

/**
 * Tells operators how much of the pool is in use, and how many wait for a connection.
 * @param limit - most connections that the pool opens
 */
export function observePool({ registry }: Management, dataSource: DataSource, limit: number): void {
  const registers = [registry];
  const pool = () =>
    dataSource.isInitialized ? (dataSource.driver as unknown as { master: Pool }).master : undefined;
  new Gauge({
    name: 'outcomes_database_connections',
    help: 'Connections of the pool to Postgres: in use, or idle.',
    labelNames: ['state'],
    registers,
    collect() {
      const { totalCount = 0, idleCount = 0 } = pool() ?? {};
      this.set({ state: 'idle' }, idleCount);
      this.set({ state: 'in_use' }, totalCount - idleCount);
    },
  });
  new Gauge({
    name: 'outcomes_database_connections_limit',
    help: 'Most connections that the pool opens.',
    registers,
  }).set(limit);
  new Gauge({
    name: 'outcomes_database_waiting',
    help: 'Pieces of work that wait for a connection of the pool.',
    registers,
    collect() {
      this.set(pool()?.waitingCount ?? 0);
    },
  });
}
