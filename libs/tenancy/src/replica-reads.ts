import type { QueryResultRow } from 'pg';
import { PipelinedReads, type PreparedStatement, type ReadsConfig } from './pipelined-reads';

/** A standby that may answer reads of documents. */
export interface Replica {
  readonly config: ReadsConfig;
  /** How old may be what it answers, in milliseconds; from 100. */
  readonly maxAgeMs: number;
  /** Told when its answers begin to be taken, and when they no longer are; the error is of the failing kind. */
  readonly onChange?: (isUsed: boolean, error?: unknown) => void;
}

interface Mark {
  readonly atMs: number;
  readonly position: bigint;
}

/** How far the primary's log is on disk: what others may see of it lies before that. */
const FLUSHED = {
  name: 'flushed_position',
  text: `SELECT (pg_current_wal_flush_lsn() - '0/0')::text AS position`,
  values: [],
};
/** How far a standby has come; nothing where the server is none. */
const REPLAYED = {
  name: 'replayed_position',
  text: `SELECT (pg_last_wal_replay_lsn() - '0/0')::text AS position WHERE pg_is_in_recovery()`,
  values: [],
};
/** Questions within the age that is allowed: the newest mark is still on its way mostly, one of those before it has arrived. */
const CHECKS_PER_AGE = 4;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Reads from a standby, while it is known to have all that was committed a moment ago. How old it is, is measured without
 * comparing clocks: the position of the primary's log is noted with the time of asking, and once the standby has passed
 * it, it has everything from before that time.
 */
export class ReplicaReads {
  private readonly reads: Pick<PipelinedReads, 'run' | 'stop'>;
  private marks: readonly Mark[] = [];
  private coveredAtMs = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private checking: Promise<void> | undefined;
  private wasUsed = false;
  /** Failures so far: a comparison that was under way at one of them says nothing. */
  private failures = 0;
  private stopped = false;

  /**
   * @param primary - reads of the primary
   * @param standby - another way to the replica than by its config
   */
  constructor(
    private readonly replica: Replica,
    private readonly primary: Pick<PipelinedReads, 'run'>,
    standby?: Pick<PipelinedReads, 'run' | 'stop'>,
  ) {
    this.reads = standby ?? new PipelinedReads(() => replica.config);
  }

  /** Begins to compare, before the first read; safe to call twice. */
  start(): void {
    this.timer ??= this.watch();
  }

  /** @returns undefined where the replica is away or too far behind, and the primary has to be asked */
  async run<Row extends QueryResultRow>(statement: PreparedStatement): Promise<Row[] | undefined> {
    this.start();
    if (!this.isFresh) return undefined;
    try {
      return await this.reads.run<Row>(statement);
    } catch (error) {
      this.distrust(error);
      return undefined;
    }
  }

  /** Compares how far both are; called on its own, some times within the age that is allowed. */
  check(): Promise<void> {
    this.checking ??= this.compare().finally(() => {
      this.checking = undefined;
    });
    return this.checking;
  }

  /** Ends the connection; safe to call twice. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.reads.stop();
  }

  private get isFresh(): boolean {
    return performance.now() - this.coveredAtMs <= this.replica.maxAgeMs;
  }

  private watch(): NodeJS.Timeout {
    void this.check();
    const pauseMs = Math.min(this.replica.maxAgeMs / CHECKS_PER_AGE, LONGEST_PAUSE_MS);
    return setInterval(() => void this.check(), pauseMs).unref();
  }

  private async compare(): Promise<void> {
    const failures = this.failures;
    try {
      const atMs = performance.now();
      const flushed = await positionFrom(this.primary, FLUSHED);
      const replayed = await positionFrom(this.reads, REPLAYED);
      if (this.stopped || this.failures > failures) return;
      const marks = [...this.marks, { atMs, position: flushed }];
      this.coveredAtMs =
        marks.findLast(({ position }) => position <= replayed)?.atMs ?? Number.NEGATIVE_INFINITY;
      // The one that was passed stays: until the next one is, it says how old the replica is.
      this.marks = marks.filter(
        (mark) => mark.atMs >= this.coveredAtMs && atMs - mark.atMs <= this.replica.maxAgeMs,
      );
      this.tell(this.isFresh);
    } catch (error) {
      if (!this.stopped) this.distrust(error);
    }
  }

  private distrust(error: unknown): void {
    this.failures += 1;
    this.marks = [];
    this.coveredAtMs = Number.NEGATIVE_INFINITY;
    this.tell(false, error);
  }

  private tell(isUsed: boolean, error?: unknown): void {
    if (isUsed === this.wasUsed) return;
    this.wasUsed = isUsed;
    this.replica.onChange?.(isUsed, error);
  }
}

async function positionFrom(
  reads: Pick<PipelinedReads, 'run'>,
  statement: PreparedStatement,
): Promise<bigint> {
  const [row] = await reads.run<{ position: string | null }>(statement);
  if (row?.position == null) throw new Error('the replica is no standby of a primary');
  return BigInt(row.position);
}
