import type { QueryRunner } from 'typeorm';

/** One of the transactions of a migration that is several. */
export async function inTransaction<Result>(
  runner: QueryRunner,
  work: () => Promise<Result>,
): Promise<Result> {
  await runner.startTransaction();
  try {
    const result = await work();
    await runner.commitTransaction();
    return result;
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

/**
 * Changes of tables in one of them, together. It waits two seconds for a lock, because everybody who comes later waits
 * behind it; then it fails, and is tried again as others are.
 */
export async function alterTogether(runner: QueryRunner, statements: readonly string[]): Promise<void> {
  await inTransaction(runner, async () => {
    await runner.query(`SET LOCAL lock_timeout = '2s'`);
    for (const statement of statements) await runner.query(statement);
  });
}
