import type { ReferenceResource } from './resources.catalogue';

export const freshnessResource: ReferenceResource = {
  name: 'freshness',
  title: 'Freshness: as_of, analysed_at, data_as_of and newest_outcome_at',
  description:
    'How old an answer can be, and what as_of, analysed_at, data_as_of and newest_outcome_at mean.',
  mimeType: 'text/markdown',
  text: `# Freshness

Every result carries four times. All but the first are of the last successful run, in every answer alike;
\`data_as_of\` of get_bandit_state is that of its arms.

- \`as_of\`: when this answer was produced. It is always now, so it says nothing about the age of the data.
- \`data_as_of\`: outcomes received up to then are in all numbers. When the newest batch that the run read, or that the
  arms were refreshed with, was received. Null before the first run. What is counted between runs may have newer
  outcomes too; a decision has those of its \`decided_at\`.
- \`analysed_at\`: when that run ended. Null before the first run.
- \`newest_outcome_at\`: the latest moment of which an outcome in that run tells. Imported history may be old though it
  arrived today. Trust is judged by it. Windows of campaigns end with its day: messages sent later count from the next
  run on.

Judge the age of outcomes by \`newest_outcome_at\` and that of the analysis by \`analysed_at\`, never by \`as_of\`.

## What to expect

- The analysis runs once a day, and after large imports. What else you send is counted between two runs, mostly within
  seconds:

| changes with | what |
| --- | --- |
| a run | patterns, recommendations, drift_state, changes, variants, decisions, calibration |
| a counted batch | arms, campaigns, recent and reference, volume of a campaign, history of a contact, outcome of a decision |
| an accepted event | can_contact, block_reasons |
| a call | the audit log |

- A new tenant has empty results until its first batch has been analysed: alert \`no_data_ingested_yet\` before any event
  was accepted, \`awaiting_first_daily_run\` after that.
- Outcomes take time. A message sent yesterday without a reply is not a failure yet: email cohorts mature after 14 days,
  LinkedIn cohorts after 21. Tests use mature cohorts only; estimates weigh younger ones by how much of the reply delay
  has passed. \`unresolved_outcomes_excluded\` says that young messages are left out.

## When it is too old

| newest_outcome_at | alert | do |
| --- | --- | --- |
| up to 8 days | none | use it |
| more than 8 days | stale_outcomes | mention the date; check that outcomes are still sent |
| more than 30 days | very_stale_outcomes | do not act on the posteriors; send outcomes |

| analysed_at | alert | do |
| --- | --- | --- |
| up to 48 hours | none | use it |
| more than 48 hours | stale_analysis | mention the age; contact support if it persists |
| any, and the newest run failed | last_run_failed | an earlier result is served; ask again after the next run |

| data_as_of | alert | do |
| --- | --- | --- |
| up to 48 hours | none | use it |
| more than 48 hours | stale_data | mention the age; check that events are still sent |
| more than 7 days, and stale_analysis | very_stale_data | do not automate on it |

\`source_silent\`: a tool that delivers by webhook has stopped, by its own rhythm. Numbers rest on what was sent up to two
weeks before its last delivery; whether later messages were answered is not known, and they count neither way.

Whoever sends nothing for a week has numbers that are analysed anew each day: \`stale_data\` says so, and nothing forbids
to act on them until \`very_stale_outcomes\` does.
`,
};
