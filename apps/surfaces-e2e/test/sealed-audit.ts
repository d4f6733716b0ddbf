import { AuditSealing, BY_THE_SERVICE, recordAdministration } from '@outcomes/audit';
import { createDataSource } from '@outcomes/persistence';
import { createLogger, systemClock } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { waitUntil, type TestDatabase } from '@outcomes/testing';

/**
 * Puts true seals over the audit rows of companies in place of whatever seals they have, and true entries into their
 * administration logs.
 */
export async function sealAudits(database: TestDatabase, companyIds: readonly string[]): Promise<void> {
  for (const table of ['audit_seals', 'administration_log'])
    await database.query(`DELETE FROM ${table} WHERE company_id = ANY ($1)`, [companyIds]);
  await as(database, 'outcomes_worker', async (worker) => {
    const sealing = new AuditSealing(worker, systemClock, createLogger('test', 'silent'));
    const note = await sealing.note();
    const horizon = await waitUntil('older transactions to end', () => sealing.settle(note), 25_000);
    for (const companyId of companyIds) await sealing.seal(mintTenantScope(companyId), horizon);
  });
  await as(database, 'outcomes_admin', async (administrators) => {
    for (const scope of companyIds.map(mintTenantScope)) {
      const entry = {
        ...BY_THE_SERVICE,
        action: 'key.create',
        subject: 'k',
        occurredAt: new Date(),
      } as const;
      for (let n = 0; n < 3; n += 1)
        await administrators.transaction(scope, (transaction) =>
          recordAdministration(transaction, { ...entry, details: { expires_at: 'later', burst: n } }),
        );
    }
  });
}

async function as(
  database: TestDatabase,
  group: string,
  work: (tenants: TenantDatabase) => Promise<void>,
): Promise<void> {
  const source = await createDataSource({
    url: await database.loginAs(group),
    applicationName: 'sealing-test',
    poolSize: 1,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 5_000,
  }).initialize();
  try {
    await work(new TenantDatabase(source));
  } finally {
    await source.destroy();
  }
}
