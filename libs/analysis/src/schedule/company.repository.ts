import type { TenantDatabase } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';

export async function companyExists(database: TenantDatabase, companyId: string): Promise<boolean> {
  const { rowCount } = await database.unscoped(mintSystemScope(), ({ client }) =>
    client.query('SELECT FROM companies WHERE company_id = $1', [companyId]),
  );
  return rowCount === 1;
}

/** Ids of the next companies behind one, in their order. */
export async function companiesBehind(
  database: TenantDatabase,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await database.unscoped(mintSystemScope(), ({ client }) =>
    client.query<{ company_id: string }>(
      'SELECT company_id FROM companies WHERE company_id > $1 ORDER BY company_id LIMIT $2',
      [after, limit],
    ),
  );
  return rows.map((row) => row.company_id);
}
