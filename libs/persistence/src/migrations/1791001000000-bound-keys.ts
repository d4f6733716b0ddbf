import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys say what they are for, from where and for which tools they may be used, and when they were used last. */
export class BoundKeys1791001000000 implements MigrationInterface {
  name = 'BoundKeys1791001000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `ALTER TABLE api_keys
    ADD COLUMN purpose text CHECK (purpose IN ('agent', 'ingest', 'read')),
    ADD COLUMN tools text[] CHECK (cardinality(tools) > 0),
    ADD COLUMN networks text[] CHECK (cardinality(networks) > 0),
    ADD COLUMN last_used_at timestamptz`,
  // Whoever proves keys notes their use.
  `GRANT UPDATE (last_used_at) ON api_keys TO outcomes_ingest, outcomes_reader`,
];

const DOWN = [
  `REVOKE UPDATE (last_used_at) ON api_keys FROM outcomes_ingest, outcomes_reader`,
  `ALTER TABLE api_keys DROP COLUMN last_used_at, DROP COLUMN networks, DROP COLUMN tools, DROP COLUMN purpose`,
];
