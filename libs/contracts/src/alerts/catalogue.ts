/** How far an alert should stop a reader. */
export const ALERT_SEVERITIES = {
  info: 'Context; no action needed.',
  warning: 'Use with care and verify first.',
  critical: 'Do not act on the affected numbers or contact.',
} as const;

export interface AlertDefinition {
  readonly severity: keyof typeof ALERT_SEVERITIES;
  readonly meaning: string;
  readonly action: string;
}

const define = <Code extends string>(table: Record<Code, AlertDefinition>) => table;

/** Every disclosure that an answer may carry, also served as the alerts reference resource. Add, never rename. */
export const ALERT_CATALOGUE = define({
  no_audit_entries_available: {
    severity: 'info',
    meaning: 'No audit row matches the filters (or none was written yet).',
    action: 'Widen since/until or drop filters. The present call appears in the next read.',
  },
  payloads_not_stored_only_sha256_hashes: {
    severity: 'info',
    meaning: 'Audit rows hold SHA-256 hashes of input and output, never the values.',
    action: 'To prove what was sent, hash your own copy and compare it with input_sha256 or output_sha256.',
  },
  no_bandit_state_available: {
    severity: 'warning',
    meaning: 'The tenant has no arm yet, or none matches the filters; the summary says which.',
    action:
      'Ask for a position that the summary names, or leave the filters out; without any arm, send outcomes and wait for the next daily run. Until then do not claim channel odds.',
  },
  recommendations_are_company_scoped_not_per_campaign: {
    severity: 'info',
    meaning:
      "Recommendations are learned from all of the company's outcomes; campaign_id does not filter them.",
    action: 'Use get_campaign_health for what is specific to the campaign.',
  },
  no_data_ingested_yet: {
    severity: 'warning',
    meaning: 'No outcome event of this tenant has been accepted.',
    action: 'Send events to POST /ingest/events.',
  },
  awaiting_first_daily_run: {
    severity: 'warning',
    meaning: 'Events were accepted, but no daily run has processed them; data_as_of is null.',
    action: 'Ask again after the next daily run.',
  },
  campaign_not_found: {
    severity: 'warning',
    meaning: 'No event carries this campaign_id.',
    action:
      'Ask again with one of similar_campaign_ids, or check spelling and case against metadata.campaign_id or metadata.sequence_id sent at ingestion.',
  },
  contact_unknown: {
    severity: 'warning',
    meaning: 'No event carries this recipient_id; estimates are company-level.',
    action: 'Check the id, or treat the contact as new.',
  },
  no_recommendations_available: {
    severity: 'info',
    meaning: 'No pattern reached the requested evidence tier.',
    action: 'Lower min_evidence_tier or wait for more outcomes.',
  },
  no_workflow_decisions_available: {
    severity: 'info',
    meaning: 'No decision matches the filters.',
    action: 'Widen since/until or drop contact_id or campaign_id.',
  },
  no_calibration_available: {
    severity: 'info',
    meaning: 'No frozen prediction has a settled outcome yet.',
    action: 'Send the outcomes of messages that follow decisions; ask again when their cohorts have matured.',
  },
  calibration_inconclusive: {
    severity: 'warning',
    meaning: 'Fewer than 10 replies were expected of the predictions that have settled.',
    action: 'Read the intervals, not the points; do not conclude that predictions are right or wrong.',
  },
  predictions_off: {
    severity: 'warning',
    meaning: 'Observed over expected replies, or the calibration slope, has a 95% interval without 1.',
    action: 'Correct stated probabilities by that ratio, and look at get_drift_state.',
  },
  small_sample: {
    severity: 'warning',
    meaning: 'A headline number rests on fewer than 30 resolved outcomes.',
    action: 'Read the interval, not the point; widen the window.',
  },
  very_small_sample: {
    severity: 'critical',
    meaning: 'A headline number rests on fewer than 10 resolved outcomes.',
    action: 'Do not act on it; collect more outcomes.',
  },
  unresolved_outcomes_excluded: {
    severity: 'info',
    meaning: 'Recently sent messages without outcome are left out of the rates.',
    action: 'Expect rates to move as they resolve.',
  },
  borrowed_prior: {
    severity: 'warning',
    meaning:
      "More than half of an estimate's weight is prior, not own outcomes: from the segment, the company, at least twenty other companies, or a fixed market prior (prior_weight above 0.5 or data_source not own).",
    action: 'Say so when reporting; prefer arms or contacts with own data.',
  },
  migration_arms_only: {
    severity: 'info',
    meaning:
      'Every returned arm rests on imported history; no outcome has streamed in. It has no bearing on trust.',
    action: 'Mention it; posteriors_trustworthy says whether to act.',
  },
  mixed_data_sources: {
    severity: 'info',
    meaning: 'Returned items rest on different sources (own, company, prior or migration, live).',
    action: 'Compare items only within the same data_source.',
  },
  placeholder_estimate: {
    severity: 'critical',
    meaning: 'A number is a fixed default because nothing could be computed.',
    action: 'Do not quote or use it.',
  },
  position_low_confidence: {
    severity: 'warning',
    meaning: 'Inferred position has a confidence below 0.6 or is unknown.',
    action: 'Do not tailor to the position; send recipient_position at ingestion.',
  },
  stale_data: {
    severity: 'warning',
    meaning:
      'data_as_of is more than 48 hours old: nothing that was sent since is in the numbers, or nothing was sent.',
    action: 'Check that ingestion continues; mention the age.',
  },
  very_stale_data: {
    severity: 'critical',
    meaning: 'data_as_of is more than 7 days old, and no analysis has ended for 48 hours.',
    action: 'Do not automate on it.',
  },
  stale_analysis: {
    severity: 'warning',
    meaning: 'The analysis that made the numbers ended more than 48 hours ago (analysed_at).',
    action: 'Mention the age; contact support if it persists.',
  },
  last_run_failed: {
    severity: 'critical',
    meaning: 'The newest daily run failed; an earlier result is served.',
    action: 'Retry after the next run; contact support if it repeats.',
  },
  drift_detected: {
    severity: 'warning',
    meaning:
      'The reply rate of a channel changed; that was told within the last 30 days. The posteriors, and the rates of campaigns, rest on what came since.',
    action: 'Call get_drift_state for date, direction and scope, and look at what changed there.',
  },
  drift_relearning: {
    severity: 'critical',
    meaning: 'The reply rate of a channel changed, and fewer than 20 replies have settled since.',
    action: 'Do not act on the posteriors; get_drift_state says how many replies to wait for.',
  },
  drift_not_evaluated: {
    severity: 'warning',
    meaning:
      'Too little has settled to look for a change of the reply rate, or to rest on (insufficient_data).',
    action: 'Do not act on the posteriors; get_drift_state says how many replies to wait for.',
  },
  stale_outcomes: {
    severity: 'warning',
    meaning: 'The newest outcome is more than 8 days old.',
    action: 'Check that outcomes are still being sent; mention the date.',
  },
  very_stale_outcomes: {
    severity: 'critical',
    meaning: 'The newest outcome is more than 30 days old: nothing is known about today.',
    action: 'Do not act on the posteriors; send outcomes.',
  },
  audience_mix_changed: {
    severity: 'info',
    meaning:
      'The last 30 days went to other positions and steps than the 90 before (total variation of 0.25 or more).',
    action: 'Compare positions and steps before comparing totals.',
  },
  volume_changed: {
    severity: 'info',
    meaning: 'The last 30 days had at least twice, or at most half, the sends a day of the 90 before.',
    action: 'Check that ingestion is complete before reading anything into totals.',
  },
  high_bounce_rate: {
    severity: 'critical',
    meaning: 'Bounces over the life of the campaign are proved to be above 3%.',
    action: 'Pause the campaign and verify the list.',
  },
  elevated_bounce_rate: {
    severity: 'warning',
    meaning: 'Bounces over the life of the campaign look higher than 3%, short of proof.',
    action: 'Verify addresses before the next step.',
  },
  elevated_unsubscribe_rate: {
    severity: 'warning',
    meaning: 'Unsubscribes over the life of the campaign are, or look, higher than 1%; the issue says which.',
    action: 'Review targeting and frequency.',
  },
  below_company_baseline: {
    severity: 'warning',
    meaning: 'Replies are below what the company gets from such an audience: the 95% interval lies below.',
    action: 'Compare steps and channel; see get_campaign_recommendations.',
  },
  contact_unsubscribed: {
    severity: 'critical',
    meaning: 'The contact unsubscribed.',
    action: 'Do not contact again on any channel.',
  },
  contact_bounced: {
    severity: 'critical',
    meaning: 'A message to the contact bounced, and no reply has come since.',
    action: 'Do not send to this address.',
  },
  decisions_overtaken: {
    severity: 'critical',
    meaning: 'A listed decision says to write to a contact who unsubscribed or bounced since it was made.',
    action: 'Go by can_contact, not by action: do not write where it is false.',
  },
  results_truncated: {
    severity: 'info',
    meaning: 'More rows match than were returned.',
    action: 'Raise top_n or limit, narrow the filters, or follow next_cursor.',
  },
  window_clamped_to_retention: {
    severity: 'info',
    meaning: 'The period asked for starts before the 24 month retention limit.',
    action: 'None; older events are deleted.',
  },
  denied_attempts_present: {
    severity: 'critical',
    meaning: 'The page or period contains calls refused with permission_denied.',
    action: 'Review key_id and actor_id; revoke the key if unexpected.',
  },
  quota_nearly_exhausted: {
    severity: 'warning',
    meaning: "90% or more of the key's monthly quota is used.",
    action: 'Cache answers until the next daily run; quota resets at the start of the next UTC month.',
  },
  key_expires_soon: {
    severity: 'warning',
    meaning: 'The API key expires within 14 days.',
    action: 'Create a new key and replace it.',
  },
});

export type AlertCode = keyof typeof ALERT_CATALOGUE;
