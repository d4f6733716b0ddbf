import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';
import type { RemovedEvents } from '../storage/outcome-event.repository';
import { FORGET_DECISIONS } from './frozen-decision.repository';

/** Waits so long for the message in Redis, before the sweep asks in its place. */
const OVERDUE_SECONDS = 5;

/** Who asks: a deletion, or a caller. */
export type RequestReason = 'erasure' | 'requested';

/** Key of the run that fulfils a request; unique, for a run that is under way may have read what is deleted now. */
export function reanalysisKey(reason: RequestReason, requestId: string): string {
  return `${reason}-${requestId}`;
}

/** An analysis that was asked for and that nobody has run in time. */
export interface OverdueAnalysis {
  readonly companyId: string;
  readonly runKey: string;
  /** Seconds since it was first asked for. */
  readonly age: number;
}

interface RequestRow {
  readonly companyId: string;
  readonly requestId: string;
  readonly reason: RequestReason;
  readonly age: number;
}

/** $1 company. @param reason - as SQL */
function noteRequest(reason: string): string {
  return `INSERT INTO reanalysis_requests AS standing (company_id, request_id, requested_at, reason)
    VALUES ($1, gen_random_uuid(), clock_timestamp(), ${reason})
    ON CONFLICT (company_id) DO UPDATE SET request_id = excluded.request_id,
      reason = CASE WHEN standing.reason = 'erasure' THEN 'erasure' ELSE excluded.reason END
    RETURNING request_id, reason`;
}

interface Noted {
  readonly request_id: string;
  readonly reason: RequestReason;
}

function keyOf([noted]: readonly Noted[]): string {
  if (noted === undefined) throw new AppError('INTERNAL_ERROR');
  return reanalysisKey(noted.reason, noted.request_id);
}

/** Analyses that deletions and callers asked for. Postgres remembers them; Redis only speeds things up them. */
@Injectable()
export class ReanalysisRequestRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * Notes a request in the transaction of an erasure, and deletes the decisions that rest on what went, which the run is
   * to make anew; as `note` and `FrozenDecisionRepository.forget`, in one statement. Call it after the touches went.
   * @param scale - of the tables, see CompanyOfEvents
   */
  async noteErasure(
    { client, companyId }: TenantTransaction,
    { recipientIds, addresses }: Pick<RemovedEvents, 'recipientIds' | 'addresses'>,
    scale: string,
  ): Promise<string> {
    const { rows } = await client.query<Noted>({
      name: `note-erasure ${scale}`,
      text: `WITH forgotten AS (${FORGET_DECISIONS}) ${noteRequest("'erasure'")}`,
      values: [companyId, recipientIds, addresses],
    });
    return keyOf(rows);
  }

  /**
   * Notes a request in the transaction of whoever asks. One that stands already gets another id, and stays a
   * deletion's where it was one: such a run carries nothing over.
   * @returns key of the run that fulfils it
   */
  async note({ client, companyId }: TenantTransaction, reason: RequestReason): Promise<string> {
    const { rows } = await client.query<Noted>({
      name: 'note-reanalysis',
      text: noteRequest('$2'),
      values: [companyId, reason],
    });
    return keyOf(rows);
  }

  /** Those of all companies that no message has brought about within seconds, the oldest first. */
  async overdue(limit: number): Promise<OverdueAnalysis[]> {
    return this.database.unscoped(mintSystemScope(), async ({ client }) => {
      const { rows } = await client.query<RequestRow>(
        `SELECT company_id AS "companyId", request_id AS "requestId", reason,
           extract(epoch FROM now() - requested_at)::float8 AS age
         FROM reanalysis_requests WHERE requested_at < now() - interval '${OVERDUE_SECONDS} seconds'
         ORDER BY requested_at LIMIT $1`,
        [limit],
      );
      return rows.map(({ companyId, requestId, reason, age }) => ({
        companyId,
        runKey: reanalysisKey(reason, requestId),
        age,
      }));
    });
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
