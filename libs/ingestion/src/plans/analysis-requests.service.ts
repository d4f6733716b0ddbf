import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { ReanalysisRequestRepository } from '../deletion/reanalysis-request.repository';
import { ReanalysisRequests } from '../deletion/reanalysis-requests.service';
import { AnalysisPlanRepository } from './analysis-plan.repository';

export interface AnalysisRequested {
  /** Key of the run that will answer the request. */
  readonly run_key: string;
  readonly status: 'queued';
}

/** Analyses that callers ask for. */
@Injectable()
export class AnalysisRequests {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(AnalysisPlanRepository) private readonly plans: AnalysisPlanRepository,
    @Inject(ReanalysisRequestRepository) private readonly requests: ReanalysisRequestRepository,
    @Inject(ReanalysisRequests) private readonly reanalysis: ReanalysisRequests,
  ) {}

  /**
   * Asks for an analysis of everything that is accepted by now. The request is committed when this resolves; a Redis
   * that is away delays it by seconds.
   * @throws AppError ANALYSIS_REQUESTED_RECENTLY, with Retry-After, within five minutes of another
   */
  async request(scope: TenantScope): Promise<AnalysisRequested> {
    const runKey = await this.database.transaction(scope, async (transaction) => {
      const wait = await this.plans.noteRequested(transaction);
      if (wait > 0) {
        throw new AppError('ANALYSIS_REQUESTED_RECENTLY', {}, { headers: { 'Retry-After': String(wait) } });
      }
      return this.requests.note(transaction, 'requested');
    });
    this.reanalysis.request(scope.companyId, runKey);
    return { run_key: runKey, status: 'queued' };
  }
}
