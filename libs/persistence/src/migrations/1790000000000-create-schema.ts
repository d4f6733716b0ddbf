import type { MigrationInterface, QueryRunner } from 'typeorm';

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

const TABLES = [
  `CREATE TABLE companies (
    company_id uuid PRIMARY KEY,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    time_zone text NOT NULL DEFAULT 'UTC',
    portal_id text UNIQUE,
    borrows_platform_prior boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE TABLE api_keys (
    company_id uuid NOT NULL REFERENCES companies,
    key_id text NOT NULL UNIQUE CHECK (key_id ~ '^[0-9A-Za-z]{16}$'),
    secret_sha256 bytea NOT NULL CHECK (octet_length(secret_sha256) = 32),
    name text NOT NULL DEFAULT '',
    permissions text[] NOT NULL,
    burst_limit integer CHECK (burst_limit > 0),
    monthly_quota integer CHECK (monthly_quota > 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    locked_until timestamptz,
    PRIMARY KEY (company_id, key_id)
  )`,
  // Enumerations are stored as their index in libs/contracts (outcomes/dimensions.ts).
  `CREATE TABLE outcome_events (
    company_id uuid NOT NULL,
    event_id uuid NOT NULL,
    touch_id uuid NOT NULL,
    channel smallint NOT NULL,
    sequence_step smallint NOT NULL,
    outcome smallint NOT NULL,
    tone smallint,
    sent_offset_minutes smallint,
    sent_has_time boolean NOT NULL,
    word_count integer,
    sent_at timestamptz NOT NULL,
    outcome_at timestamptz NOT NULL,
    ingested_at timestamptz NOT NULL DEFAULT now(),
    recipient_id text NOT NULL,
    thread_id text NOT NULL,
    campaign_id text,
    recipient_hash text,
    email_domain text,
    recipient_position text,
    subject text,
    body_excerpt text,
    body text,
    industry text,
    metadata jsonb,
    PRIMARY KEY (company_id, event_id)
  )`,
  `CREATE INDEX outcome_events_by_recipient ON outcome_events (company_id, recipient_id, touch_id)`,
  `CREATE INDEX outcome_events_by_age ON outcome_events USING brin (ingested_at)`,
  `CREATE TABLE ingest_batches (
    company_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    event_ids uuid[] NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    processed_at timestamptz,
    failed_attempts smallint NOT NULL DEFAULT 0,
    PRIMARY KEY (company_id, batch_id)
  )`,
  `CREATE INDEX ingest_batches_pending ON ingest_batches (company_id, received_at) WHERE processed_at IS NULL`,
  // One message sent to one recipient, with its strongest outcome: the unit that statistics count.
  `CREATE TABLE touches (
    company_id uuid NOT NULL,
    touch_id uuid NOT NULL,
    channel smallint NOT NULL,
    sequence_step smallint NOT NULL,
    position smallint NOT NULL,
    position_confidence real NOT NULL,
    outcome smallint NOT NULL,
    opened boolean NOT NULL DEFAULT false,
    meeting_booked boolean NOT NULL DEFAULT false,
    streamed boolean NOT NULL,
    sent_hour smallint,
    sent_day date NOT NULL,
    sent_at timestamptz NOT NULL,
    outcome_at timestamptz NOT NULL,
    levels smallint[] NOT NULL,
    recipient_id text NOT NULL,
    thread_id text NOT NULL,
    campaign_id text,
    recipient_hash text,
    recipient_position text,
    PRIMARY KEY (company_id, touch_id)
  )`,
  `CREATE INDEX touches_by_recipient ON touches (company_id, recipient_id)`,
  `CREATE INDEX touches_answered ON touches (company_id, recipient_id) WHERE outcome = 1`,
  `CREATE INDEX touches_by_address ON touches (company_id, recipient_hash) WHERE recipient_hash IS NOT NULL`,
  `CREATE INDEX touches_by_campaign ON touches (company_id, campaign_id, sent_day) WHERE campaign_id IS NOT NULL`,
  `CREATE INDEX touches_by_day ON touches (company_id, sent_day)`,
  // A reply that came under another recipient_id of the same address closes that one's message, and is no message
  // of its own: it stands here instead of in touches.
  `CREATE TABLE reply_echoes (
    company_id uuid NOT NULL,
    touch_id uuid NOT NULL,
    recipient_id text NOT NULL,
    recipient_hash text NOT NULL,
    closes_touch_id uuid NOT NULL,
    PRIMARY KEY (company_id, touch_id)
  )`,
  `CREATE INDEX reply_echoes_by_address ON reply_echoes (company_id, recipient_hash)`,
  // Sufficient statistics: per send day and stratum the touches and replies, overall and per feature level.
  // Arrays are indexed by LEVELS of libs/contracts; a missing tail means zeros. The tested_ columns hold what a
  // mature day entered the tests with: later replies correct the estimates and leave the tests as they were.
  `CREATE TABLE cohort_counts (
    company_id uuid NOT NULL,
    sent_day date NOT NULL,
    channel smallint NOT NULL,
    step_bucket smallint NOT NULL,
    position smallint NOT NULL,
    touches integer NOT NULL,
    replies integer NOT NULL,
    bounces integer NOT NULL,
    unsubscribes integer NOT NULL,
    opens integer NOT NULL,
    meetings integer NOT NULL,
    streamed integer NOT NULL,
    last_outcome_at timestamptz,
    level_touches integer[] NOT NULL,
    level_replies integer[] NOT NULL,
    hour_touches integer[] NOT NULL,
    hour_replies integer[] NOT NULL,
    reply_delays integer[] NOT NULL,
    tested_level_touches integer[],
    tested_level_replies integer[],
    tested_replies integer,
    PRIMARY KEY (company_id, sent_day, channel, step_bucket, position)
  )`,
  `CREATE TABLE analysis_runs (
    company_id uuid NOT NULL,
    run_id uuid NOT NULL,
    run_key text NOT NULL,
    state text NOT NULL CHECK (state IN ('running', 'succeeded', 'failed')),
    engine_version text NOT NULL,
    data_as_of timestamptz NOT NULL,
    started_at timestamptz NOT NULL,
    finished_at timestamptz,
    failure_code text,
    PRIMARY KEY (company_id, run_id)
  )`,
  `CREATE INDEX analysis_runs_newest ON analysis_runs (company_id, started_at DESC)`,
  // What a run found, as the bytes that the API sends.
  `CREATE TABLE snapshots (
    company_id uuid NOT NULL,
    document text COLLATE "C" NOT NULL,
    run_id uuid NOT NULL,
    data_as_of timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    etag text NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (company_id, document)
  )`,
  `CREATE TABLE usage_months (
    company_id uuid NOT NULL,
    key_id text NOT NULL,
    month date NOT NULL,
    used integer NOT NULL CHECK (used >= 0),
    PRIMARY KEY (company_id, key_id, month)
  )`,
  `CREATE TABLE audit_log (
    company_id uuid NOT NULL,
    entry_id uuid NOT NULL,
    sequence bigint GENERATED ALWAYS AS IDENTITY,
    occurred_at timestamptz NOT NULL,
    requested_company_id uuid,
    key_id text NOT NULL,
    actor_type text NOT NULL,
    actor_id text NOT NULL,
    tool text NOT NULL,
    status text NOT NULL CHECK (status IN ('success', 'error')),
    error_type text,
    latency_ms real NOT NULL,
    input_sha256 bytea NOT NULL CHECK (octet_length(input_sha256) = 32),
    output_sha256 bytea CHECK (octet_length(output_sha256) = 32),
    request_id text NOT NULL,
    PRIMARY KEY (company_id, entry_id)
  )`,
  `CREATE INDEX audit_log_newest ON audit_log (company_id, sequence DESC)`,
  `CREATE INDEX audit_log_by_time ON audit_log (company_id, occurred_at DESC, sequence DESC)`,
  `CREATE INDEX audit_log_requested ON audit_log (requested_company_id, sequence DESC)
    WHERE requested_company_id IS NOT NULL`,
];

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
