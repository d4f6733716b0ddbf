import { Inject, Injectable } from '@nestjs/common';
import { AnalysisPlans } from '@outcomes/ingestion';
import { LOGGER, type Logger } from '@outcomes/platform';
import { QueueProducer } from '@outcomes/queues';
import { CompanyWork } from './company-work.processor';

/** Companies per sweep; the next one comes in a second. */
const COMPANIES_PER_SWEEP = 50;

/**
 * Brings about the analyses that follow what was counted: of a company on its first day, or of one that has grown by
 * a tenth. What is due stands in Postgres; while Redis is away the sweep runs them itself.
 */
@Injectable()
export class PlannedAnalyses {
  constructor(
    @Inject(AnalysisPlans) private readonly plans: AnalysisPlans,
    @Inject(CompanyWork) private readonly work: CompanyWork,
    @Inject(QueueProducer) private readonly producer: QueueProducer,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @param stopped - asked before each company */
  async sweep(stopped: () => boolean): Promise<void> {
    for (const companyId of await this.plans.due(COMPANIES_PER_SWEEP)) {
      if (stopped()) return;
      try {
        const runKey = await this.work.takePlanned(companyId);
        if (runKey === undefined || (await this.producer.requestAnalysis({ companyId, runKey }))) continue;
        await this.work.analyse(companyId, runKey);
      } catch (error) {
        // One company's trouble is not the next one's.
        this.logger.warn({ err: error }, 'a planned analysis was not brought about');
      }
    }
  }
}
