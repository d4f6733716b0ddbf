import type { QueryRunner } from 'typeorm';
import { inTransaction } from './transactions';

/**
 * Statements that read or change rows of all companies: the owner of the tables may be somebody whom row-level security
 * holds, and would see none. They belong in one transaction, so that nobody else sees the tables without it.
 */
export const ofAllCompanies = (tables: readonly string[], statements: readonly string[]) => [
  ...tables.map((table) => `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`),
  ...statements,
  ...tables.map((table) => `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`),
];

/** @returns the ids of all companies, whoever owns the tables; for a migration that is several transactions */
export async function listCompanies(runner: QueryRunner): Promise<string[]> {
  return inTransaction(runner, async () => {
    // Everybody waits for it, other than for an index, whose bounds a migration without a transaction has.
    await runner.query(`SET LOCAL lock_timeout = '2s'; SET LOCAL statement_timeout = '30min'`);
    await runner.query('ALTER TABLE companies NO FORCE ROW LEVEL SECURITY');
    const companies = (await runner.query('SELECT company_id AS id FROM companies')) as { id: string }[];
    await runner.query('ALTER TABLE companies FORCE ROW LEVEL SECURITY');
    return companies.map(({ id }) => id);
  });
}
