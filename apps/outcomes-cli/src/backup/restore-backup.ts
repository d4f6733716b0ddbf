import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { bringUp, bringUpTo, migrationNames } from '@outcomes/persistence';
import { Client, escapeIdentifier } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { CliFailure, failureLine } from '../output/cli-failure';
import type { Progress } from '../output/progress';
import { BackupReader, copyStatement, type BackupHeader, type SavedTable } from './backup-file';
import { printOf, SAME_TEXT, tablesOf } from './table-prints';

export interface RestoredBackup {
  readonly takenAt: string;
  readonly tables: number;
  readonly rows: number;
  /** Migrations that are newer than the backup, and have run now. */
  readonly migrations: readonly string[];
  readonly companyIds: readonly string[];
  /** Tables and columns (`table.column`) of the backup that its migrations do not create: nobody here made them. */
  readonly leftOut: readonly string[];
}

type OpenTable = Pick<SavedTable, 'name' | 'columns'>;

/** Who is signed in, and signing in: a session that was ended after the backup, as by a change of password, must not come back. */
const SIGNED_IN = ['user_sessions', 'sign_in_attempts'];

/**
 * Makes the roles, the schema and the rows of a backup in an empty database. The rows come in one transaction, which
 * is committed when every table has the count and the hash that it had: all of a backup is there, or nothing. What its
 * migrations do not create is not restored, and told. Nobody is signed in afterwards.
 * @param url - Postgres URL of who is to own the tables; may create roles
 * @throws CliFailure where the database is not empty, or the file not what was written
 */
export async function restoreBackup(
  url: string,
  file: string,
  progressOf: (rows: number) => Progress,
): Promise<RestoredBackup> {
  const { reader, header } = await BackupReader.open(file);
  const unknown = header.migrations.filter((name) => !migrationNames().includes(name));
  if (unknown.length > 0)
    throw new CliFailure(
      `${file} was written by a newer version: this program does not know ${unknown.join(', ')}. Use that version.`,
    );
  await refuseTables(url, header);
  await bringUpTo(url, header.migrations);
  const loaded = await load(url, reader, header, progressOf);
  const { migrations } = await bringUp(url);
  return { takenAt: header.takenAt, migrations, ...loaded };
}

/**
 * A restore that was broken off has left the tables of the backup, without rows. In a newer schema the rows would miss
 * what migrations do to rows; any other table is somebody's.
 */
async function refuseTables(url: string, { migrations }: BackupHeader): Promise<void> {
  await asOwner(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
    );
    if (tables.length === 0) return;
    if (!tables.some(({ name }) => name === 'schema_migrations'))
      throw new CliFailure(
        'The database has tables that are not part of this service. Use an empty database.',
      );
    const { rows: ran } = await client.query<{ name: string }>('SELECT name FROM schema_migrations');
    if (ran.some(({ name }) => !migrations.includes(name)))
      throw new CliFailure('The schema of the database is newer than the backup. Use an empty database.');
  });
}

async function load(
  url: string,
  reader: BackupReader,
  header: BackupHeader,
  progressOf: (rows: number) => Progress,
): Promise<Pick<RestoredBackup, 'tables' | 'rows' | 'companyIds' | 'leftOut'>> {
  const progress = progressOf(header.tables.reduce((sum, { rows }) => sum + rows, 0));
  try {
    return await asOwner(url, async (client) => {
      await client.query('BEGIN');
      await client.query(SAME_TEXT);
      const opened = await openTables(client, header);
      const leftOut: string[] = [];
      let [tables, rows, done] = [0, 0, 0];
      for (const table of header.tables) {
        const made = opened.find(({ name }) => name === table.name);
        if (made) {
          leftOut.push(...(await loadTable(client, reader, table, made)));
          tables += 1;
          rows += table.rows;
        } else {
          await passOver(reader, table);
          leftOut.push(table.name);
        }
        done += table.rows;
        progress.update(done, table.name);
      }
      await reader.end();
      for (const [name, value] of Object.entries(header.sequences)) {
        // One that is not there is of a table or a column that is left out.
        if (value !== null)
          await client.query('SELECT setval(to_regclass($1), $2)', [`public.${name}`, value]);
      }
      for (const { name } of opened) if (SIGNED_IN.includes(name)) await client.query(`TRUNCATE "${name}"`);
      const companies = await client.query<{ id: string }>('SELECT company_id AS id FROM companies');
      for (const { name } of opened) {
        await client.query(`ALTER TABLE "${name}" ENABLE TRIGGER USER`);
        await client.query(`ALTER TABLE "${name}" FORCE ROW LEVEL SECURITY`);
      }
      await client.query('COMMIT');
      await client.query('ANALYZE');
      return { tables, rows, companyIds: companies.rows.map(({ id }) => id), leftOut };
    });
  } finally {
    progress.stop();
  }
}

/**
 * Opens the tables to their owner until the end of the transaction, and sees that nothing is in them.
 * @returns the tables, all of which the backup has
 */
async function openTables(client: Client, { tables }: BackupHeader): Promise<OpenTable[]> {
  const made = await tablesOf(client);
  const saved = new Set(tables.map(({ name }) => name));
  const missing = made.filter(({ name }) => !saved.has(name)).map(({ name }) => name);
  if (missing.length > 0)
    throw new CliFailure(
      `The backup lacks tables that its migrations create: ${missing.join(', ')}. Nothing was restored.`,
    );
  for (const { name } of made) {
    await client.query(`ALTER TABLE "${name}" NO FORCE ROW LEVEL SECURITY`);
    // What triggers would derive is in the backup.
    await client.query(`ALTER TABLE "${name}" DISABLE TRIGGER USER`);
    const { rowCount } = await client.query(`SELECT FROM "${name}" LIMIT 1`);
    if (rowCount !== 0)
      throw new CliFailure(`The database already has rows in ${name}. Restore into an empty database.`);
  }
  return made;
}

/**
 * Loads a table and compares it with what was saved. Columns that no migration made are there while it is compared, as
 * text, in which they read as they did.
 * @returns the columns that were left out
 */
async function loadTable(
  client: Client,
  reader: BackupReader,
  table: SavedTable,
  made: OpenTable,
): Promise<string[]> {
  const foreign = table.columns.filter((column) => !made.columns.includes(column));
  const name = escapeIdentifier(table.name);
  for (const column of foreign)
    await client.query(`ALTER TABLE ${name} ADD COLUMN ${escapeIdentifier(column)} text`);
  const target = client.query(copyFrom(copyStatement(table)));
  await pipeline(Readable.from(reader.rowsOf(table)), target);
  const { rows, print } = await printOf(client, table);
  if (rows !== table.rows || print !== table.print)
    throw new CliFailure(
      `${table.name} has ${rows} rows and the backup ${table.rows}, or their contents differ. Nothing was restored.`,
    );
  for (const column of foreign)
    await client.query(`ALTER TABLE ${name} DROP COLUMN ${escapeIdentifier(column)}`);
  return foreign.map((column) => `${table.name}.${column}`);
}

/** Reads the rows of a table that no migration made: the checksum of the file is over them, too. */
async function passOver(reader: BackupReader, table: SavedTable): Promise<void> {
  for await (const rows of reader.rowsOf(table)) void rows;
}

async function asOwner<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({
    connectionString: url,
    application_name: 'outcomes-restore',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (cause) {
    throw new CliFailure(
      `Postgres or the database is not available (${failureLine(cause)}). Check DATABASE_URL, and create the database.`,
      { cause },
    );
  }
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
