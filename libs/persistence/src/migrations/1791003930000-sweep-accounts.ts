import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The console deletes what has ended and nobody presents any more: attempts to sign in, sessions and invitations. Without
 * a company or a user it sees them only in a transaction that says it sweeps, and then only those that are long over.
 */
export class SweepAccounts1791003930000 implements MigrationInterface {
  name = 'SweepAccounts1791003930000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const SWEEPS = `current_setting('app.sweeps_accounts', true) = 'on'`;

/** Whose rows are over, by when. */
const OVER = [
  ['sign_in_attempts', `began_at < now() - interval '1 hour'`],
  ['user_sessions', `signed_in_at < now() - interval '7 days'`],
  ['invitations', `created_at < now() - interval '7 days'`],
] as const;

// Deleting by a condition takes the right to read what it is about.
const UP = OVER.flatMap(([table, isOver]) => [
  `CREATE POLICY find_ended ON ${table} FOR SELECT TO outcomes_console USING (${SWEEPS} AND ${isOver})`,
  `CREATE POLICY delete_ended ON ${table} FOR DELETE TO outcomes_console USING (${SWEEPS} AND ${isOver})`,
]);

const DOWN = OVER.flatMap(([table]) => [
  `DROP POLICY delete_ended ON ${table}`,
  `DROP POLICY find_ended ON ${table}`,
]);
