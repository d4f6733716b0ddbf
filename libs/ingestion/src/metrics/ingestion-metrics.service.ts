import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { Counter, Gauge, Histogram, Management } from '@outcomes/platform';
import { BatchedCounter, type Tally } from './batched-counter';

/** Seconds; a commit takes milliseconds, and after two seconds callers are sent away. */
const COMMIT_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Requests; how well group commit does. */
const GROUP_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 500];

const REQUEST_KINDS = ['json', 'csv', 'delete'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];
/** By whose fault a request was refused, if it was. */
const REQUEST_RESULTS = ['done', 'refused', 'failed'] as const;
type RequestResult = (typeof REQUEST_RESULTS)[number];
/**
 * Why callers were asked to come back: too much waits to be stored, it was not stored in time, or the turn of their
 * company among several did not come in time.
 */
const BACKPRESSURES = ['queue', 'time', 'turn'] as const;
export type Backpressure = (typeof BACKPRESSURES)[number];

/** What operators see of ingestion. Labels name no company and nothing that a caller sent. */
@Injectable()
export class IngestionMetrics {
  private readonly accepted: Tally;
  private readonly rejected: Tally;
  private readonly duplicate: Tally;
  private readonly requests: Record<RequestKind, Record<RequestResult, Tally>>;
  private readonly refusals: Counter<'reason'>;
  private readonly commits: Histogram;
  private readonly groups: Histogram;

  constructor(@Inject(Management) private readonly management: Management) {
    const registers = [management.registry];
    const events = new BatchedCounter({
      name: 'outcomes_ingest_events_total',
      help: 'Events received, by what became of them: accepted (new), duplicate or rejected.',
      labelNames: ['result'],
      registers,
    });
    this.accepted = events.labels({ result: 'accepted' });
    this.rejected = events.labels({ result: 'rejected' });
    this.duplicate = events.labels({ result: 'duplicate' });
    const requests = new BatchedCounter({
      name: 'outcomes_ingest_requests_total',
      help: 'Requests that reached ingestion, by kind and by whose fault a refusal was: done, refused (4xx), failed (5xx).',
      labelNames: ['kind', 'result'],
      registers,
    });
    this.requests = recordOf(REQUEST_KINDS, (kind) =>
      recordOf(REQUEST_RESULTS, (result) => requests.labels({ kind, result })),
    );
    this.refusals = new Counter({
      name: 'outcomes_ingest_backpressure_total',
      help: 'Requests asked to come back: too much waited (queue), not stored in time (time), or no turn in time (turn).',
      labelNames: ['reason'],
      registers,
    });
    for (const reason of BACKPRESSURES) this.refusals.inc({ reason }, 0);
    this.commits = new Histogram({
      name: 'outcomes_ingest_commit_seconds',
      help: 'Time from handing events to Postgres to the commit, or to its failure.',
      buckets: COMMIT_BUCKETS,
      registers,
    });
    this.groups = new Histogram({
      name: 'outcomes_ingest_group_requests',
      help: 'Requests that one statement carried.',
      buckets: GROUP_BUCKETS,
      registers,
    });
  }

  /** Counts a request by how it ends. */
  async request<Result>(kind: RequestKind, work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      this.requests[kind].done.count += 1;
      return result;
    } catch (error) {
      const isTheirs = error instanceof AppError && error.status < 500;
      this.requests[kind][isTheirs ? 'refused' : 'failed'].count += 1;
      throw error;
    }
  }

  /** What became of the events of one request. */
  events(counts: {
    readonly accepted: number;
    readonly duplicates: number;
    readonly rejected: number;
  }): void {
    this.accepted.count += counts.accepted - counts.duplicates;
    this.duplicate.count += counts.duplicates;
    this.rejected.count += counts.rejected;
  }

  /** Times a statement with the events of so many requests. */
  async commit<Result>(requests: number, work: () => Promise<Result>): Promise<Result> {
    this.groups.observe(requests);
    const started = performance.now();
    try {
      return await work();
    } finally {
      this.commits.observe((performance.now() - started) / 1_000);
    }
  }

  refused(reason: Backpressure): void {
    this.refusals.inc({ reason });
  }

  /**
   * Shows a quantity that is held in memory now.
   * @param name - without the common prefix
   * @param read - asked at every scrape
   */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name: `outcomes_ingest_${name}`,
      help,
      registers: [this.management.registry],
      collect() {
        this.set(read());
      },
    });
  }
}

function recordOf<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}
