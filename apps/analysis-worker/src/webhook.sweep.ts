import { Inject, Injectable } from '@nestjs/common';
import { CompanyDirectory } from '@outcomes/analysis';
import { LOGGER, type Logger } from '@outcomes/platform';
import { WebhookDeliveries } from '@outcomes/webhooks';
import { WORKER_CONFIG, type AnalysisWorkerConfig } from './analysis-worker.config';

/**
 * Delivers what stands in the outbox, every interval. A round does not wait for the one before: an endpoint that takes
 * its time holds up nobody else. It needs no Redis, and any number of workers may do it at once.
 */
@Injectable()
export class WebhookSweep {
  private readonly underWay = new Set<Promise<void>>();
  private timer?: NodeJS.Timeout;

  constructor(
    @Inject(WebhookDeliveries) private readonly deliveries: WebhookDeliveries,
    @Inject(CompanyDirectory) private readonly companies: CompanyDirectory,
    @Inject(WORKER_CONFIG) private readonly config: AnalysisWorkerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    if (this.config.SOURCE_SECRETS_KEY === '') return;
    this.timer = setInterval(() => this.sweep(), this.config.WEBHOOK_INTERVAL_MS);
  }

  /** Begins nothing more and waits for what is under way. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.underWay);
  }

  private sweep(): void {
    const round = this.deliveries
      .deliverDue((companyId) => this.companies.scopeOf(companyId))
      .catch((error: unknown) => this.logger.warn({ err: error }, 'a round of webhooks failed'))
      .finally(() => this.underWay.delete(round));
    this.underWay.add(round);
  }
}
