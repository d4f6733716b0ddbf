import type { CompanySettings } from '@outcomes/contracts';
import type { TenantTransaction } from '@outcomes/tenancy';

export async function companyExists({ client, companyId }: TenantTransaction): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM companies WHERE company_id = $1', [companyId]);
  return rowCount !== 0;
}

/** @returns undefined where there is no such company */
export async function companySettings({
  client,
  companyId,
}: TenantTransaction): Promise<CompanySettings | undefined> {
  const { rows } = await client.query<CompanySettings>(
    'SELECT name, time_zone AS "timeZone" FROM companies WHERE company_id = $1',
    [companyId],
  );
  return rows[0];
}
