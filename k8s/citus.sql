-- Spreads an installed schema over the nodes of a Citus cluster: psql DATABASE_URL --file k8s/citus.sql
-- Run it once, as the owner of the tables, after `outcomes migrate`. What a test holds about it:
-- libs/persistence/src/migrations/distribution.int-spec.ts.

-- Looked up before it is known which company asks, and small: a copy on every node.
SELECT create_reference_table('companies');
SELECT create_reference_table('api_keys');

-- The triggers of cohort_counts and touches write rows of the same company, thus of the same node.
DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I SET citus.enable_unsafe_triggers = on', current_database());
END $$;
SET citus.enable_unsafe_triggers = on;

-- All rows of one company on one node.
SELECT create_distributed_table('outcome_events', 'company_id');
SELECT create_distributed_table('ingest_batches', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('touches', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('reply_echoes', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('cohort_counts', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('cohort_weeks', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('analysis_checkpoints', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('responders', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('responder_counts', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('industry_days', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('analysis_runs', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('reanalysis_requests', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('snapshots', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('decision_models', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('workflow_decisions', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('lent_priors', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('llm_usage', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('key_contacts', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('announcements', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('usage_months', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('audit_log', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('audit_seals', 'company_id', colocate_with => 'outcome_events');
