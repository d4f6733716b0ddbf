// Says in Slack when a change of reply rates is new, or the verdict on drift: see drift-to-slack.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { OutcomesClient } from '@outcomes/client';

const { OUTCOMES_API_KEY: apiKey, SLACK_WEBHOOK_URL: webhook } = process.env;
const { READ_API_URL: readUrl = 'http://localhost:3001/v1', STATE_FILE: file = 'drift-state.json' } =
  process.env;
if (!apiKey || !webhook) {
  console.error('Usage: OUTCOMES_API_KEY=svc_… SLACK_WEBHOOK_URL=… node drift-to-slack.mjs');
  process.exit(1);
}

/** The last verdict, and which changes were told. */
function lastTold() {
  try {
    return { told: [], ...JSON.parse(readFileSync(file, 'utf8')) };
  } catch {
    return { drift_state: 'none', told: [] };
  }
}

const whose = ({ channel, scope }) =>
  scope.kind === 'channel' ? channel : `${channel}, ${scope.kind} ${scope.value ?? 'none'}`;
const keyOf = (change) => `${whose(change)} ${change.since}`;

const { data } = await new OutcomesClient({ apiKey, readUrl }).read('drift');
const { drift_state, summary, recommended_action, changes } = data;
const { drift_state: before, told } = lastTold();
// One channel may change while the verdict is that on another, which is too young to be judged.
const fresh = changes.filter((change) => !told.includes(keyOf(change)));
if (drift_state === before && fresh.length === 0) {
  console.log(`Still ${drift_state}.`);
} else {
  const lines = fresh.map((change) => `• ${whose(change)}: ${change.direction} around ${change.since}`);
  const text = [
    `Drift: ${before} → ${drift_state}. ${summary}`,
    ...lines,
    `To do: ${recommended_action}`,
  ].join('\n');
  const answer = await fetch(webhook, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`Slack answered ${answer.status}.`);
  // Only now: what nobody was told is told by the next call.
  writeFileSync(file, JSON.stringify({ drift_state, told: changes.map(keyOf) }));
  console.log(`${before} → ${drift_state}: told, with ${fresh.length} new changes.`);
}
