import { Inject, Injectable } from '@nestjs/common';
import type { TenantScope } from '@outcomes/tenancy';
import { ReanalysisRequestRepository, type OverdueAnalysis } from './reanalysis-request.repository';

const RUN_KEY = /^(?:erasure|requested)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** What the worker needs to know of analyses that deletions and callers asked for. */
@Injectable()
export class Reanalyses {
  constructor(@Inject(ReanalysisRequestRepository) private readonly requests: ReanalysisRequestRepository) {}

  /** Those of all companies that no message has brought about within seconds, the oldest first. */
  async overdue(limit: number): Promise<OverdueAnalysis[]> {
    return this.requests.overdue(limit);
  }

  /** To be told of every run that has succeeded: where one was asked for, the request is fulfilled. */
  async succeeded(scope: TenantScope, runKey: string): Promise<void> {
    const requestId = RUN_KEY.exec(runKey)?.[1];
    if (requestId !== undefined) await this.requests.fulfil(scope, requestId);
  }
}
