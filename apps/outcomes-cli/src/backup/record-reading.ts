import { recordAdministration, type AdministrativeEntry } from '@outcomes/audit';
import type { Client } from 'pg';
import { remark } from '../output/terminal';

/**
 * Writes down that data is about to leave, before any of it does.
 * @param client - as `asBackupReader` gives it, outside a transaction
 * @param companyId - whose data; INSTALLATION where it is everybody's
 */
export async function recordReading(
  client: Client,
  companyId: string,
  entry: AdministrativeEntry,
): Promise<void> {
  if (!(await canRecord(client)))
    return remark(
      'outcomes: this database accepts no entries in its administration log; nothing was recorded.',
    );
  await client.query('BEGIN');
  await client.query(`SELECT set_config('app.company_id', $1, true)`, [companyId]);
  await recordAdministration({ companyId, client }, entry);
  await client.query('COMMIT');
}

/** A standby takes no writes, and a schema of an earlier version has no such log: backups are made of both. */
async function canRecord(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ can: boolean }>(
    `SELECT NOT pg_is_in_recovery() AND to_regclass('administration_log') IS NOT NULL AS can`,
  );
  return rows[0]?.can ?? false;
}
