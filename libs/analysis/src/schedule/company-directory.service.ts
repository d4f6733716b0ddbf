import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { companiesBehind, companyExists } from './company.repository';

/** Companies per page: ids only, so that ten million of them never stand in memory at once. */
const PAGE_SIZE = 1_000;
/** Before every company's id, and itself the id of none: the installation has it. */
const NIL = '00000000-0000-0000-0000-000000000000';

/** Whom the worker works for. Postgres shows its role the list of companies, and nothing of theirs without a scope. */
@Injectable()
export class CompanyDirectory {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** @returns the scope of a company that exists, undefined for any other id */
  async scopeOf(companyId: string): Promise<TenantScope | undefined> {
    return (await companyExists(this.database, companyId)) ? mintTenantScope(companyId) : undefined;
  }

  /** @returns the scope of what concerns no company, such as calls for a tenant that there is not */
  installationScope(): TenantScope {
    return mintTenantScope(NIL);
  }

  /** All companies' ids, in pages. */
  async *pages(): AsyncGenerator<readonly string[]> {
    let after = NIL;
    for (;;) {
      const ids = await companiesBehind(this.database, after, PAGE_SIZE);
      if (ids.length > 0) yield ids;
      after = ids.at(-1) ?? after;
      if (ids.length < PAGE_SIZE) return;
    }
  }
}
