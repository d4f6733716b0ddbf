// Says in Slack when the verdict on drift has changed since the last call: see drift-to-slack.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { OutcomesClient } from '@outcomes/client';

const { OUTCOMES_API_KEY: apiKey, SLACK_WEBHOOK_URL: webhook } = process.env;
const { READ_API_URL: readUrl = 'http://localhost:3001/v1', STATE_FILE: file = 'drift-state.json' } =
  process.env;
if (!apiKey || !webhook) {
  console.error('Usage: OUTCOMES_API_KEY=svc_… SLACK_WEBHOOK_URL=… node drift-to-slack.mjs');
  process.exit(1);
}

function lastState() {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).drift_state;
  } catch {
    return 'none';
  }
}

const { data } = await new OutcomesClient({ apiKey, readUrl }).read('drift');
const { drift_state, summary, recommended_action, changes } = data;
const before = lastState();
if (drift_state === before) {
  console.log(`Still ${drift_state}.`);
} else {
  const lines = changes.map(({ channel, since, direction }) => `• ${channel}: ${direction} since ${since}`);
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
  writeFileSync(file, JSON.stringify({ drift_state }));
  console.log(`${before} → ${drift_state}: told.`);
}
