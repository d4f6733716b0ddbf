import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';

/** Re-analyses that deletions asked for. Postgres remembers them; Redis only hastens them. */
@Injectable()
export class ReanalysisRequestRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * Notes a request within the transaction of the deletion. A request that stands already gets another id.
   * @returns its id
   */
  async note(scope: TenantScope, client: TenantTransaction['client']): Promise<string> {
    const { rows } = await client.query<{ request_id: string }>(
      `INSERT INTO reanalysis_requests (company_id, request_id, requested_at)
       VALUES ($1, gen_random_uuid(), clock_timestamp())
       ON CONFLICT (company_id) DO UPDATE SET request_id = excluded.request_id RETURNING request_id`,
      [scope.companyId],
    );
    return rows[0]?.request_id ?? '';
  }

  /** Forgets a request that was fulfilled; one that has come since has another id and stays. */
  async fulfil(scope: TenantScope, requestId: string): Promise<void> {
    await this.database.transaction(scope, ({ client }) =>
      client.query('DELETE FROM reanalysis_requests WHERE company_id = $1 AND request_id = $2', [
        scope.companyId,
        requestId,
      ]),
    );
  }
}
