// Writes campaigns, patterns and whom to write to into CSV files: see nightly-export.md.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OutcomesClient } from '@outcomes/client';

const { OUTCOMES_API_KEY: apiKey, READ_API_URL: readUrl = 'http://localhost:3001/v1' } = process.env;
const folder = process.argv[2];
if (!apiKey || !folder) {
  console.error('Usage: OUTCOMES_API_KEY=svc_… READ_API_URL=… node nightly-export.mjs FOLDER');
  process.exit(1);
}

/** What a spreadsheet would take for a formula, it shows as text. */
function cell(value) {
  const text = value === null || value === undefined ? '' : String(value);
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A file is there as a whole or not at all. */
function write(name, header, rows) {
  const file = join(folder, name);
  const lines = [header, ...rows].map((row) => row.map(cell).join(','));
  writeFileSync(`${file}.part`, `${lines.join('\r\n')}\r\n`);
  renameSync(`${file}.part`, file);
  console.log(`${name}: ${rows.length} rows`);
}

mkdirSync(folder, { recursive: true });
const outcomes = new OutcomesClient({ apiKey, readUrl });

const campaigns = [];
for await (const { data } of outcomes.pages('campaigns', { limit: 100 })) {
  for (const { campaign_id, status, sample_size, reply_rate } of data.campaigns) {
    const { value, ci_low, ci_high } = reply_rate;
    campaigns.push([campaign_id, status, sample_size, value, ci_low, ci_high]);
  }
}
const RATE = ['reply_rate', 'reply_rate_low', 'reply_rate_high'];
write('campaigns.csv', ['campaign_id', 'status', 'settled_messages', ...RATE], campaigns);

const due = [];
for await (const { data } of outcomes.pages('decisions', { action: 'due', limit: 50 })) {
  for (const { contact_id, campaign_id, channel, sequence_step, not_before, rationale } of data.contacts) {
    due.push([contact_id, campaign_id, channel, sequence_step, not_before, rationale]);
  }
}
const DUE = ['contact_id', 'campaign_id', 'channel', 'sequence_step', 'not_before', 'rationale'];
write('due-today.csv', DUE, due);

const { data: patterns } = await outcomes.read('patterns');
const found = patterns.map(({ code, type, tier, positive, evidence, title }) => [
  ...[code, type, tier, positive, evidence?.odds_ratio, evidence?.odds_ratio_low, evidence?.odds_ratio_high],
  title.replaceAll(/<\/?b>/g, ''),
]);
const ODDS = ['odds_ratio', 'odds_ratio_low', 'odds_ratio_high'];
write('patterns.csv', ['code', 'type', 'tier', 'positive', ...ODDS, 'title'], found);
// Replies may have changed, too little may have settled, or outcomes may be old.
const { data: drift } = await outcomes.read('drift');
if (!drift.posteriors_trustworthy) console.log(drift.recommended_action);
