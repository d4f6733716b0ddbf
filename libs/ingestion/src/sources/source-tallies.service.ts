import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { CLOCK, LOGGER, type Clock, type Logger } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { SourceRepository } from './source.repository';
import type { Source } from './source';

/** How long counts stay in memory: a row that every delivery changed would have them wait for one another. */
const FLUSH_MS = 1_000;

interface Tally {
  readonly source: Source;
  at: Date;
  deliveries: number;
  readonly types: Map<string, number>;
}

/** Counts what sources deliver, and writes it down once a second. A pod that dies takes a second of counts with it. */
@Injectable()
export class SourceTallies implements BeforeApplicationShutdown {
  private tallies = new Map<string, Tally>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(SourceRepository) private readonly sources: SourceRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Before the connections close. */
  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.flush();
  }

  /** Notes a delivery that was authentic. @param types - of its records */
  note(source: Source, types: readonly string[]): void {
    const at = this.clock.now();
    const tally = this.tallies.get(source.sourceId) ?? {
      ...{ source, at, deliveries: 0, types: new Map<string, number>() },
    };
    tally.at = at;
    tally.deliveries += 1;
    for (const type of types) tally.types.set(type, (tally.types.get(type) ?? 0) + 1);
    this.tallies.set(source.sourceId, tally);
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Writes everything down that was noted so far, after what is being written. */
  async flush(): Promise<void> {
    this.timer = undefined;
    this.writing = this.writing.then(() => this.writeAll());
    await this.writing;
  }

  private async writeAll(): Promise<void> {
    const due = [...this.tallies.values()];
    this.tallies = new Map();
    for (const { source, at, deliveries, types } of due) {
      const counts = [...types].map(([type, records]) => ({ type, records }));
      await this.database
        .transaction(source.scope, (transaction) =>
          this.sources.count(transaction, source.sourceId, at, deliveries, counts),
        )
        .catch((error: unknown) => {
          this.logger.warn({ companyId: source.scope.companyId, err: error }, 'counts of a source were lost');
        });
    }
  }
}
