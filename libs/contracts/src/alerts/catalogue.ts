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
    meaning: 'No audit row matches.',
    action: 'Widen since/until or drop filters.',
  },
  payloads_not_stored_only_sha256_hashes: {
    severity: 'info',
    meaning: 'Audit rows hold hashes, never values.',
    action: 'To prove what was sent, hash your own copy and compare.',
  },
  no_bandit_state_available: {
    severity: 'warning',
    meaning: 'No arm yet, or none matches; the summary says which.',
    action: 'Drop filters; without any arm send outcomes, and claim no channel odds.',
  },
  recommendations_are_company_scoped_not_per_campaign: {
    severity: 'info',
    meaning: 'Effects are of the whole company; campaign_id changes volume and variants only.',
    action: 'See get_campaign_health for the campaign.',
  },
  no_data_ingested_yet: {
    severity: 'warning',
    meaning: 'No event was accepted yet.',
    action: 'Send events to POST /ingest/events.',
  },
  awaiting_first_daily_run: {
    severity: 'warning',
    meaning: 'Events came; no run has read them.',
    action: 'Ask again after the next run.',
  },
  campaign_not_found: {
    severity: 'warning',
    meaning: 'No event carries this campaign_id.',
    action: 'Ask again with one of similar_campaign_ids; case matters.',
  },
  contact_unknown: {
    severity: 'warning',
    meaning: 'No event carries this recipient_id.',
    action: 'Check the id; it is no leave to write.',
  },
  no_recommendations_available: {
    severity: 'info',
    meaning: 'No pattern matches tier and filters.',
    action: 'Lower min_evidence_tier, or wait.',
  },
  no_workflow_decisions_available: {
    severity: 'info',
    meaning: 'No decision matches.',
    action: 'Widen since/until or drop filters.',
  },
  no_calibration_available: {
    severity: 'info',
    meaning: 'No frozen prediction has settled.',
    action: 'Send outcomes; ask again when they have matured.',
  },
  calibration_inconclusive: {
    severity: 'warning',
    meaning: 'Under 10 replies were expected.',
    action: 'Read the intervals; conclude nothing.',
  },
  predictions_off: {
    severity: 'warning',
    meaning: 'Observed over expected, or the slope, has an interval without 1.',
    action: 'Scale stated chances by that ratio; see get_drift_state.',
  },
  small_sample: {
    severity: 'warning',
    meaning: 'A headline number has under 30 outcomes.',
    action: 'Read the interval, not the point; widen the window.',
  },
  very_small_sample: {
    severity: 'critical',
    meaning: 'A headline number has under 10 outcomes.',
    action: 'Do not act on it; collect more.',
  },
  unresolved_outcomes_excluded: {
    severity: 'info',
    meaning: 'Young messages are left out of the rates.',
    action: 'Expect rates to move.',
  },
  borrowed_prior: {
    severity: 'warning',
    meaning: 'Over half of an estimate is prior, not own outcomes.',
    action: 'Say so; prefer own data.',
  },
  migration_arms_only: {
    severity: 'info',
    meaning: 'All arms rest on imported history.',
    action: 'Mention it; posteriors_trustworthy says whether to act.',
  },
  mixed_data_sources: {
    severity: 'info',
    meaning: 'Items rest on different sources.',
    action: 'Compare within one data_source.',
  },
  placeholder_estimate: {
    severity: 'critical',
    meaning: 'A number is a fixed default.',
    action: 'Do not quote or use it.',
  },
  position_low_confidence: {
    severity: 'warning',
    meaning: 'The position is unknown or a guess (below 0.6).',
    action: 'Do not tailor to it; send recipient_position.',
  },
  stale_data: {
    severity: 'warning',
    meaning: 'data_as_of is over 48 hours old.',
    action: 'Check that ingestion continues; mention the age.',
  },
  very_stale_data: {
    severity: 'critical',
    meaning: 'data_as_of is over 7 days old, and no analysis ended for 48 hours.',
    action: 'Do not automate on it.',
  },
  stale_analysis: {
    severity: 'warning',
    meaning: 'analysed_at is over 48 hours old.',
    action: 'Mention the age; contact support if it persists.',
  },
  last_run_failed: {
    severity: 'critical',
    meaning: 'The newest run failed; an earlier result is served.',
    action: 'Retry after the next; contact support if it repeats.',
  },
  drift_detected: {
    severity: 'warning',
    meaning: 'Replies on a channel changed, told within 30 days; numbers rest on what came since.',
    action: 'See get_drift_state; look at its scope.',
  },
  drift_relearning: {
    severity: 'critical',
    meaning: 'Replies on a channel changed; under 20 have settled since.',
    action: 'Do not act on the posteriors; wait for the replies named.',
  },
  drift_not_evaluated: {
    severity: 'warning',
    meaning: 'Too little has settled to look for a change.',
    action: 'Do not act on the posteriors; do what recommended_action says.',
  },
  stale_outcomes: {
    severity: 'warning',
    meaning: 'The newest outcome is over 8 days old.',
    action: 'Check that outcomes are sent; mention the date.',
  },
  very_stale_outcomes: {
    severity: 'critical',
    meaning: 'The newest outcome is over 30 days old.',
    action: 'Do not act on the posteriors; send outcomes.',
  },
  source_silent: {
    severity: 'critical',
    meaning: 'A tool that delivers by webhook has stopped; numbers rest on what was sent two weeks before.',
    action: 'Repair or revoke the source (GET /ingest/sources); import what it missed.',
  },
  silence_not_reported: {
    severity: 'critical',
    meaning: 'No message on record went unanswered: what was sent and got no reply is not reported.',
    action: 'Take no rate for a reply rate; report every message that is sent (fact "sent").',
  },
  late_replies: {
    severity: 'critical',
    meaning: 'Many replies come after messages have settled (email 14 days, LinkedIn 21).',
    action: 'Judge by messages as old as the summary says.',
  },
  channel_left_idle: {
    severity: 'warning',
    meaning: 'Nothing was sent for 30 days on a channel that is spoken of here.',
    action: 'Choose another, or send on it first.',
  },
  audience_mix_changed: {
    severity: 'info',
    meaning: 'The last 30 days went to other positions and steps than the 90 before.',
    action: 'Compare by position and step.',
  },
  volume_changed: {
    severity: 'info',
    meaning: 'Sends a day at least doubled or halved against the 90 days before.',
    action: 'Check that ingestion is complete.',
  },
  high_bounce_rate: {
    severity: 'critical',
    meaning: "Bounces over the campaign's life are proved above 3%.",
    action: 'Pause the campaign and verify the list.',
  },
  elevated_bounce_rate: {
    severity: 'warning',
    meaning: 'Bounces look above 3%, short of proof.',
    action: 'Verify addresses before the next step.',
  },
  elevated_unsubscribe_rate: {
    severity: 'warning',
    meaning: 'Unsubscribes are, or look, above 1%.',
    action: 'Review targeting and frequency.',
  },
  below_company_baseline: {
    severity: 'warning',
    meaning: 'Replies are below what the company gets from such an audience.',
    action: 'Compare steps and channel; see get_campaign_recommendations.',
  },
  contact_unsubscribed: {
    severity: 'critical',
    meaning: 'The contact unsubscribed.',
    action: 'Do not contact again on any channel.',
  },
  contact_bounced: {
    severity: 'critical',
    meaning: 'A message bounced, and no reply came since.',
    action: 'Do not send to this address.',
  },
  decisions_overtaken: {
    severity: 'critical',
    meaning: 'A listed decision says to write to somebody who has opted out or bounced since.',
    action: 'Go by can_contact, not by action.',
  },
  results_truncated: {
    severity: 'info',
    meaning: 'More match than were returned.',
    action: 'Raise limit or top_n, narrow, or follow next_cursor.',
  },
  window_clamped_to_retention: {
    severity: 'info',
    meaning: 'More was asked for than the 24 months kept.',
    action: 'None.',
  },
  denied_attempts_present: {
    severity: 'critical',
    meaning: 'Calls refused with permission_denied are among these.',
    action: 'Review key_id and actor_id; revoke the key if unexpected.',
  },
  quota_nearly_exhausted: {
    severity: 'warning',
    meaning: "90% of the key's monthly quota is used.",
    action: 'Cache until the next run; it resets with the UTC month.',
  },
  key_expires_soon: {
    severity: 'warning',
    meaning: 'The key expires within 14 days.',
    action: 'Replace it.',
  },
});

export type AlertCode = keyof typeof ALERT_CATALOGUE;
