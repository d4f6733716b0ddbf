import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TABLES } from '../schema/first-tables';

const COMPANY = `nullif(current_setting('app.company_id', true), '')::uuid`;

/** Tables whose rows belong to a company in the plain way: seen and written by that company's transactions only. */
const TENANT_TABLES = [
  'outcome_events',
  'ingest_batches',
  'touches',
  'reply_echoes',
  'cohort_counts',
  'analysis_runs',
  'snapshots',
  'usage_months',
] as const;

/**
 * The whole first schema. Every table is led by company_id, so that it distributes by company as it stands, and
 * every one has forced row-level security. Services belong to group roles that own nothing.
 */
export class CreateSchema1790000000000 implements MigrationInterface {
  name = 'CreateSchema1790000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...ROLES, ...TABLES, ...securityStatements(), ...FUNCTIONS, ...GRANTS]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION read_snapshots(uuid, text[])');
    await runner.query('DROP FUNCTION add_counts(integer[], integer[])');
    // Roles stay: they are of the whole cluster, and another database may use them.
    for (const table of [...TENANT_TABLES, 'audit_log', 'api_keys', 'companies']) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}

const GROUP_ROLES = ['outcomes_ingest', 'outcomes_worker', 'outcomes_reader', 'outcomes_admin'] as const;

const ROLES = GROUP_ROLES.map(
  (role) => `DO $$ BEGIN
    CREATE ROLE ${role} NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
);

function securityStatements(): string[] {
  const force = (table: string) => [
    `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
    `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
  ];
  return [
    ...TENANT_TABLES.flatMap((table) => [
      ...force(table),
      `CREATE POLICY own_company ON ${table}
        USING (company_id = ${COMPANY}) WITH CHECK (company_id = ${COMPANY})`,
    ]),
    ...force('companies'),
    `CREATE POLICY own_company ON companies
      USING (company_id = ${COMPANY}
        OR portal_id = nullif(current_setting('app.portal_id', true), ''))
      WITH CHECK (company_id = ${COMPANY})`,
    // The daily schedule must know whom to schedule, and an administrator whom there is.
    `CREATE POLICY schedule ON companies FOR SELECT TO outcomes_worker, outcomes_admin USING (true)`,
    `CREATE POLICY schedule ON ingest_batches FOR SELECT TO outcomes_worker USING (true)`,
    ...force('api_keys'),
    // A key is found by its public id before its company is known: that one row and no other.
    `CREATE POLICY own_company_or_presented_key ON api_keys
      USING (company_id = ${COMPANY} OR key_id = nullif(current_setting('app.key_id', true), ''))
      WITH CHECK (company_id = ${COMPANY} OR key_id = nullif(current_setting('app.key_id', true), ''))`,
    ...force('audit_log'),
    `CREATE POLICY read_own_or_requested ON audit_log FOR SELECT
      USING (company_id = ${COMPANY} OR requested_company_id = ${COMPANY})`,
    // One group commit carries rows of several companies; the writer names exactly those.
    `CREATE POLICY append ON audit_log FOR INSERT
      WITH CHECK (company_id = ANY (nullif(current_setting('app.audit_company_ids', true), '')::uuid[]))`,
  ];
}

const FUNCTIONS = [
  // Element by element; the shorter array counts as zeros at its end.
  `CREATE FUNCTION add_counts(counts integer[], deltas integer[]) RETURNS integer[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT coalesce(array_agg(coalesce(count, 0) + coalesce(delta, 0) ORDER BY place), '{}')
      FROM unnest(counts, deltas) WITH ORDINALITY AS pairs (count, delta, place)
    $$`,
  // Whose rows and which rows in one statement, so that the hottest read costs one round trip. It runs with the
  // caller's rights, and the setting ends with the statement.
  `CREATE FUNCTION read_snapshots(of_company uuid, documents text[])
    RETURNS TABLE (document text, body text, etag text, data_as_of timestamptz, updated_at timestamptz)
    LANGUAGE plpgsql SECURITY INVOKER AS $$
    #variable_conflict use_column
    BEGIN
      PERFORM set_config('app.company_id', of_company::text, true);
      RETURN QUERY SELECT document, body, etag, data_as_of, updated_at FROM snapshots
        WHERE company_id = of_company AND document = ANY (documents);
    END $$`,
];

const GRANTS = [
  `GRANT USAGE ON SCHEMA public TO ${GROUP_ROLES.join(', ')}`,
  `GRANT SELECT ON companies TO ${GROUP_ROLES.join(', ')}`,
  `GRANT SELECT ON api_keys TO outcomes_ingest, outcomes_reader, outcomes_admin`,
  `GRANT UPDATE (locked_until) ON api_keys TO outcomes_ingest, outcomes_reader`,
  `GRANT SELECT, INSERT, UPDATE ON usage_months TO outcomes_ingest, outcomes_reader`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON outcome_events, ingest_batches, touches, reply_echoes, cohort_counts
    TO outcomes_ingest, outcomes_worker`,
  `GRANT SELECT ON touches, cohort_counts, analysis_runs, snapshots, ingest_batches TO outcomes_reader`,
  // The domain of a recipient's address, and nothing else of an event.
  `GRANT SELECT (company_id, recipient_id, recipient_hash, email_domain) ON outcome_events TO outcomes_reader`,
  `GRANT SELECT, INSERT ON audit_log TO outcomes_reader`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON analysis_runs, snapshots TO outcomes_worker`,
  `GRANT SELECT, DELETE ON snapshots TO outcomes_ingest`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON companies, api_keys TO outcomes_admin`,
  `GRANT SELECT ON schema_migrations TO outcomes_admin`,
  `GRANT SELECT ON outcome_events, ingest_batches, touches, cohort_counts, analysis_runs, snapshots,
    usage_months, audit_log TO outcomes_admin`,
];
