import { Inject, Injectable } from '@nestjs/common';
import type { TenantTransaction } from '@outcomes/tenancy';
import { FrozenDecisionRepository } from '../deletion/frozen-decision.repository';
import { SuppressionList } from '../suppressions/suppression-list.service';
import { Suppressions } from '../suppressions/suppressions.service';
import { TouchFolding } from '../touches/touch-folding.service';
import { OutcomeEventRepository } from './outcome-event.repository';

/** Lets expired events go with all that was derived from them; of an opt-out the hash stays. */
@Injectable()
export class ExpiredEvents {
  constructor(
    @Inject(OutcomeEventRepository) private readonly events: OutcomeEventRepository,
    @Inject(TouchFolding) private readonly touches: TouchFolding,
    @Inject(FrozenDecisionRepository) private readonly decisions: FrozenDecisionRepository,
    @Inject(Suppressions) private readonly suppressions: Suppressions,
    @Inject(SuppressionList) private readonly list: SuppressionList,
  ) {}

  /**
   * @param transaction - that holds the company's lock
   * @param eventIds - of events that have expired
   * @returns how many went
   */
  async remove(transaction: TenantTransaction, eventIds: readonly string[], cutoff: Date): Promise<number> {
    const near = await this.suppressions.keepExpiring(transaction, eventIds);
    const removed = await this.events.deleteByIds(transaction, eventIds, cutoff);
    await this.touches.refold(transaction, removed, cutoff);
    await this.decisions.forget(transaction, removed);
    await this.suppressions.tidy(transaction, near);
    await this.list.followRemoval(transaction, removed, near.people);
    return removed.total;
  }
}
