import type { QueryRunner } from 'typeorm';

/**
 * Builds an index beside the traffic, for a migration with `transaction = false`. One that is there and complete stays, be it
 * from a run that was broken off later or built by hand; what is left of a build that was broken off is dropped.
 * @param on - table, columns and condition, as in CREATE INDEX; the table first
 */
export async function buildIndex(
  runner: QueryRunner,
  name: string,
  on: string,
  { isUnique = false } = {},
): Promise<void> {
  const [table] = on.split(/\s/);
  const [known] = (await runner.query(
    `SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND indrelid = to_regclass($2)
       AND indisvalid AND indisunique = $3`,
    [name, table, isUnique],
  )) as readonly unknown[];
  if (known) return;
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await runner.query(`CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ON ${on}`);
}
