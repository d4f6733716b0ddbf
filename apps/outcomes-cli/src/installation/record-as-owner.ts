import { INSTALLATION, recordAdministration, type AdministrativeEntry } from '@outcomes/audit';
import { Client } from 'pg';

/**
 * Writes down in the log of the installation what the owner of the tables has done to it.
 * @param url - of the owner, at the newest schema
 */
export async function recordAsOwner(url: string, entry: AdministrativeEntry): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT set_config('app.company_id', $1, true)`, [INSTALLATION]);
    await recordAdministration({ companyId: INSTALLATION, client }, entry);
    await client.query('COMMIT');
  } finally {
    await client.end().catch(() => undefined);
  }
}
