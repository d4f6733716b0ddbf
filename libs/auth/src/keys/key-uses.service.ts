import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { CLOCK, LOGGER, type Clock, type Logger } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import type { Identity } from '../authentication/principal';
import { noteUse } from './key.repository';

const WRITE_EVERY_MS = 60_000;
/** Keys that a pod remembers between two writes; what is beyond is noted in the next minute. */
const MAX_KEYS = 20_000;
/** Companies in a row whose keys cannot be written down: with one it may be its own load, with more it is the database. */
const MOST_FAILURES = 2;

/** The first use of a key since it was last written down. */
interface Use {
  readonly scope: TenantScope;
  readonly at: Date;
}

/**
 * When keys were last used, to the minute. A request costs a look into a map: keys are written down once a minute, one
 * after the other, and nobody waits for that. Of several pods the first one in a minute writes.
 */
@Injectable()
export class KeyUses implements OnModuleInit, BeforeApplicationShutdown {
  /** By key id, what was used since the last write. */
  private used = new Map<string, Use>();
  private timer?: NodeJS.Timeout;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), WRITE_EVERY_MS).unref();
  }

  /** Before the connections close. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** Notes that a key was proven. No wait, no I/O. */
  note(identity: Identity): void {
    if (identity.scope === null || this.used.has(identity.keyId) || this.used.size >= MAX_KEYS) return;
    this.used.set(identity.keyId, { scope: identity.scope, at: this.clock.now() });
  }

  /** Writes down what was used. What cannot be written now is kept for the next time. */
  async flush(): Promise<void> {
    this.writing = this.writing.then(() => this.writeAll());
    await this.writing;
  }

  private async writeAll(): Promise<void> {
    const used = this.used;
    this.used = new Map();
    const failing = new Set<string>();
    let inRow = 0;
    for (const [keyId, use] of used) {
      const { companyId } = use.scope;
      // Its other keys would wait for the same connections.
      if (failing.has(companyId)) continue;
      try {
        await this.write(keyId, use);
        used.delete(keyId);
        inRow = 0;
      } catch (error) {
        this.logger.warn({ err: error, companyId }, 'the last use of keys could not be written down');
        failing.add(companyId);
        inRow += 1;
        // The others would fail alike, each after its time-out.
        if (inRow === MOST_FAILURES) break;
      }
    }
    this.keep(used, failing);
  }

  /** Keeps what is left for the next time, keys of companies that failed last: they must not stop the others again. */
  private keep(left: ReadonlyMap<string, Use>, failing: ReadonlySet<string>): void {
    // Of two uses of a key the first one counts.
    const kept = new Map(left);
    for (const [keyId, use] of this.used) if (!kept.has(keyId)) kept.set(keyId, use);
    const isFailing = ({ scope }: Use) => Number(failing.has(scope.companyId));
    this.used = new Map([...kept].sort(([, one], [, other]) => isFailing(one) - isFailing(other)));
  }

  private async write(keyId: string, { scope, at }: Use): Promise<void> {
    await this.database.transaction(scope, (transaction) => noteUse(transaction, keyId, at));
  }
}
