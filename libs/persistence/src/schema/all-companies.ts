/**
 * Statements that read or change rows of all companies: the owner of the tables may be somebody whom row-level security
 * holds, and would see none. They belong in one transaction, so that nobody else sees the tables without it.
 */
export const ofAllCompanies = (tables: readonly string[], statements: readonly string[]) => [
  ...tables.map((table) => `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`),
  ...statements,
  ...tables.map((table) => `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`),
];
