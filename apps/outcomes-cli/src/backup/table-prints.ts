import { SECURED_TABLES } from '@outcomes/persistence';
import type { ClientBase } from 'pg';
import { columnList, type SavedTable, type TablePrint } from './backup-file';

type Client = Pick<ClientBase, 'query'>;

/** Under which settings rows have the same text on every server. */
export const SAME_TEXT = `SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, MDY';
  SET LOCAL intervalstyle = 'postgres'; SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex';
  SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`;

/**
 * A table of the service: it is in the catalogue or, made by a newer version than this program, under forced row-level
 * security, as all of them are. Any other is somebody else's: no migration would make it again.
 */
const IS_OURS = '(relforcerowsecurity OR relname = ANY ($1))';

/**
 * Tables of the service, those before which others refer to, and of each the columns that hold what was written.
 */
export async function tablesOf(client: Client): Promise<Omit<SavedTable, keyof TablePrint>[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; refersTo: string[] }>(
    `SELECT relname AS name,
       ARRAY(SELECT attname::text FROM pg_attribute
         WHERE attrelid = class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum) AS columns,
       ARRAY(SELECT confrelid::regclass::text FROM pg_constraint
         WHERE conrelid = class.oid AND contype = 'f' AND confrelid <> conrelid) AS "refersTo"
     FROM pg_class AS class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND ${IS_OURS} ORDER BY relname`,
    [SECURED_TABLES],
  );
  const placed: typeof rows = [];
  while (placed.length < rows.length) {
    const names = new Set(placed.map(({ name }) => name));
    const next = rows.filter(
      ({ name, refersTo }) => !names.has(name) && refersTo.every((other) => names.has(other)),
    );
    if (next.length === 0) throw new Error('tables refer to one another in a circle');
    placed.push(...next);
  }
  return placed.map(({ name, columns }) => ({ name, columns }));
}

/** @returns names of the tables that are not the service's, in alphabetical order */
export async function foreignTablesOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT ${IS_OURS}
       AND relname <> 'schema_migrations' ORDER BY relname`,
    [SECURED_TABLES],
  );
  return rows.map(({ name }) => name);
}

/**
 * Count and hash of what a table holds, for whoever sees all rows. The hash is a sum over rows of the first 64 bits of
 * each row's SHA-256, so that their order does not matter.
 */
export async function printOf(
  client: Client,
  table: Pick<SavedTable, 'name' | 'columns'>,
): Promise<TablePrint> {
  const { rows } = await client.query<TablePrint>(
    `SELECT count(*)::float8 AS rows, coalesce(sum(('x' || encode(substring(
         sha256(convert_to(ROW(${columnList(table)})::text, 'UTF8')) FOR 8), 'hex'))::bit(64)::bigint), 0)::text AS print
     FROM "${table.name}"`,
  );
  return rows[0] ?? { rows: 0, print: '0' };
}
