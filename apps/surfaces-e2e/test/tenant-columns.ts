import type { TestDatabase } from '@outcomes/testing';

/** A column of a table whose rows belong to companies. */
export interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** By Postgres, as a number or from other columns. */
  readonly generated: boolean;
  readonly required: boolean;
  /** A check of the schema that lists what the column may say; null where it may say anything. */
  readonly listed: string | null;
}

/** Every column of every table that has a company_id, as the catalogue of Postgres says. */
export async function columnsOfTenants(database: Pick<TestDatabase, 'query'>): Promise<Column[]> {
  return database.query<Column & Record<string, unknown>>(
    `SELECT c.relname AS table, a.attname AS column, t.typname AS type, a.attidentity <> '' OR a.attgenerated <> '' AS generated, a.attnotnull AS required,
       (SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c'
          AND k.conkey = ARRAY[a.attnum] AND pg_get_constraintdef(k.oid) LIKE '%= ANY (ARRAY[%' LIMIT 1) AS listed
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       JOIN pg_type t ON t.oid = a.atttypid
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
       AND EXISTS (SELECT FROM pg_attribute own WHERE own.attrelid = c.oid AND own.attname = 'company_id')
     ORDER BY c.oid, a.attnum`,
  );
}

/** Types that can hold any text. */
export const TEXT_TYPES = ['text', 'varchar', 'bpchar', '_text', '_varchar', 'json', 'jsonb'];
