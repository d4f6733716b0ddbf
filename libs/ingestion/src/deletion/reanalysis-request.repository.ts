import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';

/** Who asks: a deletion, or a caller. */
export type RequestReason = 'erasure' | 'requested';

/** Key of the run that fulfils a request; unique, for a run that is under way may have read what is deleted now. */
export function reanalysisKey(reason: RequestReason, requestId: string): string {
  return `${reason}-${requestId}`;
}

/** Analyses that deletions and callers asked for. Postgres remembers them; Redis only hastens them. */
@Injectable()
export class ReanalysisRequestRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * Notes a request in the transaction of whoever asks. One that stands already gets another id, and stays a
   * deletion's where it was one: such a run carries nothing over.
   * @returns key of the run that fulfils it
   */
  async note(
    scope: TenantScope,
    client: TenantTransaction['client'],
    reason: RequestReason,
  ): Promise<string> {
    const { rows } = await client.query<{ request_id: string; reason: RequestReason }>({
      name: 'note-reanalysis',
      text: `INSERT INTO reanalysis_requests AS standing (company_id, request_id, requested_at, reason)
        VALUES ($1, gen_random_uuid(), clock_timestamp(), $2)
        ON CONFLICT (company_id) DO UPDATE SET request_id = excluded.request_id,
          reason = CASE WHEN standing.reason = 'erasure' THEN 'erasure' ELSE excluded.reason END
        RETURNING request_id, reason`,
      values: [scope.companyId, reason],
    });
    return reanalysisKey(rows[0]?.reason ?? reason, rows[0]?.request_id ?? '');
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
