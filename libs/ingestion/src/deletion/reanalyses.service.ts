import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { ReanalysisRequestRepository } from './reanalysis-request.repository';

/** Waits so long for the message in Redis, before the sweep asks in its place. */
const OVERDUE_SECONDS = 5;
const RUN_KEY = /^erasure-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** An analysis that a deletion asked for and that nobody has run in time. */
export interface OverdueAnalysis {
  readonly companyId: string;
  readonly runKey: string;
  /** Seconds since the deletion that asked first. */
  readonly age: number;
}

/** Key of the run that fulfils a request; unique, for a run that is under way may have read what is deleted now. */
export function reanalysisKey(requestId: string): string {
  return `erasure-${requestId}`;
}

/** What the worker needs to know of re-analyses that deletions asked for. */
@Injectable()
export class Reanalyses {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(ReanalysisRequestRepository) private readonly requests: ReanalysisRequestRepository,
  ) {}

  /** Those of all companies that no message has brought about within seconds, the oldest first. */
  async overdue(limit: number): Promise<OverdueAnalysis[]> {
    return this.database.unscoped({}, async (client) => {
      const { rows } = await client.query<{ companyId: string; requestId: string; age: number }>(
        `SELECT company_id AS "companyId", request_id AS "requestId",
           extract(epoch FROM now() - requested_at)::float8 AS age
         FROM reanalysis_requests WHERE requested_at < now() - interval '${OVERDUE_SECONDS} seconds'
         ORDER BY requested_at LIMIT $1`,
        [limit],
      );
      return rows.map(({ companyId, requestId, age }) => ({
        companyId,
        runKey: reanalysisKey(requestId),
        age,
      }));
    });
  }

  /** To be told of every run that has succeeded: where a deletion asked for it, the request is fulfilled. */
  async succeeded(scope: TenantScope, runKey: string): Promise<void> {
    const requestId = RUN_KEY.exec(runKey)?.[1];
    if (requestId !== undefined) await this.requests.fulfil(scope, requestId);
  }
}
