import { Inject, Injectable } from '@nestjs/common';
import type { Backlog } from '@outcomes/ingestion';
import { CLOCK, Counter, Gauge, Histogram, Management, type Clock } from '@outcomes/platform';

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
  private readonly cappedExpiries: Counter;
  private readonly sweeps: Counter<'result'>;
  private readonly sealedRows: Counter;
  private readonly reanalyses: Counter<'result'>;
  private readonly pending: Gauge<'state'>;
  private oldestReceivedAt?: Date | undefined;
  private readonly dailyRuns: Counter;
  private readonly overdueCompanies: Gauge;
  private readonly analyses: Histogram<'state'>;
  private readonly lag: Histogram<'queue'>;

  constructor(@Inject(Management) { registry }: Management, @Inject(CLOCK) clock: Clock) {
    const registers = [registry];
    const counter = (name: string, help: string) => new Counter({ name, help, registers });
    this.pending = new Gauge({
      name: 'outcomes_batches_pending',
      help: 'Ingested batches not yet processed into the counts, in all companies: waiting, or parked after failures.',
      labelNames: ['state'],
      registers,
    });
    const ageOfOldest = () =>
      this.oldestReceivedAt ? (clock.now().getTime() - this.oldestReceivedAt.getTime()) / 1_000 : 0;
    new Gauge({
      name: 'outcomes_batches_oldest_seconds',
      help: 'Age of the oldest waiting batch. It goes on rising while Postgres cannot be asked.',
      registers,
      collect() {
        this.set(Math.max(0, ageOfOldest()));
      },
    });
    this.reanalyses = new Counter({
      name: 'outcomes_overdue_reanalyses_total',
      help: 'Analyses after deletions that no message had brought about, by what the sweep did: queued or run.',
      labelNames: ['result'],
      registers,
    });
    for (const result of ['queued', 'run'] as const) this.reanalyses.inc({ result }, 0);
    this.batches = counter('outcomes_batches_processed_total', 'Ingested batches processed into the counts.');
    this.events = counter('outcomes_events_processed_total', 'Events in those batches.');
    this.expiredEvents = counter(
      'outcomes_events_expired_total',
      'Events deleted at the end of their retention.',
    );
    this.cappedExpiries = counter(
      'outcomes_expiries_capped_total',
      'Daily runs that would have deleted more expired events of a company than may go at once.',
    );
    this.sweeps = new Counter({
      name: 'outcomes_sweep_companies_total',
      help: 'Companies with pending batches that the sweep found, by what it did: nudged or processed.',
      labelNames: ['result'],
      registers,
    });
    for (const result of ['nudged', 'processed'] as const) this.sweeps.inc({ result }, 0);
    this.sealedRows = counter('outcomes_audit_rows_sealed_total', 'Audit rows that seals were put over.');
    this.dailyRuns = counter('outcomes_daily_runs_total', 'Daily runs handed out to all companies.');
    this.overdueCompanies = new Gauge({
      name: 'outcomes_companies_overdue',
      help: 'Companies whose newest finished analysis, by what Postgres knows, is older than 26 hours.',
      registers,
    });
    this.analyses = new Histogram({
      name: 'outcomes_analysis_seconds',
      help: 'Duration of analyses, by how they ended.',
      labelNames: ['state'],
      buckets: DURATION_BUCKETS,
      registers,
    });
    for (const state of ['succeeded', 'failed'] as const) this.analyses.zero({ state });
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

  expired({ deleted, isCapped }: { readonly deleted: number; readonly isCapped: boolean }): void {
    this.expiredEvents.inc(deleted);
    if (isCapped) this.cappedExpiries.inc();
  }

  swept(result: 'nudged' | 'processed'): void {
    this.sweeps.inc({ result });
  }

  reanalysed(result: 'queued' | 'run'): void {
    this.reanalyses.inc({ result });
  }

  waiting({ waiting, parked, oldestReceivedAt }: Backlog): void {
    this.pending.set({ state: 'waiting' }, waiting);
    this.pending.set({ state: 'parked' }, parked);
    this.oldestReceivedAt = oldestReceivedAt;
  }

  sealed(rows: number): void {
    this.sealedRows.inc(rows);
  }

  overdue(companies: number): void {
    this.overdueCompanies.set(companies);
  }

  dailyRunHandedOut(): void {
    this.dailyRuns.inc();
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
