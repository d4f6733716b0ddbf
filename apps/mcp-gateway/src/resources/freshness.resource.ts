import type { ReferenceResource } from './index';

export const freshnessResource: ReferenceResource = {
  name: 'freshness',
  title: 'Freshness: as_of, data_as_of and analysed_at',
  description: 'How old an answer can be, and what as_of, data_as_of and analysed_at mean.',
  mimeType: 'text/markdown',
  text: `# Freshness

Every result carries three times.

- \`as_of\`: when this answer was produced. It is always now, so it says nothing about the age of the data.
- \`data_as_of\`: up to when outcomes are in the numbers: when the newest batch that the last successful run read was
  received. Null before the first run.
- \`analysed_at\`: when that run ended. Null before the first run.

Judge age by \`data_as_of\`, never by \`as_of\`.

## What to expect

- The analysis runs once a day. Between two runs the same question has the same answer: ask again after the next run,
  not sooner.
- A new tenant has empty results until its first batch has been analysed: alert \`no_data_ingested_yet\` before any event
  was accepted, \`awaiting_first_daily_run\` after that.
- Outcomes take time. A message sent yesterday without a reply is not a failure yet: email cohorts mature after 14 days,
  LinkedIn cohorts after 21. Tests use mature cohorts only; estimates weigh younger ones by how much of the reply delay
  has passed. \`unresolved_outcomes_excluded\` says that young messages are left out.

## When it is too old

| data_as_of | alert | do |
| --- | --- | --- |
| up to 48 hours | none | use it |
| more than 48 hours | stale_data | mention the age; check that events are still sent |
| more than 7 days | very_stale_data | do not automate on it |
| any, and analysed_at is more than 48 hours old | stale_analysis | mention the age; contact support if it persists |
| any, and the newest run failed | last_run_failed | an earlier result is served; ask again after the next run |

The age of the outcomes themselves is another matter: \`newest_outcome_at\` of get_drift_state is the latest moment of
which any outcome tells.

| newest_outcome_at | alert | do |
| --- | --- | --- |
| up to 8 days | none | use it |
| more than 8 days | stale_outcomes | mention the date; check that outcomes are still sent |
| more than 30 days | very_stale_outcomes | do not act on the posteriors; send outcomes |

Live parts: the audit log and the contact block (unsubscribed, bounced) come from committed rows, not from the daily run.
`,
};
