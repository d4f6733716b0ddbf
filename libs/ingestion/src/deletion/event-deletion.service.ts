import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { OutcomeEventRepository, type RemovedEvents } from '../storage/outcome-event.repository';
import { retentionCutoff } from '../storage/retention-cutoff';
import { TouchFolding } from '../touches/touch-folding.service';
import { hasRefusedCharacter } from '../validation/refused-characters';
import { isUuid } from '../validation/uuid-form';
import { ReanalysisRequestRepository } from './reanalysis-request.repository';
import { FrozenDecisionRepository } from './frozen-decision.repository';
import { ReanalysisRequests } from './reanalysis-requests.service';

export interface EventDeleted {
  readonly deleted: 1;
  readonly event_id: string;
}

export interface RecipientDeleted {
  /** Events that went; 0 where there were none. */
  readonly deleted: number;
  readonly recipient_id: string;
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
    @Inject(FrozenDecisionRepository) private readonly decisions: FrozenDecisionRepository,
    @Inject(ReanalysisRequestRepository) private readonly requests: ReanalysisRequestRepository,
    @Inject(ReanalysisRequests) private readonly reanalysis: ReanalysisRequests,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws AppError INVALID_EVENT_ID, EVENT_NOT_FOUND */
  async deleteEvent(scope: TenantScope, eventId: string): Promise<EventDeleted> {
    if (!isUuid(eventId)) throw new AppError('INVALID_EVENT_ID');
    const id = eventId.toLowerCase();
    const removed = await this.delete(scope, ({ client }, cutoff) =>
      this.events.deleteByIds(scope, client, [id], cutoff),
    );
    if (removed.visible === 0) throw new AppError('EVENT_NOT_FOUND');
    return { deleted: 1, event_id: id };
  }

  /** @throws AppError MISSING_RECIPIENT_ID where it is absent, empty or given twice */
  async deleteRecipient(scope: TenantScope, recipientId: unknown): Promise<RecipientDeleted> {
    if (typeof recipientId !== 'string' || recipientId === '') throw new AppError('MISSING_RECIPIENT_ID');
    // No event can have such an id, and Postgres would not take it as text.
    if (hasRefusedCharacter(recipientId))
      throw new AppError('INVALID_PARAMETER', { parameter: 'recipient_id' });
    const removed = await this.delete(scope, ({ client }, cutoff) =>
      this.events.deleteByRecipient(scope, client, recipientId, cutoff),
    );
    return { deleted: removed.visible, recipient_id: recipientId };
  }

  private async delete(
    scope: TenantScope,
    remove: (transaction: TenantTransaction, cutoff: Date) => Promise<RemovedEvents>,
  ): Promise<RemovedEvents> {
    const cutoff = retentionCutoff(this.clock.now());
    const { removed, runKey } = await this.database.transaction(scope, async (transaction) => {
      await this.touches.lock(scope, transaction);
      const removed = await remove(transaction, cutoff);
      await this.touches.refold(scope, transaction, removed, cutoff);
      await this.decisions.forget(scope, transaction.client, removed);
      const runKey = removed.total > 0 && (await this.requests.note(scope, transaction.client, 'erasure'));
      return { removed, runKey };
    });
    if (runKey) this.reanalysis.request(scope.companyId, runKey);
    return removed;
  }
}
