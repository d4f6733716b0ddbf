import { Inject, Injectable } from '@nestjs/common';
import { Counter, Histogram, Management } from '@outcomes/platform';

/** Seconds; an analysis of a small company takes tens of milliseconds, of a large one seconds. */
const DURATION_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Seconds; beyond a minute the worker is too slow or was away. */
const LAG_BUCKETS = [0.05, 0.25, 1, 5, 15, 60, 300, 1_800];

/** What operators see of the worker. Labels never name a company. */
@Injectable()
export class WorkerMetrics {
  private readonly batches: Counter;
  private readonly events: Counter;
  private readonly expiredEvents: Counter;
  private readonly sweeps: Counter<'result'>;
  private readonly sealedRows: Counter;
  private readonly analyses: Histogram<'state'>;
  private readonly lag: Histogram<'queue'>;

  constructor(@Inject(Management) { registry }: Management) {
    const registers = [registry];
    this.batches = new Counter({
      name: 'outcomes_batches_processed_total',
      help: 'Ingested batches worked into the counts.',
      registers,
    });
    this.events = new Counter({
      name: 'outcomes_events_processed_total',
      help: 'Events in those batches.',
      registers,
    });
    this.expiredEvents = new Counter({
      name: 'outcomes_events_expired_total',
      help: 'Events deleted at the end of their retention.',
      registers,
    });
    this.sweeps = new Counter({
      name: 'outcomes_sweep_companies_total',
      help: 'Companies with pending batches that the sweep found, by what it did: nudged or processed.',
      labelNames: ['result'],
      registers,
    });
    this.sealedRows = new Counter({
      name: 'outcomes_audit_rows_sealed_total',
      help: 'Audit rows that seals were put over.',
      registers,
    });
    this.analyses = new Histogram({
      name: 'outcomes_analysis_seconds',
      help: 'Duration of analyses, by how they ended.',
      labelNames: ['state'],
      buckets: DURATION_BUCKETS,
      registers,
    });
    this.lag = new Histogram({
      name: 'outcomes_queue_lag_seconds',
      help: 'How long jobs waited before a worker took them.',
      labelNames: ['queue'],
      buckets: LAG_BUCKETS,
      registers,
    });
  }

  processed({ batches, events }: { readonly batches: number; readonly events: number }): void {
    this.batches.inc(batches);
    this.events.inc(events);
  }

  expired(events: number): void {
    this.expiredEvents.inc(events);
  }

  swept(result: 'nudged' | 'processed'): void {
    this.sweeps.inc({ result });
  }

  sealed(rows: number): void {
    this.sealedRows.inc(rows);
  }

  /** Times an analysis. */
  async analysis(work: () => Promise<unknown>): Promise<void> {
    const end = this.analyses.startTimer();
    try {
      await work();
      end({ state: 'succeeded' });
    } catch (error) {
      end({ state: 'failed' });
      throw error;
    }
  }

  /** @param job - as BullMQ describes one that has just been taken; times in milliseconds */
  taken(
    queue: string,
    job: { readonly timestamp: number; readonly delay: number; readonly processedOn?: number },
  ): void {
    const due = job.timestamp + job.delay;
    this.lag.observe({ queue }, Math.max(0, ((job.processedOn ?? due) - due) / 1_000));
  }
}
