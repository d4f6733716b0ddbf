import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';

const script = readFileSync(join(__dirname, '../../../../k8s/citus.sql'), 'utf8');
const named = (call: string) =>
  [...script.matchAll(new RegExp(`${call}\\('(\\w+)'`, 'g'))].map(([, table]) => table as string);

/** A constraint as it concerns the spreading of tables over nodes. */
interface Key {
  readonly table: string;
  readonly name: string;
  readonly kind: 'unique' | 'foreign';
  readonly columns: readonly string[];
  readonly foreignTable: string | null;
  readonly foreignColumns: readonly string[] | null;
}

/** What Citus refuses or cannot keep; empty where the schema can be spread. */
async function faultsOf(database: TestDatabase): Promise<string[]> {
  const reference = new Set(named('create_reference_table'));
  const distributed = new Set(named('create_distributed_table'));
  const tables = await database.query<{ table: string; company: string | null }>(
    `SELECT relname AS table, (SELECT format_type(atttypid, -1) || CASE WHEN attnotnull THEN '' ELSE ' NULL' END
         FROM pg_attribute WHERE attrelid = class.oid AND attname = 'company_id' AND NOT attisdropped) AS company
       FROM pg_class class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        AND relname <> 'schema_migrations'`,
  );
  const keys = await database.query<Key>(
    `SELECT indrelid::regclass::text AS table, indexrelid::regclass::text AS name, 'unique' AS kind,
            ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = indrelid AND attnum = ANY (indkey)) AS columns,
            NULL AS "foreignTable", NULL AS "foreignColumns"
       FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
      WHERE indisunique AND relnamespace = 'public'::regnamespace AND relname <> 'schema_migrations'
     UNION ALL
     SELECT conrelid::regclass::text, conname, 'foreign',
            ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey)),
            confrelid::regclass::text,
            ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = confrelid AND attnum = ANY (confkey))
       FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
  );
  const faults = tables.flatMap(({ table, company }) => {
    if (reference.has(table)) return [];
    if (!distributed.has(table)) return [`${table} is not spread`];
    return company === 'uuid' ? [] : [`${table}.company_id is ${company ?? 'missing'}`];
  });
  const made = new Set(tables.map(({ table }) => table));
  for (const table of [...reference, ...distributed])
    if (!made.has(table)) faults.push(`there is no ${table}`);
  for (const key of keys.filter(({ table }) => distributed.has(table))) {
    if (!key.columns.includes('company_id')) faults.push(`${key.name} does not include company_id`);
    if (
      key.foreignTable &&
      distributed.has(key.foreignTable) &&
      !key.foreignColumns?.includes('company_id')
    ) {
      faults.push(`${key.name} leaves its node`);
    }
  }
  for (const key of keys.filter(({ table, kind }) => reference.has(table) && kind === 'foreign')) {
    if (key.foreignTable && distributed.has(key.foreignTable))
      faults.push(`${key.name} leads to spread rows`);
  }
  return [...faults, ...(await functionFaultsOf(database, distributed))];
}

/** Functions that Citus cannot run as they are: on a node they see the rows of that node, or none. */
async function functionFaultsOf(database: TestDatabase, distributed: Set<string>): Promise<string[]> {
  const replaced = new Set(
    [...script.matchAll(/CREATE OR REPLACE FUNCTION (\w+)\(/g)].map(([, name]) => name as string),
  );
  const sent = new Set(
    [...script.matchAll(/create_distributed_function\('(\w+)\(/g)].map(([, name]) => name as string),
  );
  const dropped = new Set(
    [...script.matchAll(/DROP (?:TRIGGER|FUNCTION) (\w+)/g)].map(([, name]) => name as string),
  );
  const functions = await database.query<{ name: string; source: string }>(
    `SELECT proname AS name, prosrc AS source FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
  );
  const triggers = await database.query<{ trigger: string; table: string; name: string }>(
    `SELECT tgname AS trigger, tgrelid::regclass::text AS "table", proname AS name
       FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid WHERE NOT tgisinternal`,
  );
  const words = new RegExp(`\\b(${[...distributed].join('|')})\\b`);
  return [
    ...functions
      .filter(
        ({ name, source }) =>
          words.test(source) && !replaced.has(name) && !sent.has(name) && !dropped.has(name),
      )
      .map(({ name }) => `${name}() reads spread rows from nowhere in particular`),
    ...triggers
      .filter(
        ({ trigger, table, name }) => distributed.has(table) && !replaced.has(name) && !dropped.has(trigger),
      )
      .map(({ trigger }) => `${trigger} runs on the node of its rows`),
  ];
}

describe('the schema can be spread over nodes by company', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('as k8s/citus.sql does it: every table, every unique key, every foreign key', async () => {
    expect(await faultsOf(database)).toEqual([]);
  });

  it.each([
    ['a table that nobody spread', 'CREATE TABLE stray (company_id uuid NOT NULL)', 'stray is not spread'],
    [
      'a unique key across companies',
      'CREATE UNIQUE INDEX stray_key ON touches (touch_id)',
      'stray_key does not include company_id',
    ],
    [
      'a foreign key that leaves its node',
      `ALTER TABLE outcome_events ADD CONSTRAINT stray_fk FOREIGN KEY (event_id) REFERENCES stray_target (event_id)`,
      'stray_target is not spread',
    ],
    [
      'a function that reads spread rows and is sent to no node',
      `CREATE FUNCTION stray() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM touches'`,
      'stray() reads spread rows',
    ],
    [
      'a trigger that nobody wrote for a node',
      'CREATE TRIGGER stray BEFORE UPDATE ON touches FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
      'stray runs on the node of its rows',
    ],
    [
      'a company that may be missing',
      'ALTER TABLE audit_seals ALTER company_id DROP NOT NULL',
      'company_id is',
    ],
  ])('and not with %s', async (_, statement, fault) => {
    await database.query('BEGIN');
    try {
      await database.query('CREATE TABLE stray_target (event_id uuid PRIMARY KEY)');
      if (statement.includes('audit_seals')) {
        await database.query('ALTER TABLE audit_seals DROP CONSTRAINT audit_seals_pkey');
      }
      await database.query(statement);
      expect((await faultsOf(database)).join('; ')).toContain(fault);
    } finally {
      await database.query('ROLLBACK');
    }
  });
});

/** What follows touches and counts by trigger. */
const FOLLOWERS = {
  responders: 'company_id, recipient_hash, recipient_ids, position, confidence, responses, industry',
  responder_counts: 'company_id, position, industry, people, confident, responses, confidence',
  industry_days: 'company_id, sent_day',
  cohort_weeks: 'company_id, week, digest IS NULL AS marked',
};

/** Two companies, a hundred people, and all that can happen to their messages. */
const STEPS = [
  `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome, streamed,
      sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, recipient_hash, industry)
    SELECT md5((n % 2)::text)::uuid, md5(n::text)::uuid, n % 3, n % 4, n % 6, (n % 10) / 10.0, n % 3, true,
      date '2026-01-01' + n % 40, timestamptz '2026-01-01' + n * interval '1 hour', now(), '{1,2}', 'r' || n % 100, 't',
      CASE WHEN n % 7 > 0 THEN 'h' || n % 50 END, (ARRAY['software', 'retail', NULL])[n % 3 + 1]
    FROM generate_series(1, 600) AS n`,
  `INSERT INTO industry_days SELECT DISTINCT company_id, sent_day, 'x', '\\x00'::bytea FROM touches`,
  `UPDATE touches SET outcome = 1 WHERE sequence_step = 2 AND position < 3`,
  `UPDATE touches SET opened = true`,
  `UPDATE touches SET recipient_hash = 'h1', industry = 'energy' WHERE recipient_hash = 'h2'`,
  `UPDATE touches SET recipient_hash = NULL WHERE recipient_id IN ('r4', 'r11') OR sequence_step = 3`,
  `UPDATE touches SET recipient_hash = 'h0' WHERE recipient_id IN ('r4', 'r9', 'r12') AND sent_day < date '2026-01-20'`,
  `INSERT INTO touches SELECT (jsonb_populate_record(touches, jsonb_build_object('outcome', 0))).* FROM touches
    WHERE position = 5 ON CONFLICT (company_id, touch_id) DO UPDATE SET outcome = excluded.outcome`,
  `DELETE FROM touches WHERE recipient_hash IN ('h3', 'h5') OR sent_day = date '2026-01-07'`,
  `INSERT INTO cohort_counts (company_id, sent_day, channel, step_bucket, position, touches, replies, bounces,
      unsubscribes, opens, meetings, streamed, level_touches, level_replies, hour_touches, hour_replies, reply_delays)
    SELECT company_id, sent_day, channel, 0, position, count(*), 0, 0, 0, 0, 0, 0, '{1}', '{}', '{}', '{}', '{}'
    FROM touches GROUP BY company_id, sent_day, channel, position`,
  `UPDATE cohort_weeks SET digest = '\\x00'`,
  `UPDATE cohort_counts SET replies = replies + 1 WHERE sent_day < date '2026-01-10'`,
  `UPDATE cohort_weeks SET digest = '\\x00'`,
  `UPDATE cohort_counts SET tested_level_touches = level_touches, tested_level_replies = level_replies,
    tested_replies = replies`,
  `UPDATE cohort_counts SET replies = replies + 1 WHERE channel = 1 AND sent_day > date '2026-01-25'`,
  `DELETE FROM cohort_counts WHERE position = 2 AND sent_day BETWEEN date '2026-01-12' AND date '2026-01-14'`,
];

describe('the functions that k8s/citus.sql puts in place of others', () => {
  const databases: TestDatabase[] = [];
  afterAll(async () => {
    for (const database of databases) await database.drop();
  });

  it('keep the same counts, step by step', async () => {
    const [plain, spread] = [await createTestDatabase(), await createTestDatabase()] as const;
    databases.push(plain, spread);
    const functions = script.match(/CREATE OR REPLACE FUNCTION[\s\S]*?\nEND \$\$;/g) ?? [];
    expect(functions).toHaveLength(4);
    for (const statement of functions) await spread.query(statement);
    for (const step of STEPS) {
      for (const database of [plain, spread]) await database.query(step);
      for (const [table, columns] of Object.entries(FOLLOWERS)) {
        const rows = `SELECT ${columns} FROM ${table} ORDER BY 1, 2, 3`;
        const query = table === 'industry_days' ? rows.replace(', 3', '') : rows;
        const expected = await plain.query(query);
        expect({ step, table, rows: await spread.query(query) }).toEqual({ step, table, rows: expected });
      }
    }
    // Mutation: steps that change nothing.
    expect(await plain.query('SELECT 1 FROM responder_counts')).not.toHaveLength(0);
    expect(await plain.query('SELECT 1 FROM cohort_weeks WHERE digest IS NOT NULL')).not.toHaveLength(0);
  });
});
