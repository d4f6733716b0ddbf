import { Inject, Injectable } from '@nestjs/common';
import { companyExists } from '@outcomes/persistence';
import { atMost } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { LRUCache } from 'lru-cache';
import { companyOfPortal } from '../administration/company.repository';

const CACHE_TTL_MS = 10_000;
const MAX_KNOWN = 20_000;

/** Answers which company a bootstrap credential means. Only companies that exist are remembered. */
@Injectable()
export class TenantDirectory {
  private readonly companies = new LRUCache<string, true>({ ...atMost(MAX_KNOWN), ttl: CACHE_TTL_MS });
  private readonly portals = new LRUCache<string, string>({ ...atMost(MAX_KNOWN), ttl: CACHE_TTL_MS });

  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** @param companyId - lower-case UUID */
  async exists(companyId: string): Promise<boolean> {
    if (this.companies.has(companyId)) return true;
    const exists = await this.database.transaction(mintTenantScope(companyId), companyExists);
    if (exists) this.companies.set(companyId, true);
    return exists;
  }

  /** Whether it was found within the last ten seconds. No wait. */
  remembers(companyId: string): boolean {
    return this.companies.has(companyId);
  }

  /** @returns id of the company that holds the portal, if any */
  async companyOfPortal(portalId: string): Promise<string | undefined> {
    const known = this.portals.get(portalId);
    if (known !== undefined) return known;
    const company = await companyOfPortal(this.database, portalId);
    if (company) this.portals.set(portalId, company.companyId);
    return company?.companyId;
  }
}
