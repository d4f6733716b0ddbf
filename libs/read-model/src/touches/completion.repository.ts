import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';

/** Identifiers of the tenant's own that a caller may be typing. */
export type CompletableIdentifier = 'campaign' | 'contact';

const COLUMNS: Readonly<Record<CompletableIdentifier, string>> = {
  campaign: 'campaign_id',
  contact: 'recipient_id',
};

/** How many identifiers are looked at before giving up: an answer while typing must be quick, not complete. */
const MAX_HOPS = 1_000;

@Injectable()
export class CompletionRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * Identifiers that begin with what was typed, in ascending order.
   * @param limit - most identifiers to return
   */
  async find(
    scope: TenantScope,
    identifier: CompletableIdentifier,
    typed: string,
    limit: number,
  ): Promise<string[]> {
    // Postgres has no NUL in text, so nothing stored can begin like this.
    if (typed.includes('\0')) return [];
    const column = COLUMNS[identifier];
    return this.database.transaction(scope, async ({ companyId, client }) => {
      const found = await client.query<{ identifier: string }>({
        name: `completions_${identifier}`,
        // Hops from identifier to identifier in the index: the messages in between are never read.
        text: `WITH RECURSIVE hop AS (
            (SELECT ${column} AS identifier FROM touches WHERE company_id = (SELECT $1::uuid) AND ${column} >= $2
              ORDER BY ${column} LIMIT 1)
            UNION ALL
            SELECT (SELECT ${column} FROM touches WHERE company_id = (SELECT $1::uuid) AND ${column} > hop.identifier
              ORDER BY ${column} LIMIT 1)
            FROM hop WHERE hop.identifier IS NOT NULL
          )
          SELECT identifier FROM (SELECT identifier FROM hop LIMIT ${MAX_HOPS}) seen
          WHERE starts_with(identifier, $2) LIMIT $3`,
        values: [companyId, typed, limit],
      });
      return found.rows.map((row) => row.identifier);
    });
  }
}
