import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import { migrateDatabase } from '../database/migrate';

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
  return faults;
}

describe('the schema can be spread over nodes by company', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
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
