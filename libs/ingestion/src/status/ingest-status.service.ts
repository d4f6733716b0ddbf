import { Inject, Injectable } from '@nestjs/common';
import type { TakenBatches } from '@outcomes/contracts';
import { QueueProducer } from '@outcomes/queues';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import {
  IngestStatusRepository,
  type NewestRun,
  type Planned,
  type Waiting,
} from './ingest-status.repository';

/** Batches that one answer lists. */
const MAX_BATCHES = 50;

/** Why the next analysis comes. */
export const ANALYSIS_REASONS = ['first_data', 'growth', 'daily', 'requested'] as const;
export type AnalysisReason = (typeof ANALYSIS_REASONS)[number];
export const ANALYSIS_STATES = ['idle', 'queued', 'running'] as const;

/** Where a company's events stand: stored, counted, analysed. Times are ISO 8601 in UTC. */
export interface IngestStatus {
  /** Stored and not counted yet. */
  readonly batches_pending: number;
  readonly events_pending: number;
  /** Failed five times, and counted only after `outcomes batches retry`. */
  readonly batches_parked: number;
  /** Events whose message is not known yet. */
  readonly events_waiting: number;
  readonly newest_event: { readonly outcome_at: string | null; readonly ingested_at: string } | null;
  readonly last_processed_at: string | null;
  readonly rebuild_under_way: boolean;
  /** Since when something is counted that no analysis has read; null where none is. */
  readonly unanalysed_since: string | null;
  readonly analysis: (typeof ANALYSIS_STATES)[number];
  readonly last_analysis: {
    readonly run_id: string;
    readonly state: NewestRun['state'];
    readonly started_at: string;
    readonly finished_at: string | null;
    readonly data_as_of: string;
  } | null;
  readonly next_analysis: { readonly at: string | null; readonly reason: AnalysisReason };
}

/** Tells callers how far the processing of what they sent is. */
@Injectable()
export class IngestStatuses {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(IngestStatusRepository) private readonly repository: IngestStatusRepository,
    @Inject(QueueProducer) private readonly queue: QueueProducer,
  ) {}

  /** The state of one moment; only the time of the daily run is from elsewhere, null while Redis is away. */
  async of(scope: TenantScope): Promise<IngestStatus> {
    const { waiting, planned, run, event } = await this.database.snapshot(scope, async (transaction) => ({
      waiting: await this.repository.waiting(transaction),
      planned: await this.repository.planned(transaction),
      run: await this.repository.newestRun(transaction),
      event: await this.repository.newestEvent(transaction),
    }));
    return {
      batches_pending: waiting.batches,
      events_pending: waiting.events,
      batches_parked: waiting.parked,
      events_waiting: waiting.unsent,
      newest_event: event
        ? { outcome_at: textOf(event.outcome_at), ingested_at: event.ingested_at.toISOString() }
        : null,
      last_processed_at: textOf(planned?.countedAt),
      rebuild_under_way: waiting.isRebuilding,
      unanalysed_since: textOf(planned?.unanalysedSince),
      analysis: stateOf(waiting, planned, run),
      last_analysis: run
        ? {
            run_id: run.run_id,
            state: run.state,
            started_at: run.started_at.toISOString(),
            finished_at: run.state === 'running' ? null : textOf(run.finished_at),
            data_as_of: run.data_as_of.toISOString(),
          }
        : null,
      next_analysis: await this.next(waiting, planned),
    };
  }

  /** The newest batches that were taken in, newest first. */
  async batches(scope: TenantScope): Promise<TakenBatches> {
    const rows = await this.database.transaction(scope, (transaction) =>
      this.repository.newestBatches(transaction, MAX_BATCHES),
    );
    return {
      total: rows[0]?.total ?? 0,
      batches: rows.map(({ batchId, receivedAt, events, processedAt, failedAttempts }) => ({
        ...{ batchId, events, failedAttempts },
        ...{ receivedAt: receivedAt.toISOString(), processedAt: textOf(processedAt) },
      })),
    };
  }

  private async next(waiting: Waiting, planned: Planned | undefined): Promise<IngestStatus['next_analysis']> {
    if (waiting.requestedAt) return { at: waiting.requestedAt.toISOString(), reason: 'requested' };
    if (planned?.nextAt) {
      return { at: planned.nextAt.toISOString(), reason: planned.isFirstDay ? 'first_data' : 'growth' };
    }
    // What is stored and not counted yet will be planned for when it is.
    if (waiting.batches > 0 && (planned?.isFirstDay ?? true)) return { at: null, reason: 'first_data' };
    return { at: textOf(await this.queue.nextDailyRun()), reason: 'daily' };
  }
}

function stateOf(
  { requestedAt }: Waiting,
  planned: Planned | undefined,
  run: NewestRun | undefined,
): IngestStatus['analysis'] {
  if (run?.state === 'running') return 'running';
  return requestedAt || planned?.isAsked ? 'queued' : 'idle';
}

function textOf(time: Date | null | undefined): string | null {
  return time?.toISOString() ?? null;
}
