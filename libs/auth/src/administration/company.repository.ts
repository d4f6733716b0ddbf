import type { CompanySettings } from '@outcomes/contracts';
import { CompanyEntity } from '@outcomes/persistence';
import type { TenantDatabase, TenantTransaction } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';

/** Every company, oldest first. Only the administrators' database role sees them all. */
export async function everyCompany(database: TenantDatabase): Promise<CompanyEntity[]> {
  return database.unscoped(mintSystemScope(), ({ manager }) =>
    manager.find(CompanyEntity, { order: { createdAt: 'ASC', companyId: 'ASC' } }),
  );
}

/** The company that holds a portal, before any is known. */
export async function companyOfPortal(
  database: TenantDatabase,
  portalId: string,
): Promise<CompanyEntity | null> {
  return database.unscoped(mintSystemScope({ 'app.portal_id': portalId }), ({ manager }) =>
    manager.findOneBy(CompanyEntity, { portalId }),
  );
}

export async function insertCompany(
  { manager, companyId }: TenantTransaction,
  company: Pick<CompanyEntity, 'name' | 'timeZone' | 'portalId' | 'createdAt'>,
): Promise<void> {
  await manager.insert(CompanyEntity, { companyId, ...company });
}

/** Whoever else asks waits for the end of the transaction. @returns whether there is such a company */
export async function lockCompany({ client, companyId }: TenantTransaction): Promise<boolean> {
  const { rowCount } = await client.query('SELECT 1 FROM companies WHERE company_id = $1 FOR UPDATE', [
    companyId,
  ]);
  return rowCount !== 0;
}

/** @returns whether there is such a company */
export async function changeSettings(
  { client, companyId }: TenantTransaction,
  { name, timeZone }: CompanySettings,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'UPDATE companies SET name = $2, time_zone = $3 WHERE company_id = $1',
    [companyId, name, timeZone],
  );
  return rowCount !== 0;
}
