import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';

/** Companies per page: ids only, so that ten million of them never stand in memory at once. */
const PAGE_SIZE = 1_000;

/** Whom the worker works for. Postgres shows its role the list of companies, and nothing of theirs without a scope. */
@Injectable()
export class CompanyDirectory {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** @returns the scope of a company that exists, undefined for any other id */
  async scopeOf(companyId: string): Promise<TenantScope | undefined> {
    const found = await this.database.unscoped({}, (client) =>
      client.query('SELECT FROM companies WHERE company_id = $1', [companyId]),
    );
    return found.rowCount === 1 ? mintTenantScope(companyId) : undefined;
  }

  /** All companies' ids, in pages. */
  async *pages(): AsyncGenerator<readonly string[]> {
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const { rows } = await this.database.unscoped({}, (client) =>
        client.query<{ company_id: string }>(
          'SELECT company_id FROM companies WHERE company_id > $1 ORDER BY company_id LIMIT $2',
          [after, PAGE_SIZE],
        ),
      );
      const ids = rows.map((row) => row.company_id);
      if (ids.length > 0) yield ids;
      after = ids.at(-1) ?? after;
      if (ids.length < PAGE_SIZE) return;
    }
  }
}
