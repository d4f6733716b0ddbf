import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { QueueProducer } from '@outcomes/queues';
import { ThrottledCalls } from '../pacing/throttled-calls';

/** Batches of one company within this time of a nudge share the next one. */
const PAUSE_MS = 100;

/**
 * Tells the worker that a company has batches. A message for each of many small batches would cost more than the
 * batches themselves, and the worker takes all that waits anyway. One that is lost is made up for by its sweep.
 */
@Injectable()
export class BatchNudges implements OnApplicationShutdown {
  private readonly throttled: ThrottledCalls;

  constructor(@Inject(QueueProducer) queue: QueueProducer) {
    this.throttled = new ThrottledCalls(PAUSE_MS, (companyId) => void queue.nudgeBatches(companyId));
  }

  /** Does not wait: Postgres knows. */
  nudge(companyId: string): void {
    this.throttled.request(companyId);
  }

  onApplicationShutdown(): void {
    this.throttled.stop();
  }
}
