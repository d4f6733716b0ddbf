import { Inject, Injectable } from '@nestjs/common';
import { CompanyDirectory } from '@outcomes/analysis';
import { Announcer } from '@outcomes/deprecation';
import { LOGGER, type Logger } from '@outcomes/platform';
import { WORKER_CONFIG, type AnalysisWorkerConfig } from './analysis-worker.config';

/**
 * Tells key holders what is deprecated: at the start, for the catalogue may be a new one, and then every interval,
 * for keys and contacts are added and servers refuse. It needs no Redis, and any number of workers may do it at once.
 */
@Injectable()
export class Announcements {
  private stopped = false;
  private timer?: NodeJS.Timeout;
  private underWay: Promise<void> = Promise.resolve();

  constructor(
    @Inject(Announcer) private readonly announcer: Announcer,
    @Inject(CompanyDirectory) private readonly companies: CompanyDirectory,
    @Inject(WORKER_CONFIG) private readonly config: AnalysisWorkerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    this.underWay = this.round()
      .catch((error: unknown) => this.logger.warn({ err: error }, 'a round of announcements failed'))
      .finally(() => this.plan());
  }

  /** Sends no further message and waits for the one under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.underWay;
  }

  private plan(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => this.start(), this.config.ANNOUNCEMENT_INTERVAL_MS);
  }

  private async round(): Promise<void> {
    if (!this.announcer.isDue) return;
    if (!this.announcer.isOn) {
      this.logger.warn('deprecations are announced, and SMTP_URL is not set: nobody is told by e-mail');
      return;
    }
    const totals = { sent: 0, failed: 0, keysWithoutContact: 0 };
    for await (const companyIds of this.companies.pages()) {
      for (const companyId of companyIds) {
        if (this.stopped) return;
        await this.announceTo(companyId, totals);
      }
    }
    this.logger.info(totals, 'a round of announcements is done');
  }

  private async announceTo(
    companyId: string,
    totals: { sent: number; failed: number; keysWithoutContact: number },
  ): Promise<void> {
    try {
      const scope = await this.companies.scopeOf(companyId);
      if (scope === undefined) return;
      const { sent, failed, keysWithoutContact } = await this.announcer.announce(scope, () => this.stopped);
      totals.sent += sent;
      totals.failed += failed;
      totals.keysWithoutContact += keysWithoutContact;
    } catch (error) {
      // One company's trouble is not the next one's.
      this.logger.warn({ err: error }, 'the key holders of a company could not be told');
    }
  }
}
