import { Inject, Injectable } from '@nestjs/common';
import { AnalysisService, CompanyDirectory } from '@outcomes/analysis';
import { Announcer } from '@outcomes/deprecation';
import { AnalysisPlans, BatchProcessing, Reanalyses, Retention } from '@outcomes/ingestion';
import { inSpan, sparingMemory } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { WebhookDeliveries } from '@outcomes/webhooks';
import { WorkerMetrics } from './worker-metrics.service';

/** The key of a daily run is its date. */
const DAILY_KEY = /^\d{4}-\d{2}-\d{2}$/;

/** What is done for one company, whoever asks for it: a job, or the sweep. */
@Injectable()
export class CompanyWork {
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(
    @Inject(BatchProcessing) private readonly batches: BatchProcessing,
    @Inject(Retention) private readonly retention: Retention,
    @Inject(Reanalyses) private readonly reanalyses: Reanalyses,
    @Inject(AnalysisPlans) private readonly plans: AnalysisPlans,
    @Inject(AnalysisService) private readonly analysis: AnalysisService,
    @Inject(Announcer) private readonly announcer: Announcer,
    @Inject(WebhookDeliveries) private readonly webhooks: WebhookDeliveries,
    @Inject(CompanyDirectory) private readonly companies: CompanyDirectory,
    @Inject(WorkerMetrics) private readonly metrics: WorkerMetrics,
  ) {}

  /**
   * Works a company's batches into its counts and brings its arms up to date. Where that makes an analysis due, the
   * sweep sees to it. Any number of callers at the same time do each batch once.
   * @returns false where there is no such company
   */
  processBatches(companyId: string): Promise<boolean> {
    return this.forCompany(companyId, async (scope) => {
      const processed = await this.batches.processPending(scope);
      this.metrics.processed(processed);
      // Nothing to process may mean that somebody else did it and died before the rest.
      const onlyIfStale = processed.batches === 0;
      await this.analysis.refreshArms(scope, { onlyIfStale });
    });
  }

  /** @returns key of the run that a company is due for and that nobody else has taken; undefined where there is none */
  async takePlanned(companyId: string): Promise<string | undefined> {
    const scope = await this.companies.scopeOf(companyId);
    return scope && this.plans.take(scope);
  }

  /**
   * Analyses a company with everything that was accepted by now: what is still pending is counted first. The daily
   * run lets go of what has been kept for as long as it may be. A planned run that another made needless is left out.
   * @returns false where there is no such company
   */
  analyse(companyId: string, runKey: string, onProgress?: (share: number) => void): Promise<boolean> {
    return this.forCompany(companyId, async (scope) => {
      if (!(await this.plans.isWanted(scope, runKey))) return;
      if (DAILY_KEY.test(runKey)) {
        this.metrics.expired(await this.retention.expire(scope));
        await this.announcer.expire(scope);
        await this.webhooks.expire(scope);
      }
      this.metrics.processed(await this.batches.processPending(scope));
      await this.timed(() =>
        sparingMemory(() =>
          this.analysis.run(scope, { runKey, ...(onProgress !== undefined && { onProgress }) }),
        ),
      );
      await this.reanalyses.succeeded(scope, runKey);
    });
  }

  /** Resolves when nothing is under way any more. */
  async finished(): Promise<void> {
    while (this.underWay.size > 0) await Promise.allSettled(this.underWay);
  }

  private timed(run: () => Promise<unknown>): Promise<void> {
    return inSpan('analysis', () => this.metrics.analysis(run));
  }

  private async forCompany(companyId: string, work: (scope: TenantScope) => Promise<void>): Promise<boolean> {
    const scope = await this.companies.scopeOf(companyId);
    if (scope === undefined) return false;
    const started = work(scope);
    this.underWay.add(started);
    try {
      await started;
      return true;
    } finally {
      this.underWay.delete(started);
    }
  }
}
