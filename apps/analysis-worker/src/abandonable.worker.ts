import { Worker } from 'bullmq';

/**
 * A BullMQ worker whose close can be given up. BullMQ's own waits for Redis without limit: a worker that is told to
 * stop while Redis is away would never end.
 */
export class AbandonableWorker extends Worker {
  private readonly abandonment = new AbortController();

  /** From now on close() waits for nothing. */
  abandon(): void {
    this.abandonment.abort();
  }

  override async close(force?: boolean): Promise<void> {
    const { signal } = this.abandonment;
    if (signal.aborted) return;
    await Promise.race([
      super.close(force),
      new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
    ]);
  }
}
