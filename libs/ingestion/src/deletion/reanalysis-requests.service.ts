import { Injectable, Inject, type OnApplicationShutdown } from '@nestjs/common';
import { QueueProducer } from '@outcomes/queues';
import { ThrottledCalls } from '../pacing/throttled-calls';

/** Requests of one company within this time of a request share the next one. */
const PAUSE_MS = 3_000;

/**
 * Asks for an analysis after a deletion or for a caller: at once for the first, and once more after a pause where further ones
 * followed, so that a thousand deletions do not mean a thousand runs. The request itself stands in Postgres; a
 * message that is lost (Redis away, a crash) is made up for by the worker's sweep.
 */
@Injectable()
export class ReanalysisRequests implements OnApplicationShutdown {
  private readonly newest = new Map<string, string>();
  private readonly throttled = new ThrottledCalls(PAUSE_MS, (companyId) => void this.send(companyId));

  constructor(@Inject(QueueProducer) private readonly queue: QueueProducer) {}

  /**
   * Does not wait: what asks for it is committed, and the answer does not depend on Redis.
   * @param runKey - of the newest request as it stands in Postgres
   */
  request(companyId: string, runKey: string): void {
    this.newest.set(companyId, runKey);
    this.throttled.request(companyId);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.throttled.stop().map((companyId) => this.send(companyId)));
  }

  private async send(companyId: string): Promise<void> {
    const runKey = this.newest.get(companyId);
    this.newest.delete(companyId);
    if (runKey !== undefined) await this.queue.requestAnalysis({ companyId, runKey });
  }
}
