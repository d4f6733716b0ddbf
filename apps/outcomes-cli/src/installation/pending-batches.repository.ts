import type { TenantScope } from '@outcomes/tenancy';
import type { OpenInstallation } from './open-installation';

export interface PendingBatches {
  readonly batches: number;
  readonly events: number;
}

/** What of a company is stored and not counted yet. Batches that failed five times are not waited for. */
export async function pendingBatches(
  { database }: Pick<OpenInstallation, 'database'>,
  scope: TenantScope,
): Promise<PendingBatches> {
  return database.transaction(scope, async ({ client, companyId }) => {
    const { rows } = await client.query<PendingBatches>(
      `SELECT count(*)::int AS batches, coalesce(sum(cardinality(event_ids)), 0)::int AS events
       FROM ingest_batches WHERE company_id = $1 AND processed_at IS NULL AND failed_attempts < 5`,
      [companyId],
    );
    return rows[0] ?? { batches: 0, events: 0 };
  });
}
