import { AuditSealing } from '@outcomes/audit';
import { createDataSource } from '@outcomes/persistence';
import { createLogger, systemClock } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { waitUntil, type TestDatabase } from '@outcomes/testing';

/** Puts true seals over the audit rows of companies in place of whatever seals they have. */
export async function sealAudits(database: TestDatabase, companyIds: readonly string[]): Promise<void> {
  await database.query('DELETE FROM audit_seals WHERE company_id = ANY ($1)', [companyIds]);
  const worker = await createDataSource({
    url: await database.loginAs('outcomes_worker'),
    applicationName: 'sealing-test',
    poolSize: 1,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 5_000,
  }).initialize();
  try {
    const sealing = new AuditSealing(new TenantDatabase(worker), systemClock, createLogger('test', 'silent'));
    const note = await sealing.note();
    const horizon = await waitUntil('older transactions to end', () => sealing.settle(note), 25_000);
    for (const companyId of companyIds) await sealing.seal(mintTenantScope(companyId), horizon);
  } finally {
    await worker.destroy();
  }
}
