import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { TOUCH_LOCK } from '@outcomes/persistence';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, together, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { OutcomeEventRepository, type RemovedEvents } from '../storage/outcome-event.repository';
import { retentionCutoff } from '../storage/retention-cutoff';
import type { CompanyOfEvents } from '../touches/stored-event.repository';
import { Suppressions, type SuppressionFate } from '../suppressions/suppressions.service';
import { TouchFolding } from '../touches/touch-folding.service';
import { hasRefusedCharacter } from '../validation/refused-characters';
import { isUuid } from '../validation/uuid-form';
import { ReanalysisRequestRepository } from './reanalysis-request.repository';
import { ReanalysisRequests } from './reanalysis-requests.service';

export interface EventDeleted {
  readonly deleted: 1;
  readonly event_id: string;
}

export interface RecipientDeleted {
  /** Events that went; 0 where there were none. */
  readonly deleted: number;
  readonly recipient_id: string;
  /** What became of the recipient's opt-out or bounce; none where there was none that still stood. */
  readonly suppression: SuppressionFate;
}

/**
 * Deletes events and, in the same transaction, what was derived from them: touches, counts and decisions, and with
 * these the profiles that are read from them. What a run computes over all of the company's data follows with
 * the re-analysis that is asked for at once.
 */
@Injectable()
export class EventDeletion {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(OutcomeEventRepository) private readonly events: OutcomeEventRepository,
    @Inject(TouchFolding) private readonly touches: TouchFolding,
    @Inject(Suppressions) private readonly suppressions: Suppressions,
    @Inject(ReanalysisRequestRepository) private readonly requests: ReanalysisRequestRepository,
    @Inject(ReanalysisRequests) private readonly reanalysis: ReanalysisRequests,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Lifts an opt-out that this very event told of. One that has expired is not found, and lifts nothing.
   * @throws AppError INVALID_EVENT_ID, EVENT_NOT_FOUND
   */
  async deleteEvent(scope: TenantScope, eventId: string): Promise<EventDeleted> {
    if (!isUuid(eventId)) throw new AppError('INVALID_EVENT_ID');
    const id = eventId.toLowerCase();
    const { removed } = await this.delete(scope, async (transaction, cutoff) => {
      const { client } = transaction;
      const expired = await this.events.expiredAmong(scope, client, [id], cutoff);
      const near =
        expired.length > 0
          ? await this.suppressions.keepExpiring(scope, transaction, expired)
          : await this.suppressions.beforeDeletion(scope, transaction, id);
      const removed = await this.events.deleteByIds(scope, client, [id], cutoff);
      return { removed, settle: () => this.suppressions.tidy(scope, transaction, near) };
    });
    if (removed.visible === 0) throw new AppError('EVENT_NOT_FOUND');
    return { deleted: 1, event_id: id };
  }

  /**
   * @param keepSuppression - `true` keeps of an opt-out or a bounce the hash and the date, so that nobody writes again
   * @throws AppError MISSING_RECIPIENT_ID where it is absent, empty or given twice; INVALID_PARAMETER
   */
  async deleteRecipient(
    scope: TenantScope,
    recipientId: unknown,
    keepSuppression: unknown = 'false',
  ): Promise<RecipientDeleted> {
    if (typeof recipientId !== 'string' || recipientId === '') throw new AppError('MISSING_RECIPIENT_ID');
    // No event can have such an id, and Postgres would not take it as text.
    if (hasRefusedCharacter(recipientId))
      throw new AppError('INVALID_PARAMETER', { parameter: 'recipient_id' });
    const keeps = keepSuppression === 'true';
    // Anything else might have been meant as yes: nothing is deleted before that is clear.
    if (!keeps && keepSuppression !== 'false')
      throw new AppError(
        'INVALID_PARAMETER',
        { parameter: 'keep_suppression' },
        { message: 'keep_suppression must be true or false, given once.' },
      );
    const { removed, settled } = await this.delete(scope, async (transaction, cutoff, company) => {
      const before = await this.suppressions.beforeErasure(scope, transaction, recipientId, {
        keeps,
        someKept: company.keepsSuppressions,
      });
      const { client } = transaction;
      const removed = await this.events.deleteByRecipient(scope, client, recipientId, cutoff, company.scale);
      return {
        removed,
        settle: () =>
          this.suppressions.afterErasure(scope, transaction, recipientId, {
            before,
            hadOptOut: removed.hadOptOut,
            keeps,
          }),
      };
    });
    return { deleted: removed.visible, recipient_id: recipientId, suppression: settled };
  }

  /** @param remove - deletes events; what it gives to `settle` runs when everything derived from them has gone too */
  private async delete<Settled>(
    scope: TenantScope,
    remove: (
      transaction: TenantTransaction,
      cutoff: Date,
      company: CompanyOfEvents,
    ) => Promise<{ readonly removed: RemovedEvents; readonly settle: () => Promise<Settled> }>,
  ): Promise<{ readonly removed: RemovedEvents; readonly settled: Settled }> {
    const cutoff = retentionCutoff(this.clock.now());
    const { removed, settled, runKey } = await this.database.exclusive(
      scope,
      TOUCH_LOCK,
      async (transaction) => {
        const company = await this.touches.company(scope, transaction);
        const { removed, settle } = await remove(transaction, cutoff, company);
        await this.touches.refold(scope, transaction, removed, cutoff, company);
        const [runKey, settled] = await together(
          removed.total > 0
            ? this.requests.noteErasure(scope, transaction.client, removed, company.scale)
            : undefined,
          settle(),
        );
        return { removed, settled, runKey };
      },
    );
    if (runKey !== undefined) this.reanalysis.request(scope.companyId, runKey);
    return { removed, settled };
  }
}
