import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DAY_MS } from '@outcomes/contracts';
import { CLOCK, LOGGER, type Clock, type Logger } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { INVITATION_DAYS } from '../people/people.service';
import { SESSION_SECONDS } from '../sessions/sessions.service';
import { deleteEnded, type EndedRows } from './ended-rows.repository';

const EVERY_MS = 600_000;
/** Few enough that a transaction stays short. */
const ROWS_PER_TRANSACTION = 1_000;

/** How long rows are kept; attempts several times as long as they can be finished. */
const KEPT_MS: Readonly<Record<EndedRows, number>> = {
  attempts: 3_600_000,
  sessions: SESSION_SECONDS * 1_000,
  invitations: INVITATION_DAYS * DAY_MS,
};

/**
 * Deletes what has ended and nobody comes back for: attempts to sign in at a provider, which anybody may begin, sessions,
 * and invitations, which hold an address. What was done is in the administration log.
 */
@Injectable()
export class AccountRetention implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<void> | undefined;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.sweep(), EVERY_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.underWay;
  }

  /** What fails is tried again by the next one. */
  async sweep(): Promise<void> {
    this.underWay ??= this.deleteAll()
      .catch((err: unknown) => this.logger.warn({ err }, 'ended sign-ins and invitations were not deleted'))
      .finally(() => {
        this.underWay = undefined;
      });
    await this.underWay;
  }

  private async deleteAll(): Promise<void> {
    for (const [what, keptMs] of Object.entries(KEPT_MS) as [EndedRows, number][]) {
      const before = new Date(this.clock.now().getTime() - keptMs);
      for (let gone = ROWS_PER_TRANSACTION; gone >= ROWS_PER_TRANSACTION;)
        gone = await deleteEnded(this.database, what, before, ROWS_PER_TRANSACTION);
    }
  }
}
