import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';

/** How far a company's data has come through the house. */
export interface Freshness {
  /** Up to when outcomes are in the newest finished run; null before the first. */
  readonly dataAsOf: Date | null;
  /** When that run ended. */
  readonly analysedAt: Date | null;
  readonly lastRunFailed: boolean;
  /** Whether any outcome was ever accepted and is still there. */
  readonly hasEvents: boolean;
}

@Injectable()
export class FreshnessRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  async find(scope: TenantScope): Promise<Freshness> {
    return this.database.transaction(scope, async ({ companyId, client }) => {
      const found = await client.query<Freshness>({
        name: 'freshness',
        text: `SELECT
          (SELECT data_as_of FROM analysis_runs WHERE company_id = $1 AND state = 'succeeded'
            ORDER BY started_at DESC LIMIT 1) AS "dataAsOf",
          (SELECT finished_at FROM analysis_runs WHERE company_id = $1 AND state = 'succeeded'
            ORDER BY started_at DESC LIMIT 1) AS "analysedAt",
          coalesce((SELECT state = 'failed' FROM analysis_runs WHERE company_id = $1 AND state <> 'running'
            ORDER BY started_at DESC LIMIT 1), false) AS "lastRunFailed",
          (EXISTS (SELECT FROM touches WHERE company_id = $1)
            OR EXISTS (SELECT FROM ingest_batches WHERE company_id = $1)) AS "hasEvents"`,
        values: [companyId],
      });
      return found.rows[0] ?? { dataAsOf: null, analysedAt: null, lastRunFailed: false, hasEvents: false };
    });
  }
}
