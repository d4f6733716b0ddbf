import { Inject, Injectable } from '@nestjs/common';
import type { ClaimEntry, ClaimRecord } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';

/** Rows that one answer lists: some ten changes of every code. */
const MOST_LISTED = 500;

type Row = Omit<ClaimEntry, 'since'> & { readonly since: Date };

/** Everything that was ever claimed, and what became of it. */
@Injectable()
export class ClaimRecords {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * The record's rows, newest first, each with what was claimed of the code before it.
   * @param code - that it is about; all codes where not given
   */
  async of(scope: TenantScope, code?: string): Promise<ClaimRecord> {
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const { rows } = await client.query<Row>(
        `SELECT code, number, tier, lag(tier) OVER (PARTITION BY code ORDER BY number) AS "previousTier",
           is_up AS "isMore", since, reason, goes_with AS "goesWith"
         FROM claims WHERE company_id = $1 AND ($2::text IS NULL OR code = $2)
         ORDER BY since DESC, code, number DESC`,
        [companyId, code ?? null],
      );
      return {
        total: rows.length,
        claims: rows.slice(0, MOST_LISTED).map((row) => ({ ...row, since: row.since.toISOString() })),
      };
    });
  }
}
