import { Inject, Injectable } from '@nestjs/common';
import { Reanalyses, type OverdueAnalysis } from '@outcomes/ingestion';
import { CLOCK, LOGGER, type Clock, type Logger } from '@outcomes/platform';
import { QueueProducer } from '@outcomes/queues';
import { CompanyWork } from './company-work.processor';
import { WorkerMetrics } from './worker-metrics.service';

/** Companies per sweep. */
const COMPANIES_PER_SWEEP = 20;
/** A company is asked for at most so often: each further deletion gives its request another key. */
const PAUSE_MS = 5_000;
/** After so long the queue is not doing it, whatever it says; then the sweep runs the analysis itself. */
const PATIENCE_SECONDS = 600;

/**
 * Looks into Postgres for analyses that a deletion asked for and that no message has brought about: Redis was away,
 * or a process died between the commit and the message. What was deleted must be gone from the documents within
 * seconds, not with the next daily run.
 */
@Injectable()
export class ReanalysisSweep {
  private readonly askedAt = new Map<string, number>();

  constructor(
    @Inject(Reanalyses) private readonly reanalyses: Reanalyses,
    @Inject(CompanyWork) private readonly work: CompanyWork,
    @Inject(QueueProducer) private readonly producer: QueueProducer,
    @Inject(WorkerMetrics) private readonly metrics: WorkerMetrics,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @param stopped - asked before each company */
  async sweep(stopped: () => boolean): Promise<void> {
    const now = this.clock.now().getTime();
    for (const [companyId, at] of this.askedAt) if (now - at >= PAUSE_MS) this.askedAt.delete(companyId);
    for (const overdue of await this.reanalyses.overdue(COMPANIES_PER_SWEEP)) {
      if (stopped()) return;
      if (this.askedAt.has(overdue.companyId)) continue;
      this.askedAt.set(overdue.companyId, now);
      await this.handle(overdue);
    }
  }

  private async handle({ companyId, runKey, age }: OverdueAnalysis): Promise<void> {
    const queued = await this.producer.requestAnalysis({ companyId, runKey });
    if (queued && age < PATIENCE_SECONDS) {
      this.metrics.reanalysed('queued');
      return;
    }
    try {
      await this.work.analyse(companyId, runKey);
      this.metrics.reanalysed('run');
    } catch (error) {
      this.logger.warn({ err: error }, 'the sweep could not analyse a company');
    }
  }
}
