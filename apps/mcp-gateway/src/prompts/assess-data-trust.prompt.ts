import type { Prompt } from './prompts.catalogue';

export const assessDataTrustPrompt: Prompt = {
  name: 'assess_data_trust',
  title: 'Assess data trust',
  description: "Judge how far this tenant's numbers can be relied on before anything is automated.",
  arguments: [],
  text: (
    _values,
    scheme,
  ) => `Judge how far this tenant's outreach intelligence can be relied on before anything is automated.

Read ${scheme}://reference/trust-model and ${scheme}://reference/freshness first. Then call, in this order:

1. get_drift_state. If data_as_of is null, say that there is no analysis yet and stop. Note its age, newest_outcome_at, posteriors_trustworthy with the reason in the summary, the changes on record, and each channel with insufficient_data.
2. get_bandit_state, but only if posteriors_trustworthy is true. Count the arms whose own_data_share is below 0.5, or whose interval is wider than the mean itself. A data_source of migration is a fact, no fault.
3. get_campaign_recommendations. Count confirmed, likely and directional ones (by_evidence_tier).
4. get_action_audit_log with status error. Report permission_denied entries at once.

Answer with one of: "automate", "automate with review", "observe only", and the reason. Then a table: question, answer, field that shows it. Then what to do so that the answer improves (events to send, fields to add, days to wait). Treat insufficient_data as unknown, never as good.`,
};
