import { Inject, Injectable } from '@nestjs/common';
import { lockTouches } from '@outcomes/persistence';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { EventDeletion } from '../deletion/event-deletion.service';
import { HeldDeliveryRepository } from '../sources/held-delivery.repository';
import { SuppressionList } from '../suppressions/suppression-list.service';
import { Suppressions } from '../suppressions/suppressions.service';
import { ErasureLedgerRepository, type ErasedSubjects, type Erasure } from './erasure-ledger.repository';

/** What a replay did of one company. */
export interface Replayed {
  /** Erasures that the ledger did not know yet. */
  readonly repeated: number;
  /** Those of them of which something had come back. */
  readonly found: number;
}

/**
 * Repeats erasures in a database that was restored from before them. Whatever is in its ledger has been done already
 * and is left alone: what came in after it is nobody's to delete.
 */
@Injectable()
export class ErasureReplay {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(ErasureLedgerRepository) private readonly ledger: ErasureLedgerRepository,
    @Inject(Suppressions) private readonly suppressions: Suppressions,
    @Inject(SuppressionList) private readonly list: SuppressionList,
    @Inject(HeldDeliveryRepository) private readonly held: HeldDeliveryRepository,
    @Inject(EventDeletion) private readonly deletion: EventDeletion,
  ) {}

  /**
   * Each erasure in a transaction of its own; repeating the whole is harmless.
   * @param erasures - of recipients and events of this company, in any order
   */
  async replay(scope: TenantScope, erasures: readonly Erasure[]): Promise<Replayed> {
    const { missing, subjects } = await this.database.transaction(scope, async (transaction) => {
      const missing = await this.ledger.unknownAmong(transaction, erasures);
      return { missing, subjects: await this.ledger.find(transaction, missing) };
    });
    let found = 0;
    for (const erasure of missing) if (await this.repeat(scope, erasure, subjects)) found += 1;
    return { repeated: missing.length, found };
  }

  /** @returns whether there was anything to erase */
  private async repeat(scope: TenantScope, erasure: Erasure, subjects: ErasedSubjects): Promise<boolean> {
    const { subject, subjectSha256, keptSuppression } = erasure;
    const id = (subject === 'event' ? subjects.eventIds : subjects.recipientIds).get(subjectSha256);
    if (id !== undefined) {
      await this.deletion.repeat(scope, erasure, id);
      return true;
    }
    const isRecipient = subject === 'recipient';
    const sha = isRecipient && !keptSuppression ? subjects.keptShas.get(subjectSha256) : undefined;
    const heldSha = isRecipient ? subjects.heldShas.get(subjectSha256) : undefined;
    await this.database.transaction(scope, async (transaction) => {
      if (sha !== undefined) {
        await lockTouches(transaction);
        const { people } = await this.suppressions.forgetKept(transaction, sha);
        await this.list.followForgotten(transaction, sha, people);
      }
      if (heldSha !== undefined) await this.held.forget(transaction, [heldSha], []);
      await this.ledger.repeat(transaction, erasure);
    });
    return sha !== undefined || heldSha !== undefined;
  }
}
