import { Inject, Injectable } from '@nestjs/common';
import { CompanyDirectory } from '@outcomes/analysis';
import { Announcer } from '@outcomes/deprecation';
import { LOGGER, Rounds, type Logger } from '@outcomes/platform';
import { WORKER_CONFIG, type AnalysisWorkerConfig } from './analysis-worker.config';

/**
 * Tells key holders what is deprecated: at the start, for the catalogue may be a new one, and then every interval,
 * for keys and contacts are added and servers refuse. It needs no Redis, and any number of workers may do it at once.
 */
@Injectable()
export class Announcements {
  private readonly rounds: Rounds;

  constructor(
    @Inject(Announcer) private readonly announcer: Announcer,
    @Inject(CompanyDirectory) private readonly companies: CompanyDirectory,
    @Inject(WORKER_CONFIG) config: AnalysisWorkerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.rounds = new Rounds({
      pauseMs: config.ANNOUNCEMENT_INTERVAL_MS,
      work: (stopping) => this.round(stopping),
      onError: (error) => this.logger.warn({ err: error }, 'a round of announcements failed'),
    });
  }

  start(): void {
    this.rounds.start();
  }

  /** Sends no further message and waits for the one under way. */
  stop(): Promise<void> {
    return this.rounds.stop();
  }

  private async round(stopping: AbortSignal): Promise<void> {
    if (!this.announcer.isDue) return;
    if (!this.announcer.isOn) {
      this.logger.warn('deprecations are announced, and SMTP_URL is not set: nobody is told by e-mail');
      return;
    }
    const totals = { sent: 0, failed: 0, keysWithoutContact: 0 };
    for await (const companyIds of this.companies.pages()) {
      for (const companyId of companyIds) {
        if (stopping.aborted) return;
        await this.announceTo(companyId, totals, stopping);
      }
    }
    this.logger.info(totals, 'a round of announcements is done');
  }

  private async announceTo(
    companyId: string,
    totals: { sent: number; failed: number; keysWithoutContact: number },
    stopping: AbortSignal,
  ): Promise<void> {
    try {
      const scope = await this.companies.scopeOf(companyId);
      if (scope === undefined) return;
      const { sent, failed, keysWithoutContact } = await this.announcer.announce(
        scope,
        () => stopping.aborted,
      );
      totals.sent += sent;
      totals.failed += failed;
      totals.keysWithoutContact += keysWithoutContact;
    } catch (error) {
      // One company's trouble is not the next one's.
      this.logger.warn({ err: error }, 'the key holders of a company could not be told');
    }
  }
}
