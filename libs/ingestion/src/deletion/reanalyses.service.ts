import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import {
  reanalysisKey,
  ReanalysisRequestRepository,
  type RequestReason,
} from './reanalysis-request.repository';

/** Waits so long for the message in Redis, before the sweep asks in its place. */
const OVERDUE_SECONDS = 5;
const RUN_KEY = /^(?:erasure|requested)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

interface RequestRow {
  readonly companyId: string;
  readonly requestId: string;
  readonly reason: RequestReason;
  readonly age: number;
}

/** An analysis that was asked for and that nobody has run in time. */
export interface OverdueAnalysis {
  readonly companyId: string;
  readonly runKey: string;
  /** Seconds since it was first asked for. */
  readonly age: number;
}

/** What the worker needs to know of analyses that deletions and callers asked for. */
@Injectable()
export class Reanalyses {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(ReanalysisRequestRepository) private readonly requests: ReanalysisRequestRepository,
  ) {}

  /** Those of all companies that no message has brought about within seconds, the oldest first. */
  async overdue(limit: number): Promise<OverdueAnalysis[]> {
    return this.database.unscoped({}, async (client) => {
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

  /** To be told of every run that has succeeded: where one was asked for, the request is fulfilled. */
  async succeeded(scope: TenantScope, runKey: string): Promise<void> {
    const requestId = RUN_KEY.exec(runKey)?.[1];
    if (requestId !== undefined) await this.requests.fulfil(scope, requestId);
  }
}
