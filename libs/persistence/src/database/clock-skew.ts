import type { Clock } from '@outcomes/platform';
import type { DataSource } from 'typeorm';

/** @returns milliseconds that a clock is ahead of that of Postgres, right but for half the time of the round trip */
export async function clockSkewMs(dataSource: DataSource, clock: Clock): Promise<number> {
  const before = clock.now().getTime();
  const [row] = await dataSource.query<{ now: number }[]>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
  );
  const after = clock.now().getTime();
  return (before + after) / 2 - (row?.now ?? Number.NaN);
}
