import { Inject, Injectable } from '@nestjs/common';
import { BY_THE_SERVICE, recordAdministration, type Deed } from '@outcomes/audit';
import { AppError } from '@outcomes/contracts';
import { contactOf, recipientShaOf, TOUCH_LOCK } from '@outcomes/persistence';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, together, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { ErasureLedgerRepository, subjectSha256, type Erasure } from '../erasures/erasure-ledger.repository';
import { HeldDeliveryRepository } from '../sources/held-delivery.repository';
import { OutcomeEventRepository, type RemovedEvents } from '../storage/outcome-event.repository';
import { retentionCutoff } from '../storage/retention-cutoff';
import type { CompanyOfEvents } from '../touches/stored-event.repository';
import { SuppressionList } from '../suppressions/suppression-list.service';
import { Suppressions, type Neighbourhood, type SuppressionFate } from '../suppressions/suppressions.service';
import { TouchFolding } from '../touches/touch-folding.service';
import { OUTCOME_EVENT_SCHEMA } from '../validation/outcome-event';
import { hasRefusedCharacter } from '../validation/refused-characters';
import { isUuid } from '../validation/uuid-form';
import { ReanalysisRequestRepository } from './reanalysis-request.repository';
import { RecipientRowsRepository, type RemovedRows } from './recipient-rows.repository';
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

/** In characters, as of events. */
const { maxLength: MAX_RECIPIENT_ID } = OUTCOME_EVENT_SCHEMA.properties.recipient_id;

/** What goes, and what the ledger gets: a row of now, or the one of an erasure that is repeated. */
interface Erased {
  readonly subject: 'recipient' | 'event';
  readonly id: string;
  readonly keptSuppression: boolean;
  readonly deed: Deed;
  readonly repeats?: Erasure;
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
    @Inject(RecipientRowsRepository) private readonly rows: RecipientRowsRepository,
    @Inject(TouchFolding) private readonly touches: TouchFolding,
    @Inject(Suppressions) private readonly suppressions: Suppressions,
    @Inject(SuppressionList) private readonly list: SuppressionList,
    @Inject(HeldDeliveryRepository) private readonly held: HeldDeliveryRepository,
    @Inject(ReanalysisRequestRepository) private readonly requests: ReanalysisRequestRepository,
    @Inject(ReanalysisRequests) private readonly reanalysis: Pick<ReanalysisRequests, 'request'>,
    @Inject(ErasureLedgerRepository) private readonly ledger: ErasureLedgerRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Lifts an opt-out that this very event told of. One that has expired is not found, and lifts nothing.
   * @throws AppError INVALID_EVENT_ID, EVENT_NOT_FOUND
   */
  async deleteEvent(scope: TenantScope, eventId: string, deed: Deed = BY_THE_SERVICE): Promise<EventDeleted> {
    if (!isUuid(eventId)) throw new AppError('INVALID_EVENT_ID');
    const id = eventId.toLowerCase();
    const { removed } = await this.eraseEvent(scope, { subject: 'event', id, keptSuppression: false, deed });
    if (removed.visible === 0) throw new AppError('EVENT_NOT_FOUND');
    return { deleted: 1, event_id: id };
  }

  private eraseEvent(scope: TenantScope, erased: Erased) {
    const { id } = erased;
    return this.delete(scope, erased, async (transaction, cutoff) => {
      const expired = await this.events.expiredAmong(transaction, [id], cutoff);
      const near =
        expired.length > 0
          ? await this.suppressions.keepExpiring(transaction, expired)
          : await this.suppressions.beforeDeletion(transaction, id);
      const removed = await this.events.deleteByIds(transaction, [id], cutoff);
      return {
        ...{ removed, near },
        settle: async () => {
          await this.suppressions.tidy(transaction, near);
          return 'none' as const;
        },
      };
    });
  }

  /**
   * @param keepSuppression - `true` keeps of an opt-out or a bounce the hash and the date, so that nobody writes again
   * @throws AppError MISSING_RECIPIENT_ID where it is absent, empty or given twice; INVALID_PARAMETER
   */
  async deleteRecipient(
    scope: TenantScope,
    recipientId: unknown,
    keepSuppression: unknown = 'false',
    deed: Deed = BY_THE_SERVICE,
  ): Promise<RecipientDeleted> {
    if (typeof recipientId !== 'string' || recipientId === '') throw new AppError('MISSING_RECIPIENT_ID');
    // No event can have such an id, and of the first kind Postgres would not take it as text.
    if (hasRefusedCharacter(recipientId) || [...recipientId].length > MAX_RECIPIENT_ID)
      throw new AppError(
        'INVALID_PARAMETER',
        { parameter: 'recipient_id' },
        { message: `recipient_id must be text of at most ${MAX_RECIPIENT_ID} characters, without NUL.` },
      );
    const keeps = keepSuppression === 'true';
    // Anything else might have been meant as yes: nothing is deleted before that is clear.
    if (!keeps && keepSuppression !== 'false')
      throw new AppError(
        'INVALID_PARAMETER',
        { parameter: 'keep_suppression' },
        { message: 'keep_suppression must be true or false, given once.' },
      );
    const { removed, settled } = await this.eraseRecipient(scope, {
      ...{ subject: 'recipient', id: recipientId, keptSuppression: keeps, deed },
    });
    return { deleted: removed.visible, recipient_id: recipientId, suppression: settled };
  }

  /**
   * Erases again what a restored database had from before.
   * @param id - of the recipient or the event that the erasure is about
   */
  async repeat(scope: TenantScope, erasure: Erasure, id: string): Promise<void> {
    const again = { id, keptSuppression: erasure.keptSuppression, deed: BY_THE_SERVICE, repeats: erasure };
    if (erasure.subject === 'event') await this.eraseEvent(scope, { subject: 'event', ...again });
    else await this.eraseRecipient(scope, { subject: 'recipient', ...again });
  }

  private eraseRecipient(scope: TenantScope, erased: Erased) {
    const { id: recipientId, keptSuppression: keeps } = erased;
    return this.delete(
      scope,
      erased,
      async (transaction, cutoff, company, early) => {
        const before = await this.suppressions.beforeErasure(transaction, recipientId, {
          keeps,
          someKept: company.keepsSuppressions,
        });
        const removed =
          early !== undefined && !company.keepsSuppressions
            ? { ...early, said: [] }
            : await this.events.deleteByRecipient(transaction, recipientId, cutoff, company.scale);
        const forgot = company.holdsDeliveries
          ? await this.held.forget(
              transaction,
              [recipientShaOf(recipientId)],
              addressesOf(recipientId, removed),
            )
          : 0;
        return {
          ...{ removed, near: before, forgot },
          settle: () => this.suppressions.afterErasure(transaction, before, removed),
        };
      },
      // Who is near has to be read before the events go, where anything is to be kept.
      keeps
        ? undefined
        : (transaction, cutoff, scale) => this.rows.take(transaction, recipientId, cutoff, scale),
    );
  }

  /**
   * @param remove - deletes events; what it gives to `settle` runs when everything derived from them has gone too
   * @param removeEarly - sent with the question what is known of the company, so that it costs no trip of its own; `remove`
   * gets what it took away
   */
  private async delete(
    scope: TenantScope,
    erased: Erased,
    remove: (
      transaction: TenantTransaction,
      cutoff: Date,
      company: CompanyOfEvents,
      early: RemovedRows | undefined,
    ) => Promise<{
      readonly removed: RemovedEvents | RemovedRows;
      readonly near: Neighbourhood;
      /** Records of sources that were held and went too. */
      readonly forgot?: number;
      readonly settle: () => Promise<SuppressionFate>;
    }>,
    removeEarly?: (transaction: TenantTransaction, cutoff: Date, scale: string) => Promise<RemovedRows>,
  ): Promise<{ readonly removed: RemovedEvents; readonly settled: SuppressionFate }> {
    const cutoff = retentionCutoff(this.clock.now());
    const { removed, settled, runKey } = await this.database.exclusive(
      scope,
      TOUCH_LOCK,
      async (transaction, commitWith) => {
        const { scale } = this.touches;
        const [company, early] = await together(
          this.touches.company(transaction),
          scale === undefined ? undefined : removeEarly?.(transaction, cutoff, scale),
        );
        const { removed, near, forgot = 0, settle } = await remove(transaction, cutoff, company, early);
        const { counted } = await this.touches.refoldTouches(transaction, removed, cutoff, company);
        const [{ written }, runKey, settled] = await together(
          counted,
          removed.total > 0 ? this.requests.noteErasure(transaction, removed, company.scale) : undefined,
          settle(),
          removed.total > 0 ? this.record(transaction, erased, removed.total) : undefined,
        );
        commitWith(written);
        // Of a recipient whose events have all gone before, an opt-out or something held may have gone now.
        if (removed.total === 0 && (settled !== 'none' || forgot > 0 || erased.repeats !== undefined))
          await this.record(transaction, erased, 0);
        const isKept = settled === 'kept';
        if (company.listsSuppressions || isKept) {
          const recipientIds = erased.subject === 'recipient' ? [erased.id] : removed.recipientIds;
          const { addresses } = removed;
          await this.list.followRemoval(transaction, { recipientIds, addresses, isKept }, near.people);
        }
        return { removed, settled, runKey };
      },
    );
    if (runKey !== undefined) this.reanalysis.request(scope.companyId, runKey);
    return { removed, settled };
  }

  private async record(
    transaction: TenantTransaction,
    { repeats, deed, ...erased }: Erased,
    events: number,
  ): Promise<void> {
    const noted =
      repeats === undefined
        ? this.ledger.note(transaction, erased)
        : this.ledger.repeat(transaction, repeats);
    const recorded = recordAdministration(transaction, {
      ...deed,
      action: `${erased.subject}.delete`,
      // What went is not named, here as little as in the ledger.
      subject: subjectSha256(transaction.companyId, erased.id),
      details: { events, kept_suppression: erased.keptSuppression, repeats: repeats?.erasureId ?? null },
      occurredAt: this.clock.now(),
    });
    await together(noted, recorded);
  }
}

/** Hashes of addresses: those that the events named, and that of an id which is one. */
function addressesOf(recipientId: string, { addresses }: RemovedEvents): readonly string[] {
  const { addressHash } = contactOf(recipientId);
  return addressHash === null ? addresses : [...addresses, addressHash];
}
