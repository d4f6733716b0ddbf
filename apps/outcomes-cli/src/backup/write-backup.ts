import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { INSTALLATION, type Deed } from '@outcomes/audit';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { CliFailure } from '../output/cli-failure';
import type { Progress } from '../output/progress';
import { leaveNothingOf, partialOf } from '../output/whole-file';
import { asBackupReader } from './backup-login';
import { recordReading } from './record-reading';
import {
  CHECKSUM,
  columnList,
  copyStatement,
  END_OF_ROWS,
  FORMAT,
  type BackupHeader,
  type SavedTable,
} from './backup-file';
import { foreignTablesOf, printOf, SAME_TEXT, tablesOf } from './table-prints';

export interface BackupSummary {
  readonly file: string;
  readonly bytes: number;
  readonly takenAt: string;
  readonly tables: number;
  readonly rows: number;
  /** Tables that are not in it, because they are not the service's. */
  readonly leftOut: readonly string[];
}

/**
 * Writes one state of the database into a file, which appears when it is whole.
 * @param url - Postgres URL of a superuser, or of a login that may take on the role for backups
 * @throws CliFailure where the file is there already, or the login would not see every row
 */
export async function writeBackup(
  url: string,
  deed: Deed,
  file: string,
  progressOf: (rows: number) => Progress,
): Promise<BackupSummary> {
  if (await exists(file)) throw new CliFailure(`${file} already exists; choose another file or remove it.`);
  return asBackupReader(url, async (client) => {
    const entry = { ...deed, action: 'backup.write', subject: null, occurredAt: new Date() } as const;
    await recordReading(client, INSTALLATION, entry);
    return write(client, file, progressOf);
  });
}

async function write(
  client: Client,
  file: string,
  progressOf: (rows: number) => Progress,
): Promise<BackupSummary> {
  const partial = partialOf(file);
  const takeBack = leaveNothingOf(file);
  let progress: Progress | undefined;
  try {
    const header = await readHeader(client);
    const leftOut = await foreignTablesOf(client);
    const rows = header.tables.reduce((sum, table) => sum + table.rows, 0);
    progress = progressOf(rows);
    // Nobody else may read what every company has sent.
    const target = createWriteStream(partial, { mode: 0o600, flags: 'w', flush: true });
    await pipeline(contentsOf(client, header, progress), createGzip(), target);
    await rename(partial, file);
    await syncDirectoryOf(file);
    const { size } = await stat(file);
    return { file, bytes: size, takenAt: header.takenAt, tables: header.tables.length, rows, leftOut };
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    takeBack();
    progress?.stop();
  }
}

async function readHeader(client: Client): Promise<BackupHeader> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query(`${SAME_TEXT}; SET LOCAL synchronize_seqscans = off`);
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY id');
  const clock = await client.query<{ now: Date }>('SELECT now() AS now');
  const tables: SavedTable[] = [];
  for (const table of await tablesOf(client)) tables.push({ ...table, ...(await printOf(client, table)) });
  const sequences = await client.query<{ name: string; value: string | null }>(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = 'public' AND EXISTS (SELECT FROM pg_depend
       WHERE classid = 'pg_class'::regclass AND objid = format('public.%I', sequencename)::regclass
         AND refclassid = 'pg_class'::regclass AND refobjid = ANY (SELECT format('public.%I', name)::regclass
           FROM unnest($1::text[]) AS name))
     ORDER BY 1`,
    [tables.map(({ name }) => name)],
  );
  return {
    takenAt: (clock.rows[0]?.now ?? new Date()).toISOString(),
    migrations: rows.map(({ name }) => name),
    tables,
    sequences: Object.fromEntries(sequences.rows.map(({ name, value }) => [name, value])),
  };
}

async function* contentsOf(client: Client, header: BackupHeader, progress: Progress): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const hashed = (chunk: Buffer) => {
    hash.update(chunk);
    return chunk;
  };
  const line = (text: string) => hashed(Buffer.from(`${text}\n`));
  yield line(FORMAT);
  yield line(`-- ${JSON.stringify(header)}`);
  let done = 0;
  for (const table of header.tables) {
    yield line(`${copyStatement(table)};`);
    const before = done;
    const rows = client.query(copyTo(`COPY (SELECT ${columnList(table)} FROM "${table.name}") TO STDOUT`));
    for await (const chunk of rows as AsyncIterable<Buffer>) {
      done += linesIn(chunk);
      progress.update(done, table.name);
      yield hashed(chunk);
    }
    if (done - before !== table.rows) throw new CliFailure(`Not all rows of ${table.name} could be read.`);
    yield line(END_OF_ROWS);
  }
  yield Buffer.from(`${CHECKSUM}${hash.digest('hex')}\n`);
}

/** A row of COPY's text format is a line: line ends within values are escaped. */
function linesIn(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  return lines;
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** A name is durable when its folder is. */
async function syncDirectoryOf(file: string): Promise<void> {
  const directory = await open(dirname(resolve(file)), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
