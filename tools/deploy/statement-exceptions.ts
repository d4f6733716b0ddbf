// Statements on spread tables that name no company, and why that is right. On Citus the first group asks every node,
// which is slower than a statement for one company and as correct; all of them have run on a cluster.
const exceptions: Record<string, { matches: RegExp; reason: string }> = {
  'who has batches that wait': {
    matches: /^SELECT company_id FROM ingest_batches WHERE processed_at IS NULL/,
    reason: 'The sweep of the workers must find companies whose message is lost.',
  },
  'how much waits': {
    matches: /^SELECT \(count\(\*\) FILTER .* AS waiting, .* FROM ingest_batches WHERE processed_at IS NULL$/,
    reason: 'What operators see of the backlog is of the whole installation.',
  },
  'which batches wait or failed': {
    matches: /FROM ingest_batches WHERE processed_at IS NULL AND \(\$1::uuid IS NULL OR company_id = \$1\)/,
    reason: 'An administrator asks for all companies, or for one, on the command line.',
  },
  'who waits for a re-analysis': {
    matches: /FROM reanalysis_requests WHERE requested_at </,
    reason: 'As above, for what a deletion asked for.',
  },
  'whose analysis is due': {
    matches: /^SELECT company_id FROM analysis_plans WHERE next_at <= clock_timestamp\(\)/,
    reason: 'As above, for what was counted and is in no analysis yet.',
  },
  'who has a webhook that is due': {
    matches: /^SELECT company_id FROM webhook_deliveries WHERE due_at <= \$1/,
    reason: 'As above, for messages of the outbox.',
  },
  'how many companies have had no analysis': {
    matches: /^SELECT count\(\*\)::int AS overdue FROM companies LEFT JOIN analysis_plans AS plan/,
    reason: 'What operators are told of the daily runs is of the whole installation.',
  },
  'whose stored history is to be rebuilt': {
    matches: /^SELECT company_id FROM \( ?SELECT company_id, requested_at FROM touch_rebuilds/,
    reason: 'As above, for what an upgrade asked for.',
  },
  'which source a delivery names': {
    matches: /^SELECT company_id AS "companyId", source_id .* FROM sources WHERE source_id = \$1$/,
    reason: 'Tools know the address that they deliver to, and no company.',
  },
  'who has audit rows that no seal covers': {
    matches: /^SELECT DISTINCT company_id FROM audit_log WHERE sequence >/,
    reason: 'The sealer must know whose rows are new, once a minute.',
  },
  'calls that others made about a company': {
    matches: /FROM audit_log WHERE .*requested_company_id = \$1/,
    reason:
      'They are with the company whose key was used; the one they are about may see that they were made.',
  },
  'what companies lend to the platform': {
    matches: /FROM lent_priors JOIN companies USING \(company_id\) WHERE company_id <> \$1/,
    reason: 'The prior of all companies is made of two numbers of each, in the run of one.',
  },

  'what a backup reads': {
    matches:
      /^(COPY \(SELECT .* FROM "\w+"\) TO STDOUT|SELECT count\(\*\)::float8 AS rows, coalesce\(sum\(|COPY \(SELECT json_build_object\(.* FROM erasures WHERE erased_at >)/,
    reason: 'A backup is of all companies, and so is the ledger of erasures beside it.',
  },

  'what follows touches and counts': {
    matches:
      /\b(FROM|JOIN) (before|after|changed)\b.*(industry_days|responders|responder_counts|cohort_weeks)|(industry_days|responders|responder_counts|cohort_weeks)\b.*\b(FROM|JOIN) (before|after|changed)\b|company_id = one\.company_id\b|^DELETE FROM campaign\w* WHERE company_id = company$/,
    reason: 'Functions of the migrations; citus.sql puts others in their place, or drops them.',
  },
  'what migrations fill': {
    matches:
      /^INSERT INTO (cohort_weeks AS known \(company_id, week, revision\) SELECT company_id, week, gen_random_uuid\(\) FROM \(SELECT DISTINCT|analysis_plans \(company_id, daily_since\) SELECT company_id, min\(finished_at\)|touch_rebuilds \(company_id\) SELECT company_id FROM companies|campaign_generations \(company_id, generation, counts_outcomes\) SELECT company_id, 1, false FROM companies)/,
    reason: 'Migrations run before the tables are spread, or by their owner, of all companies.',
  },
  'what a migration fills of one company': {
    matches:
      /^SELECT company_id, array_agg\(DISTINCT sent_day\) AS days, .* FROM touches WHERE company_id = current_setting\(\$\d+\)::uuid AND/,
    reason: 'As above; a DO block takes no parameters, so that it reads the company from the setting.',
  },
  'what migrations take back': {
    matches:
      /^(UPDATE suppression_list SET reason = \$1 WHERE reason = \$2$|DELETE FROM workflow_decisions AS earlier USING workflow_decisions AS later WHERE later\.company_id = earlier\.company_id\b)/,
    reason: 'As above, on the way down.',
  },
  'whether a database is empty': {
    matches: /^SELECT FROM "\w+" LIMIT \$1$/,
    reason: 'A backup is restored into a database that has no rows, of any company.',
  },

  'what specs are refused': {
    matches: /^(DELETE FROM|UPDATE) (audit_(log|seals)|webhook_deliveries)( SET \w+ = \$1)?$/,
    reason:
      'No login of a service may change what was audited, or what is of others, and specs see that none can.',
  },
  'what specs ask without a company': {
    matches:
      /^SELECT (DISTINCT )?(\* |\$1 |company_id |email |email_domain |count\(\*\)::integer AS count )?FROM \w+$|AS visible, nullif/,
    reason: 'They look at whole tables on purpose, to see that row-level security leaves nothing of others.',
  },
};

const inOneLine = (query: string) => query.replaceAll(/\s+/g, ' ').trim();

export const isExplained = (query: string): boolean =>
  Object.values(exceptions).some(({ matches }) => matches.test(inOneLine(query)));

/** @returns Names of exceptions that none of the queries needs. */
export const idleExceptions = (queries: string[]): string[] =>
  Object.entries(exceptions)
    .filter(([, { matches }]) => !queries.some((query) => matches.test(inOneLine(query))))
    .map(([name]) => name);
