import type { GROUP_ROLES } from './group-roles';

/** A permissive policy, its conditions as Postgres prints them. */
export interface Policy {
  readonly table: string;
  readonly name: string;
  readonly command: 'ALL' | 'SELECT' | 'INSERT' | 'DELETE';
  /** In alphabetical order, separated by commas; public is everybody. */
  readonly roles: string;
  readonly using: string | null;
  readonly check: string | null;
}

export interface Grant {
  readonly role: (typeof GROUP_ROLES)[number];
  readonly rights: readonly string[];
  /** Tables and sequences. */
  readonly on: readonly string[];
  /** Where the rights are of these columns alone. */
  readonly columns?: readonly string[];
}

/*
 * What protects the tables at the newest schema. The migrations make it; `outcomes migrate` puts back from here what
 * got lost, and `outcomes doctor` holds a database against it. protection.int-spec.ts fails where the two differ, so
 * a migration that grants something comes with its line here.
 */

const words = (text: string) => text.split(/\s+/).filter(Boolean);

/** Sequences, each with the table whose rows it numbers. */
export const SEQUENCES: Readonly<Record<string, string>> = {
  audit_log_sequence_seq: 'audit_log',
  schema_migrations_id_seq: 'schema_migrations',
};

const OWN_ROWS = words(`
  administration_log analysis_checkpoints analysis_plans analysis_runs announcements audit_call_counts audit_seals campaign_cells
  campaign_days campaign_evidence campaign_generations campaign_outcomes campaign_strata campaign_subjects campaign_texts campaigns channel_states claims
  cohort_counts cohort_weeks
  critical_campaigns decision_models erasures evidence_folds evidence_weeks held_deliveries industry_days ingest_batches key_contacts lent_priors llm_usage outcome_events rate_changes
  reanalysis_requests reply_echoes responder_counts responders snapshots source_days source_types suppression_list
  suppression_list_checks suppressions touch_rebuilds touches usage_months webhook_deliveries webhook_endpoints
  webhook_messages workflow_decisions`);

/** Tables whose rows belong to companies. */
export const COMPANY_TABLES: readonly string[] = [
  ...OWN_ROWS,
  ...words('api_keys audit_log companies invitations memberships sources'),
].sort();

/** Tables under forced row-level security: all but the list of migrations. */
export const SECURED_TABLES: readonly string[] = [
  ...COMPANY_TABLES,
  ...words('sign_in_attempts user_sessions users'),
].sort();

const setting = (name: string) => `NULLIF(current_setting('app.${name}'::text, true), ''::text)`;
const COMPANY = `(${setting('company_id')})::uuid`;
const OF_COMPANY = `(company_id = ${COMPANY})`;
const OF_USER = `(user_id = (${setting('user_id')})::uuid)`;
const presented = (column: string, name: string) => `(${column} = decode(${setting(name)}, 'hex'::text))`;
const PRESENTED_USER = `(${OF_USER} OR (email = ${setting('user_email')})
  OR ((issuer = ${setting('user_issuer')}) AND (subject = ${setting('user_subject')})))`;
const PRESENTED_SESSION = `(${presented('session_sha256', 'session')} OR ${OF_USER})`;
const PRESENTED_ATTEMPT = presented('attempt_sha256', 'sign_in_attempt');
const PRESENTED_KEY = `(${OF_COMPANY} OR (key_id = ${setting('key_id')}))`;
const PRESENTED_SOURCE = `(${OF_COMPANY} OR (source_id = ${setting('source_id')}))`;
const WORKER = 'outcomes_worker';
const SCHEDULERS = 'outcomes_admin, outcomes_worker';

const reading = (table: string, name: string, roles: string, using: string): Policy => ({
  ...{ table, name, roles, using },
  ...{ command: 'SELECT', check: null },
});

/** What the console may delete of everybody, when it says that it sweeps. */
const sweeping = (table: string, time: string, age: string): Policy[] => {
  const sweeps = `(current_setting('app.sweeps_accounts'::text, true) = 'on'::text)`;
  const using = `(${sweeps} AND (${time} < (now() - '${age}'::interval)))`;
  return [
    reading(table, 'find_ended', 'outcomes_console', using),
    { ...reading(table, 'delete_ended', 'outcomes_console', using), command: 'DELETE' },
  ];
};

export const POLICIES: readonly Policy[] = [
  ...OWN_ROWS.map((table): Policy => ({
    ...{ table, name: 'own_company', command: 'ALL', roles: 'public' },
    ...{ using: OF_COMPANY, check: OF_COMPANY },
  })),
  {
    ...{ table: 'api_keys', name: 'own_company_or_presented_key', command: 'ALL', roles: 'public' },
    ...{ using: PRESENTED_KEY, check: PRESENTED_KEY },
  },
  {
    ...{ table: 'sources', name: 'own_company_or_presented_source', command: 'ALL', roles: 'public' },
    ...{ using: PRESENTED_SOURCE, check: OF_COMPANY },
  },
  {
    ...{ table: 'users', name: 'presented_user', command: 'ALL', roles: 'public' },
    ...{ using: PRESENTED_USER, check: PRESENTED_USER },
  },
  {
    ...{ table: 'user_sessions', name: 'presented_session_or_own_user', command: 'ALL', roles: 'public' },
    ...{ using: PRESENTED_SESSION, check: PRESENTED_SESSION },
  },
  {
    ...{ table: 'sign_in_attempts', name: 'presented_attempt', command: 'ALL', roles: 'public' },
    ...{ using: PRESENTED_ATTEMPT, check: PRESENTED_ATTEMPT },
  },
  {
    ...{ table: 'memberships', name: 'own_company_or_own_user', command: 'ALL', roles: 'public' },
    ...{ using: `(${OF_COMPANY} OR ${OF_USER})`, check: OF_COMPANY },
  },
  {
    ...{ table: 'invitations', name: 'own_company_or_presented', command: 'ALL', roles: 'public' },
    ...{ using: `(${OF_COMPANY} OR ${presented('invitation_sha256', 'invitation')})`, check: OF_COMPANY },
  },
  {
    ...{ table: 'audit_log', name: 'append', command: 'INSERT', roles: 'public', using: null },
    check: `(company_id = ANY ((${setting('audit_company_ids')})::uuid[]))`,
  },
  {
    ...{ table: 'audit_log', name: 'leave_with_company', command: 'DELETE', roles: 'public' },
    ...{ using: OF_COMPANY, check: null },
  },
  reading('audit_log', 'beyond_mark', WORKER, `(sequence > (${setting('audit_beyond')})::bigint)`),
  reading(
    'audit_log',
    'read_own_or_requested',
    'public',
    `(${OF_COMPANY} OR (requested_company_id = ${COMPANY}))`,
  ),
  {
    ...{ table: 'companies', name: 'own_company', command: 'ALL', roles: 'public', check: OF_COMPANY },
    using: `(${OF_COMPANY} OR (portal_id = ${setting('portal_id')}))`,
  },
  reading('companies', 'schedule', SCHEDULERS, 'true'),
  reading('ingest_batches', 'schedule', SCHEDULERS, 'true'),
  reading('touch_rebuilds', 'schedule', SCHEDULERS, 'true'),
  reading('campaign_generations', 'schedule', WORKER, 'true'),
  reading('analysis_plans', 'schedule', WORKER, 'true'),
  reading('reanalysis_requests', 'schedule', WORKER, 'true'),
  reading(
    'webhook_deliveries',
    'schedule',
    WORKER,
    `(current_setting('app.finds_webhooks'::text, true) = 'on'::text)`,
  ),
  reading(
    'lent_priors',
    'form_prior',
    WORKER,
    `(current_setting('app.forms_prior'::text, true) = 'on'::text)`,
  ),
  ...sweeping('sign_in_attempts', 'began_at', '01:00:00'),
  ...sweeping('user_sessions', 'signed_in_at', '7 days'),
  ...sweeping('invitations', 'created_at', '7 days'),
];

const grant = (role: Grant['role'], rights: string, on: string, columns?: string): Grant => ({
  ...{ role, rights: words(rights), on: words(on) },
  ...(columns !== undefined && { columns: words(columns) }),
});

export const GRANTS: readonly Grant[] = [
  grant(
    'outcomes_ingest',
    'SELECT INSERT UPDATE DELETE',
    `campaign_cells campaign_days campaign_generations campaign_outcomes campaign_subjects campaign_texts campaigns channel_states
     cohort_counts cohort_weeks held_deliveries industry_days ingest_batches outcome_events reply_echoes responder_counts responders
     suppressions touches`,
  ),
  grant(
    'outcomes_ingest',
    'SELECT INSERT UPDATE',
    'reanalysis_requests source_days source_types suppression_list touch_rebuilds usage_months',
  ),
  grant('outcomes_ingest', 'SELECT INSERT', 'analysis_plans'),
  grant('outcomes_ingest', 'SELECT DELETE', 'snapshots workflow_decisions'),
  grant('outcomes_ingest', 'SELECT', 'api_keys companies schema_migrations sources'),
  grant('outcomes_ingest', 'UPDATE', 'sources', 'last_delivery_at'),
  grant('outcomes_ingest', 'INSERT', 'administration_log erasures'),
  grant('outcomes_ingest', 'SELECT', 'administration_log', 'company_id entry_no seal_sha256'),
  grant('outcomes_ingest', 'UPDATE', 'analysis_plans', 'requested_at'),
  grant('outcomes_ingest', 'UPDATE', 'api_keys', 'last_used_at locked_until'),
  grant(
    'outcomes_ingest',
    'SELECT',
    'analysis_runs',
    'begun_at company_id data_as_of decisions_made_at finished_at run_id started_at state',
  ),

  grant(
    'outcomes_worker',
    'SELECT INSERT UPDATE DELETE',
    `analysis_checkpoints analysis_runs announcements campaign_cells campaign_days campaign_evidence
     campaign_generations campaign_outcomes campaign_strata campaign_subjects campaign_texts campaigns channel_states cohort_counts cohort_weeks
     evidence_folds
     evidence_weeks industry_days ingest_batches lent_priors llm_usage outcome_events reanalysis_requests reply_echoes responder_counts responders
     snapshots suppressions touch_rebuilds touches webhook_deliveries`,
  ),
  grant(
    'outcomes_worker',
    'SELECT INSERT UPDATE',
    'analysis_plans audit_call_counts suppression_list suppression_list_checks',
  ),
  grant(
    'outcomes_worker',
    'SELECT INSERT DELETE',
    'critical_campaigns decision_models webhook_messages workflow_decisions',
  ),
  grant('outcomes_worker', 'SELECT', 'webhook_endpoints'),
  grant('outcomes_worker', 'UPDATE', 'webhook_endpoints', 'disabled_at disabled_reason'),
  grant('outcomes_worker', 'SELECT INSERT', 'audit_seals claims rate_changes'),
  grant('outcomes_worker', 'SELECT DELETE', 'held_deliveries key_contacts source_days'),
  grant('outcomes_worker', 'SELECT', 'sources', 'company_id last_delivery_at revoked_at source_id tool'),
  grant('outcomes_worker', 'SELECT', 'audit_log audit_log_sequence_seq companies schema_migrations'),
  grant('outcomes_worker', 'SELECT', 'api_keys', 'company_id expires_at key_id revoked_at'),

  grant(
    'outcomes_reader',
    'SELECT',
    `analysis_runs api_keys audit_call_counts campaign_cells campaign_days campaign_generations campaign_outcomes campaign_subjects
     campaign_texts campaigns claims cohort_counts companies decision_models evidence_weeks ingest_batches rate_changes responders schema_migrations snapshots
     suppression_list suppression_list_checks suppressions touch_rebuilds touches workflow_decisions`,
  ),
  grant('outcomes_reader', 'SELECT INSERT UPDATE', 'usage_months'),
  grant('outcomes_reader', 'SELECT INSERT', 'audit_log'),
  grant('outcomes_reader', 'INSERT', 'administration_log'),
  grant('outcomes_reader', 'SELECT', 'administration_log', 'company_id entry_no seal_sha256'),
  grant('outcomes_reader', 'UPDATE', 'api_keys', 'last_used_at locked_until'),
  grant(
    'outcomes_reader',
    'SELECT',
    'outcome_events',
    `company_id email_domain id_address_hash industry ingested_at outcome outcome_at outcome_at_is recipient_hash recipient_id sent_at
     touch_id`,
  ),

  grant('outcomes_admin', 'SELECT INSERT UPDATE DELETE', 'api_keys companies key_contacts webhook_endpoints'),
  grant('outcomes_admin', 'SELECT INSERT', 'administration_log'),
  grant('outcomes_admin', 'SELECT INSERT DELETE', 'webhook_deliveries webhook_messages'),
  grant('outcomes_admin', 'SELECT INSERT UPDATE', 'sources'),
  grant('outcomes_admin', 'SELECT DELETE', 'announcements critical_campaigns lent_priors llm_usage'),
  grant(
    'outcomes_admin',
    'SELECT',
    `analysis_plans analysis_runs audit_log audit_seals cohort_counts decision_models erasures held_deliveries ingest_batches
     outcome_events reanalysis_requests schema_migrations snapshots source_days source_types suppression_list suppression_list_checks
     suppressions touch_rebuilds touches usage_months workflow_decisions`,
  ),
  grant('outcomes_admin', 'UPDATE', 'ingest_batches', 'failed_attempts'),
  grant('outcomes_admin', 'SELECT INSERT UPDATE', 'users'),
  grant('outcomes_admin', 'SELECT INSERT UPDATE DELETE', 'invitations memberships user_sessions'),

  // Beside what reader and ingestion may, in whose groups it is.
  grant('outcomes_console', 'SELECT INSERT UPDATE', 'api_keys users'),
  grant('outcomes_console', 'SELECT INSERT UPDATE DELETE', 'invitations memberships user_sessions'),
  grant('outcomes_console', 'SELECT INSERT DELETE', 'sign_in_attempts'),
  grant('outcomes_console', 'SELECT INSERT', 'administration_log'),
  grant('outcomes_console', 'SELECT', 'companies'),
  grant('outcomes_console', 'UPDATE', 'companies', 'name time_zone'),
];
