import { Inject, Injectable } from '@nestjs/common';
import { AnalysisService, CompanyDirectory } from '@outcomes/analysis';
import { BatchProcessing } from '@outcomes/ingestion';
import { WorkerMetrics } from './worker-metrics.service';

/** What is done for one company, whoever asks for it: a job, or the sweep. */
@Injectable()
export class CompanyWork {
  constructor(
    @Inject(BatchProcessing) private readonly batches: BatchProcessing,
    @Inject(AnalysisService) private readonly analysis: AnalysisService,
    @Inject(CompanyDirectory) private readonly companies: CompanyDirectory,
    @Inject(WorkerMetrics) private readonly metrics: WorkerMetrics,
  ) {}

  /**
   * Works a company's batches into its counts and brings its arms up to date. A company that was never analysed is
   * analysed at once. Any number of callers at the same time do each batch once.
   * @returns false where there is no such company
   */
  async processBatches(companyId: string): Promise<boolean> {
    const scope = await this.companies.scopeOf(companyId);
    if (scope === undefined) return false;
    const processed = await this.batches.processPending(scope);
    this.metrics.processed(processed);
    if (processed.batches > 0 && !(await this.analysis.refreshArms(scope))) {
      await this.analyse(companyId, 'first');
    }
    return true;
  }

  /** @returns false where there is no such company */
  async analyse(companyId: string, runKey: string): Promise<boolean> {
    const scope = await this.companies.scopeOf(companyId);
    if (scope === undefined) return false;
    await this.metrics.analysis(() => this.analysis.run(scope, { runKey }));
    return true;
  }
}
