-- Spreads an installed schema over the nodes of a Citus cluster: psql DATABASE_URL --file k8s/citus.sql
-- Run it once, as the owner of the tables and a superuser, after `outcomes migrate`. What tests hold about it:
-- libs/persistence/src/migrations/distribution.int-spec.ts (tables and keys), npm run verify:statements (queries).
\set ON_ERROR_STOP on
BEGIN;

-- Which company a transaction is of, its policies must know on every node. Citus carries SET LOCAL along and nothing
-- else, so for our settings set_config() becomes one: this function stands before the one of Postgres.
CREATE FUNCTION public.set_config(name text, value text, is_local boolean) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  IF NOT is_local OR name !~ '^app\.[a-z_]+$' THEN RETURN pg_catalog.set_config(name, value, is_local); END IF;
  EXECUTE format('SET LOCAL %s = %L', name, coalesce(value, ''));
  RETURN value;
END $$;

-- Notifications reach nobody from another node, and keep a transaction from being committed on several. Without them
-- read-api believes a document for one second.
DROP TRIGGER tell_snapshots ON snapshots;

-- They catch services of an earlier version that still run while a cluster is upgraded, by a setting that statements on
-- other nodes do not see in time. Here an upgrade begins with the services stopped.
DROP TRIGGER campaigns_uncounted_insert ON touches;
DROP TRIGGER campaigns_uncounted_update ON touches;
DROP TRIGGER campaigns_uncounted_delete ON touches;
DROP FUNCTION void_campaign_counts();

-- What triggers find changed cannot take part in a statement on spread tables. So it is collected first, and every
-- statement names the one company whose node it is on. What is counted is what the migrations' functions count.
CREATE OR REPLACE FUNCTION mark_cohort_weeks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  companies uuid[];
  weeks integer[];
BEGIN
  IF TG_OP = 'UPDATE' THEN
    SELECT array_agg(company_id ORDER BY company_id, week), array_agg(week ORDER BY company_id, week)
    INTO companies, weeks
    FROM (
      SELECT DISTINCT company_id, (sent_day - date '1970-01-01') / 7 AS week
      FROM before FULL JOIN after USING (company_id, sent_day, channel, step_bucket, position)
      WHERE (before.touches, before.replies, before.bounces, before.unsubscribes, before.opens, before.meetings,
        before.streamed, before.last_outcome_at, before.level_touches, before.level_replies, before.level_randomized,
        before.hour_touches, before.hour_replies, before.reply_delays,
        CASE WHEN before.tested_level_touches = before.level_touches THEN before.tested_replies
          ELSE before.replies END,
        CASE WHEN before.tested_level_touches = before.level_touches THEN before.tested_level_replies
          ELSE before.level_replies END)
      IS DISTINCT FROM (after.touches, after.replies, after.bounces, after.unsubscribes, after.opens, after.meetings,
        after.streamed, after.last_outcome_at, after.level_touches, after.level_replies, after.level_randomized,
        after.hour_touches, after.hour_replies, after.reply_delays,
        CASE WHEN after.tested_level_touches = after.level_touches THEN after.tested_replies ELSE after.replies END,
        CASE WHEN after.tested_level_touches = after.level_touches THEN after.tested_level_replies
          ELSE after.level_replies END)
    ) AS touched;
  ELSE
    SELECT array_agg(company_id ORDER BY company_id, week), array_agg(week ORDER BY company_id, week)
    INTO companies, weeks
    FROM (SELECT DISTINCT company_id, (sent_day - date '1970-01-01') / 7 AS week FROM changed) AS touched;
  END IF;
  FOR at IN 1 .. coalesce(cardinality(companies), 0) LOOP
    INSERT INTO cohort_weeks (company_id, week, revision) VALUES (companies[at], weeks[at], gen_random_uuid())
    ON CONFLICT (company_id, week) DO UPDATE SET revision = excluded.revision, digest = NULL, make = NULL;
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_responders() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes json;
  change record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT json_agg(part) INTO changes FROM (SELECT *, 1 AS sign FROM after) AS part;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT json_agg(part) INTO changes FROM (SELECT *, -1 AS sign FROM before) AS part;
  ELSE
    SELECT json_agg(part) INTO changes
    FROM (SELECT *, 1 AS sign FROM after UNION ALL SELECT *, -1 AS sign FROM before) AS part;
  END IF;
  FOR change IN
    SELECT company_id, position, industry, sum(sign) AS people, sum(sign * responses) AS responses,
      coalesce(sum(sign) FILTER (WHERE confidence >= 0.8), 0) AS confident, sum(sign * confidence) AS confidence,
      bool_or(sign < 0) AS is_left
    FROM json_to_recordset(changes) AS part (company_id uuid, position smallint, industry text, responses integer,
      confidence numeric, sign integer)
    GROUP BY company_id, position, industry ORDER BY company_id, position, industry
  LOOP
    INSERT INTO responder_counts AS known (company_id, position, industry, people, confident, responses, confidence)
    VALUES (change.company_id, change.position, change.industry, change.people, change.confident, change.responses,
      change.confidence)
    ON CONFLICT (company_id, position, industry) DO UPDATE SET people = known.people + excluded.people,
      confident = known.confident + excluded.confident, responses = known.responses + excluded.responses,
      confidence = known.confidence + excluded.confidence;
    IF change.is_left THEN
      DELETE FROM responder_counts WHERE company_id = change.company_id AND position = change.position
        AND industry = change.industry AND people = 0;
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION follow_touches() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed json;
  one record;
  person record;
  unaddressed text[];
  asked text[];
  answered text[];
  own_recipients text[];
  own_people text[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT json_agg(part) INTO changed
    FROM (SELECT DISTINCT company_id, recipient_id, recipient_hash, outcome, sent_day FROM after) AS part;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT json_agg(part) INTO changed
    FROM (SELECT DISTINCT company_id, recipient_id, recipient_hash, outcome, sent_day FROM before) AS part;
  ELSE
    SELECT json_agg(part) INTO changed FROM (
      WITH differing AS (
        SELECT company_id, before.recipient_id AS id_before, before.recipient_hash AS hash_before,
          before.outcome AS outcome_before, before.sent_day AS day_before, after.recipient_id, after.recipient_hash,
          after.outcome, after.sent_day
        FROM before FULL JOIN after USING (company_id, touch_id)
        WHERE (before.recipient_hash, before.outcome, before.position, before.position_confidence, before.industry,
          before.sent_at, before.sent_day, before.channel, before.sequence_step, before.levels, before.campaign_id)
        IS DISTINCT FROM (after.recipient_hash, after.outcome, after.position, after.position_confidence,
          after.industry, after.sent_at, after.sent_day, after.channel, after.sequence_step, after.levels,
          after.campaign_id)
      )
      SELECT company_id, recipient_id, recipient_hash, outcome, sent_day FROM differing
      UNION SELECT company_id, id_before, hash_before, outcome_before, day_before FROM differing
    ) AS part;
  END IF;
  FOR one IN
    SELECT company_id, array_agg(DISTINCT sent_day) AS days,
      array_agg(DISTINCT recipient_hash) FILTER (WHERE outcome = 1) AS hashes,
      array_agg(DISTINCT recipient_id) FILTER (WHERE recipient_hash IS NOT NULL) AS addressed,
      array_agg(DISTINCT recipient_id) FILTER (WHERE outcome = 1 AND recipient_hash IS NULL) AS unaddressed
    FROM json_to_recordset(changed)
      AS part (company_id uuid, recipient_id text, recipient_hash text, outcome smallint, sent_day date)
    GROUP BY company_id ORDER BY company_id
  LOOP
    DELETE FROM industry_days WHERE company_id = one.company_id AND sent_day = ANY (one.days);
    -- Recipients with an answer that names no address, and everybody whom they were or have become.
    SELECT one.unaddressed || array_agg(DISTINCT recipient_id) INTO unaddressed FROM touches
    WHERE company_id = one.company_id AND outcome = 1 AND recipient_hash IS NULL
      AND recipient_id = ANY (one.addressed);
    SELECT one.hashes || array_agg(left(encode(sha256(convert_to('recipient_id:' || recipient_id, 'UTF8')), 'hex'), 16)) INTO asked
    FROM unnest(unaddressed) AS recipient_id;
    SELECT asked || array_agg(DISTINCT recipient_hash) INTO asked
    FROM json_to_recordset(changed) AS part (company_id uuid, recipient_id text, recipient_hash text)
    WHERE company_id = one.company_id AND recipient_id = ANY (unaddressed);
    SELECT asked || array_agg(DISTINCT recipient_hash) INTO asked FROM touches
    WHERE company_id = one.company_id AND recipient_id = ANY (unaddressed);
    -- Whose the answers without an address are.
    SELECT unaddressed || array_agg(DISTINCT recipient_id) INTO own_recipients FROM touches
    WHERE company_id = one.company_id AND outcome = 1 AND recipient_hash IS NULL AND recipient_id IN (
      SELECT recipient_id FROM touches AS named
      WHERE named.company_id = one.company_id AND named.recipient_hash = ANY (asked));
    SELECT array_agg(recipient_id), array_agg(coalesce(address, left(encode(sha256(convert_to('recipient_id:' || recipient_id, 'UTF8')), 'hex'), 16)))
    INTO own_recipients, own_people
    FROM (
      SELECT recipient_id, min(recipient_hash COLLATE "C") AS address FROM touches
      WHERE company_id = one.company_id AND recipient_id = ANY (own_recipients) GROUP BY recipient_id
    ) AS own;
    answered := '{}';
    FOR person IN
      SELECT coalesce(recipient_hash, own.person) AS id,
        array_agg(DISTINCT touches.recipient_id) FILTER (WHERE recipient_hash IS NULL) AS recipient_ids,
        (array_agg(position ORDER BY position = 0, sent_at DESC, touch_id))[1] AS position,
        (array_agg(position_confidence::numeric ORDER BY position = 0, sent_at DESC, touch_id))[1] AS confidence,
        count(*)::int AS responses, coalesce((array_agg(industry ORDER BY industry IS NULL, sent_at DESC, touch_id))[1], '') AS industry
      FROM touches LEFT JOIN unnest(own_recipients, own_people) AS own (recipient_id, person)
        ON touches.recipient_hash IS NULL AND own.recipient_id = touches.recipient_id
      WHERE company_id = one.company_id AND outcome = 1 AND (recipient_hash = ANY (asked)
        OR recipient_hash IS NULL AND touches.recipient_id = ANY (own_recipients) AND own.person = ANY (asked))
      GROUP BY 1 ORDER BY 1
    LOOP
      answered := answered || person.id;
      INSERT INTO responders AS known
        (company_id, recipient_hash, recipient_ids, position, confidence, responses, industry)
      VALUES (one.company_id, person.id, person.recipient_ids, person.position, person.confidence, person.responses,
        person.industry)
      ON CONFLICT (company_id, recipient_hash) DO UPDATE SET recipient_ids = excluded.recipient_ids,
        position = excluded.position, confidence = excluded.confidence, responses = excluded.responses,
        industry = excluded.industry
      WHERE (known.recipient_ids, known.position, known.confidence, known.responses, known.industry)
        IS DISTINCT FROM (excluded.recipient_ids, excluded.position, excluded.confidence, excluded.responses,
          excluded.industry);
    END LOOP;
    DELETE FROM responders
    WHERE company_id = one.company_id AND recipient_hash = ANY (asked) AND recipient_hash <> ALL (answered);
  END LOOP;
  RETURN NULL;
END $$;

-- Reads nothing but the row itself, so it stays as the migration made it.
CREATE OR REPLACE FUNCTION keep_unfolded_batches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.fold_version IS NULL THEN RETURN NULL; END IF;
  RETURN NEW;
END $$;

-- Looked up before it is known which company asks, and small: a copy on every node.
SELECT create_reference_table('companies');
SELECT create_reference_table('api_keys');
-- People are found before a company is known.
SELECT create_reference_table('users');
SELECT create_reference_table('user_sessions');
SELECT create_reference_table('sign_in_attempts');
SELECT create_reference_table('memberships');
SELECT create_reference_table('invitations');

-- Triggers work on rows of one company, thus of one node.
SET LOCAL citus.enable_unsafe_triggers = on;

-- All rows of one company on one node.
SELECT create_distributed_table('outcome_events', 'company_id');
SELECT create_distributed_table('ingest_batches', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('touches', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('reply_echoes', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('suppressions', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('suppression_list', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('suppression_list_checks', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('sources', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('source_days', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('source_types', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('held_deliveries', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('webhook_endpoints', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('webhook_messages', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('webhook_deliveries', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('critical_campaigns', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('touch_rebuilds', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('campaigns', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('campaign_days', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('campaign_cells', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('campaign_outcomes', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('campaign_texts', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('campaign_subjects', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('campaign_generations', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('rate_changes', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('channel_states', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('campaign_evidence', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('campaign_strata', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('evidence_folds', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('claims', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('evidence_weeks', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('erasures', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('cohort_counts', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('cohort_weeks', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('analysis_checkpoints', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('responders', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('responder_counts', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('industry_days', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('analysis_runs', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('reanalysis_requests', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('analysis_plans', 'company_id', colocate_with => 'outcome_events');
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
SELECT create_distributed_table('audit_call_counts', 'company_id', colocate_with => 'outcome_events');
SELECT create_distributed_table('administration_log', 'company_id', colocate_with => 'outcome_events');

-- The two hottest reads, which set their company themselves, go to its node as they are.
SELECT create_distributed_function('read_snapshot(uuid,text)', 'of_company', colocate_with => 'outcome_events');
SELECT create_distributed_function('read_snapshots(uuid,text[])', 'of_company', colocate_with => 'outcome_events');
COMMIT;

-- For every session from now on, which Citus sees to on every node: restart the services.
SELECT format('ALTER DATABASE %I SET %s', current_database(), setting)
FROM unnest(ARRAY[
  'search_path = public, pg_catalog',
  'citus.propagate_set_commands = local',
  'citus.enable_unsafe_triggers = on',
  'citus.allow_nested_distributed_execution = on',
  'citus.skip_advisory_lock_permission_checks = on'
]) AS setting
\gexec
