import { randomUUID } from 'node:crypto';
import { AppError } from '@outcomes/contracts';
import type { TenantDatabase } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Tries every way to change what is written in a table.
 * @param change - what UPDATE would set
 * @returns the ways that Postgres does not refuse for want of a privilege; nothing of them stays
 */
export async function permittedChanges(
  database: TenantDatabase,
  table: string,
  change: string,
): Promise<string[]> {
  const statements = {
    UPDATE: `UPDATE ${table} SET ${change}`,
    DELETE: `DELETE FROM ${table}`,
    TRUNCATE: `TRUNCATE ${table}`,
    DROP: `DROP TABLE ${table}`,
    ALTER: `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`,
  };
  const found: string[] = [];
  for (const [name, statement] of Object.entries(statements)) {
    const attempt = database.transaction(mintTenantScope(randomUUID()), async ({ client }) => {
      await client.query(statement);
      throw new AppError('EVENT_NOT_FOUND');
    });
    if ((await codeOf(attempt)) !== INSUFFICIENT_PRIVILEGE) found.push(name);
  }
  return found;
}

/** The SQLSTATE of what Postgres refused. */
async function codeOf(attempt: Promise<unknown>): Promise<unknown> {
  const error: unknown = await attempt.catch((reason: unknown) => reason);
  const cause = error instanceof AppError ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}
