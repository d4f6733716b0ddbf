import { randomUUID } from 'node:crypto';
import { Injectable, Inject, type OnApplicationShutdown } from '@nestjs/common';
import { QueueProducer } from '@outcomes/queues';

/** Deletions of one company within this time of a request share the next one. */
const PAUSE_MS = 3_000;

interface Pause {
  readonly timer: NodeJS.Timeout;
  isRepeated: boolean;
}

/**
 * Asks for an analysis after a deletion: at once for the first, and once more after a pause where further ones
 * followed, so that a thousand deletions do not mean a thousand runs. Each request has a key of its own: one that
 * joined a run under way would miss what that run has read already. A request that is lost (Redis away, a crash)
 * is made up for by the daily run.
 */
@Injectable()
export class ReanalysisRequests implements OnApplicationShutdown {
  private readonly pauses = new Map<string, Pause>();

  constructor(@Inject(QueueProducer) private readonly queue: QueueProducer) {}

  /** Does not wait: the deletion is committed, and the answer does not depend on Redis. */
  request(companyId: string): void {
    const pause = this.pauses.get(companyId);
    if (pause) pause.isRepeated = true;
    else this.send(companyId);
  }

  async onApplicationShutdown(): Promise<void> {
    const pauses = [...this.pauses];
    this.pauses.clear();
    for (const [, { timer }] of pauses) clearTimeout(timer);
    const repeated = pauses.filter(([, { isRepeated }]) => isRepeated);
    await Promise.all(repeated.map(([companyId]) => this.queue.requestAnalysis(jobOf(companyId))));
  }

  private send(companyId: string): void {
    void this.queue.requestAnalysis(jobOf(companyId));
    const timer = setTimeout(() => this.resume(companyId), PAUSE_MS).unref();
    this.pauses.set(companyId, { timer, isRepeated: false });
  }

  private resume(companyId: string): void {
    const isRepeated = this.pauses.get(companyId)?.isRepeated;
    this.pauses.delete(companyId);
    if (isRepeated) this.send(companyId);
  }
}

function jobOf(companyId: string) {
  return { companyId, runKey: `erasure-${randomUUID()}` };
}
