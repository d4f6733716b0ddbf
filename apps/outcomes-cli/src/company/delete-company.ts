import { setTimeout as pause } from 'node:timers/promises';
import { INSTALLATION, recordAdministration, takeSealersTurn, type Deed } from '@outcomes/audit';
import { COMPANY_TABLES, TOUCH_LOCK } from '@outcomes/persistence';
import { Client } from 'pg';
import { connectedLogin } from '../installation/connected-login.repository';
import { CliFailure } from '../output/cli-failure';
import type { Progress } from '../output/progress';

export interface CompanyDeleted {
  readonly companyId: string;
  readonly rows: number;
}

/** Rows of a transaction: a long one would hold up the worker and its own undoing. */
const SLICE = 5_000;
/** How long a process may believe in a key after it was revoked, where Redis does not tell it. */
const KEYS_FORGOTTEN_MS = 10_000;
/**
 * How long something may still be written of a company that is gone: for ten seconds processes believe that it exists,
 * a call that was let in then leaves its audit row a little later, and its usage is written every fifteen seconds.
 */
const LAST_WRITES_MS = 30_000;

/** Those whose triggers write into others. */
const FIRST = ['touches', 'cohort_counts'];
/** What the others refer to, and who is left without a company: gone in one transaction. */
const LAST = ['memberships', 'api_keys', 'companies'];
const BETWEEN = COMPANY_TABLES.filter((table) => ![...FIRST, ...LAST].includes(table));
const ORDER = [...FIRST, ...BETWEEN, ...LAST];

/**
 * Deletes a company with all that is stored of it. Its keys go first, then rows slice by slice, and in one
 * transaction whatever has come in meanwhile, the company itself, and the accounts of people who are in no other. When
 * nobody writes of it any more, what was still written goes too. What stays is a row in the ledger of erasures, which
 * says that this id was deleted and when, so that no restored backup brings it back. Broken off, it can be repeated, and
 * also of a company that is gone: then it deletes what was left behind.
 * @param url - of the owner of the tables: no service may delete from the audit log
 * @param wait - for so many milliseconds, until no process takes its keys, and until none writes of it
 */
export async function deleteCompany(
  url: string,
  deed: Deed,
  companyId: string,
  progressOf: (rows: number) => Progress,
  wait: (milliseconds: number) => Promise<unknown> = (milliseconds) => pause(milliseconds),
): Promise<CompanyDeleted> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true });
  client.on('error', () => undefined);
  await client.connect();
  let progress: Progress | undefined;
  try {
    await requireOwner(client);
    const isGone = await inCompany(client, companyId, () => begin(client, deed, companyId));
    const revokedAt = performance.now();
    const total = await inCompany(client, companyId, () => countOf(client, companyId));
    progress = progressOf(total);
    let rows = 0;
    for (const table of [...FIRST, ...BETWEEN]) {
      for (let slice = SLICE; slice === SLICE;) {
        slice = await inCompany(client, companyId, () => deleteSlice(client, companyId, table));
        rows += slice;
        progress.update(rows, table);
      }
    }
    if (!isGone) {
      progress.update(rows, 'waiting until no service takes its keys any more');
      await wait(Math.max(0, KEYS_FORGOTTEN_MS - (performance.now() - revokedAt)));
      const deleted = rows;
      rows += await inCompany(client, companyId, async () => {
        const rest = await deleteRest(client, companyId);
        await record(client, deed, companyId, 'company.delete', { rows: deleted + rest });
        return rest;
      });
      progress.update(
        rows,
        `the company is gone; waiting ${LAST_WRITES_MS / 1_000} s for what services still write of it`,
      );
      await wait(LAST_WRITES_MS);
    }
    const before = isGone ? rows : 0;
    rows += await inCompany(client, companyId, async () => {
      const late = await deleteRows(client, companyId);
      if (before + late > 0) await record(client, deed, companyId, 'company.delete', { rows: before + late });
      return late;
    });
    return { companyId, rows };
  } finally {
    progress?.stop();
    await client.end().catch(() => undefined);
  }
}

/** Before anything is changed: a login that could only begin would leave a company without keys. */
async function requireOwner(client: Client): Promise<void> {
  const { name, ownsTables } = await connectedLogin(client);
  if (!ownsTables)
    throw new CliFailure(
      `deleting a company needs the owner of the tables; nothing was changed. ${name} is not: set DATABASE_URL to the owner's URL.`,
    );
}

/**
 * Revokes the keys of the company, and writes down that it is being deleted, in case that this is broken off.
 * @returns whether it was deleted before
 */
async function begin(client: Client, deed: Deed, companyId: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM companies WHERE company_id = $1', [companyId]);
  if (rowCount === 0) {
    const erased = await client.query(
      `SELECT FROM erasures WHERE company_id = $1 AND subject = 'company' LIMIT 1`,
      [companyId],
    );
    if (erased.rowCount === 0)
      throw new CliFailure(`there is no company ${companyId}; see "outcomes company list".`);
    return true;
  }
  await client.query('UPDATE api_keys SET revoked_at = now() WHERE company_id = $1 AND revoked_at IS NULL', [
    companyId,
  ]);
  await record(client, deed, companyId, 'company.begin_deletion', {});
  return false;
}

/** In the log of the installation, because the company's own has gone with it. */
async function record(
  client: Client,
  deed: Deed,
  companyId: string,
  action: 'company.begin_deletion' | 'company.delete',
  details: { readonly rows?: number },
): Promise<void> {
  await client.query(`SELECT set_config('app.company_id', $1, true)`, [INSTALLATION]);
  await recordAdministration(
    { companyId: INSTALLATION, client },
    { ...deed, action, subject: companyId, details, occurredAt: new Date() },
  );
}

async function inCompany<Result>(
  client: Client,
  companyId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('BEGIN');
  try {
    await client.query(`SELECT set_config('app.company_id', $1, true)`, [companyId]);
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function countOf(client: Client, companyId: string): Promise<number> {
  let rows = 0;
  for (const table of ORDER) {
    const found = await client.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${table} WHERE ${rowsOf(table)}`,
      [companyId],
    );
    rows += found.rows[0]?.n ?? 0;
  }
  return rows;
}

/** Deleting nothing is not nothing: triggers of touches note a company whose messages changed. */
async function isEmpty(client: Client, companyId: string, table: string): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM ${table} WHERE ${rowsOf(table)} LIMIT 1`, [companyId]);
  return rowCount === 0;
}

async function deleteSlice(client: Client, companyId: string, table: string): Promise<number> {
  // Nobody folds events into the same messages meanwhile.
  await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [TOUCH_LOCK, companyId]);
  if (await isEmpty(client, companyId, table)) return 0;
  const { rowCount } = await client.query(
    `DELETE FROM ${table} WHERE ${rowsOf(table)} AND ctid = ANY (ARRAY(
       SELECT ctid FROM ${table} WHERE ${rowsOf(table)} LIMIT ${SLICE}))`,
    [companyId],
  );
  return rowCount ?? 0;
}

/** That the company was deleted stays in the ledger. */
function rowsOf(table: string): string {
  return table === 'erasures' ? `company_id = $1 AND subject <> 'company'` : 'company_id = $1';
}

async function deleteRows(client: Client, companyId: string): Promise<number> {
  await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [TOUCH_LOCK, companyId]);
  // A sealer that has read the rows would leave their seal and counts behind.
  await takeSealersTurn({ client, companyId });
  let rows = 0;
  for (const table of ORDER) {
    if (await isEmpty(client, companyId, table)) continue;
    const { rowCount } = await client.query(`DELETE FROM ${table} WHERE ${rowsOf(table)}`, [companyId]);
    rows += rowCount ?? 0;
  }
  return rows;
}

async function deleteRest(client: Client, companyId: string): Promise<number> {
  const people = await client.query<{ user_id: string }>(
    'SELECT user_id FROM memberships WHERE company_id = $1',
    [companyId],
  );
  let rows = await deleteRows(client, companyId);
  for (const { user_id } of people.rows) rows += await deleteAccount(client, user_id);
  const left = await countOf(client, companyId);
  if (left > 0)
    throw new CliFailure(`${left} rows of ${companyId} could not be deleted; this step was rolled back.`);
  await client.query(
    `INSERT INTO erasures (company_id, erasure_id, subject, subject_sha256, kept_suppression)
     VALUES ($1, gen_random_uuid(), 'company',
       sha256(convert_to($2 || ':' || encode(sha256(convert_to($2, 'UTF8')), 'hex'), 'UTF8')), false)`,
    [companyId, companyId],
  );
  return rows;
}

/** Of somebody who is in no company any more, with what signs it in. @returns how many rows that were */
async function deleteAccount(client: Client, userId: string): Promise<number> {
  await client.query(`SELECT set_config('app.user_id', $1, true)`, [userId]);
  let rows = 0;
  for (const table of ['user_sessions', 'users']) {
    const { rowCount } = await client.query(
      `DELETE FROM ${table} WHERE user_id = $1 AND NOT EXISTS (SELECT FROM memberships WHERE user_id = $1)`,
      [userId],
    );
    rows += rowCount ?? 0;
  }
  await client.query(`SELECT set_config('app.user_id', '', true)`);
  return rows;
}
