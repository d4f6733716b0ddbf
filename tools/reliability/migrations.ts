import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createDatabase } from '../local/postgres.mjs';
import { root } from '../local/settings.mjs';
import { expectDone, outcomes } from './empty-cluster.ts';
import { withDatabase } from './installation.ts';
import type { Section } from './section.ts';

const database = 'migrations';
const companies = 4;
/** Who waits longer than this for a table of a million rows waits too long. */
const mostMsPerMillion = 2_000;
/** Below this, what the machine does besides is larger than what a migration does. */
const leastMs = 500;
const paceMs = 10;
const tables = ['outcome_events', 'touches', 'ingest_batches', 'cohort_counts', 'api_keys', 'companies'];

/**
 * All migrations but the first, on a database that is full and in use: how long readers and writers wait for a table.
 */
export async function verifyMigrations({ installation, report, isShort }: Section) {
  const rows = Number(process.env['MIGRATION_EVENTS'] ?? (isShort ? 100_000 : 1_000_000));
  const limit = { most: Math.max(leastMs, (mostMsPerMillion * rows) / 1e6) };
  const line = { promise: 'migrations', unit: 'ms', limit };
  await createDatabase(withDatabase(installation.owner, 'postgres'), database);
  const url = withDatabase(installation.owner, database);
  const schema: {
    bringUpTo: (url: string, names: readonly string[]) => Promise<void>;
    migrationNames: () => string[];
  } = createRequire(import.meta.filename)(join(root, 'libs/persistence/dist/index.js'));
  const names = schema.migrationNames();
  await schema.bringUpTo(url, names.slice(0, 1));
  const fillingMs = performance.now();
  const owner = new pg.Client({ connectionString: url });
  owner.on('error', () => {});
  await owner.connect();
  for (const statement of FILL)
    await owner.query(statement, statement.includes('$2') ? [rows, companies] : [rows]);
  await owner.query('VACUUM ANALYZE');
  report.note(`${rows} events and messages in ${Math.round(performance.now() - fillingMs)} ms`);

  const watch = await watchTables(url, tables);
  const began = performance.now();
  const { stdout } = expectDone(await outcomes(['migrate', '--json'], { DATABASE_URL: url }), 'migrate');
  report.note(
    `${JSON.parse(stdout).migrations.length} migrations in ${Math.round(performance.now() - began)} ms`,
  );
  for (const [table, waited] of await watch.stop())
    report.check({ ...line, what: `longest that somebody waited for ${table}`, value: Math.round(waited) });

  const again = await watchTables(url, ['touches']);
  await owner.query(
    `BEGIN; ALTER TABLE touches ADD COLUMN scratch text; UPDATE touches SET scratch = recipient_id; COMMIT`,
  );
  await owner.end();
  const [[, waited = Number.NaN] = []] = await again.stop();
  report.mutation({
    ...{ ...line, what: 'a column that is added and filled in one transaction: longest wait for touches' },
    value: Math.round(waited),
  });
}

/**
 * Somebody who reads and somebody who is about to write, over and over.
 * @param names Of tables.
 */
async function watchTables(url: string, names: readonly string[]) {
  let isOver = false;
  const longest: Map<string, number> = new Map(names.map((name) => [name, 0]));
  const clients = names.map(async (name) => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    while (!isOver) {
      const began = performance.now();
      await client.query(
        `BEGIN; SELECT FROM ${name} LIMIT 1; LOCK TABLE ${name} IN ROW EXCLUSIVE MODE; ROLLBACK`,
      );
      longest.set(name, Math.max(longest.get(name) ?? 0, performance.now() - began));
      await delay(paceMs);
    }
    await client.end();
  });
  const all = Promise.all(clients);
  all.catch(() => {});
  return {
    stop: async () => {
      isOver = true;
      await all;
      return longest;
    },
  };
}

/** Rows of the first schema: a message for each event, sent over half a year, an answer to every ninth. */
const FILL = [
  `INSERT INTO companies (company_id, name) SELECT md5('company ' || n)::uuid, 'Company ' || n FROM generate_series(1, $2::int) AS n
   WHERE $1::int > 0`,
  `INSERT INTO outcome_events (company_id, event_id, touch_id, channel, sequence_step, outcome, sent_has_time, sent_at, outcome_at,
     recipient_id, thread_id, campaign_id, recipient_hash, recipient_position, subject, body_excerpt, industry, metadata)
   SELECT md5('company ' || n % $2::int + 1)::uuid, md5('event ' || n)::uuid, md5('touch ' || n)::uuid, n % 2, n % 4,
     CASE WHEN n % 9 = 0 THEN 1 ELSE 0 END, true, now() - (n % 180 + 20) * interval '1 day', now() - (n % 180 + 19) * interval '1 day',
     'recipient-' || n / 4, 'thread-' || n / 4, 'campaign-' || n % 40, md5('address ' || n / 4), 'VP Sales', 'About your team',
     repeat('would next week suit you ', 6), 'Software', '{"opened": true}'
   FROM generate_series(1, $1::int) AS n`,
  `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome, streamed, sent_hour,
     sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, campaign_id, recipient_hash, recipient_position)
   SELECT company_id, touch_id, channel, sequence_step, 1, 0.9, outcome, false, 9, sent_at::date, sent_at, outcome_at,
     array_fill(1::smallint, ARRAY[12]), recipient_id, thread_id, campaign_id, recipient_hash, recipient_position
   FROM outcome_events WHERE $1::int > 0`,
  `INSERT INTO ingest_batches (company_id, batch_id, event_ids, processed_at)
   SELECT md5('company ' || n % $2::int + 1)::uuid, md5('batch ' || n)::uuid, array_fill(md5('event ' || n)::uuid, ARRAY[500]), now()
   FROM generate_series(1, $1::int / 500) AS n`,
  `INSERT INTO cohort_counts (company_id, sent_day, channel, step_bucket, position, touches, replies, bounces, unsubscribes, opens,
     meetings, streamed, level_touches, level_replies, hour_touches, hour_replies, reply_delays)
   SELECT company_id, sent_day, channel, least(sequence_step, 3), position, count(*), count(*) FILTER (WHERE outcome = 1), 0, 0, 0, 0, 0,
     array_fill(1, ARRAY[60]), array_fill(0, ARRAY[60]), array_fill(1, ARRAY[24]), array_fill(0, ARRAY[24]), array_fill(0, ARRAY[20])
   FROM touches WHERE $1::int > 0 GROUP BY 1, 2, 3, 4, 5`,
];
