import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '@outcomes/tenancy';
import {
  deleteEvents,
  removedOf,
  type RemovedEvents,
  type RemovedRow,
} from '../storage/outcome-event.repository';
import type { StoredTouch } from '../touches/touch';
import { TOUCH } from '../touches/touch.repository';

/** What went of a recipient by one statement. */
export interface RemovedRows extends RemovedEvents {
  readonly taken: readonly StoredTouch[];
}

// Where an opt-out or a bounce of anybody is kept beside the events, nothing goes: what is near has to be read first. And
// where an event refers to a message, that may have events of others, and stays to be folded again. Columns are made of
// what a DELETE returns and not in it: Citus refuses functions there that depend on settings.
const TAKE = `
  WITH gone AS (
    ${deleteEvents('recipient_id = $3 AND NOT EXISTS (SELECT 1 FROM suppressions WHERE company_id = $1)')}
  ), taken AS (
    DELETE FROM touches WHERE company_id = (SELECT $1::uuid) AND touch_id = ANY (ARRAY (SELECT touch_id FROM gone))
      AND NOT EXISTS (SELECT 1 FROM gone WHERE message_ref IS NOT NULL)
    RETURNING *
  )
  SELECT gone.*, stored.* FROM gone LEFT JOIN (SELECT ${TOUCH} FROM taken) AS stored
    ON stored."touchId" = gone.touch_id`;

type TakenRow = RemovedRow & (StoredTouch | { readonly touchId: null });

/** Everything that is stored about one recipient. Called within the transaction that holds the company's lock. */
@Injectable()
export class RecipientRowsRepository {
  /**
   * Deletes a recipient's events and touches in one trip, where no opt-out or bounce of anybody is kept beside events.
   * @param cutoff - events ingested up to here have expired
   * @param scale - of the tables, see CompanyOfEvents
   * @returns what went, the touches as they were stored
   */
  async take(
    { client, companyId }: TenantTransaction,
    recipientId: string,
    cutoff: Date,
    scale: string,
  ): Promise<RemovedRows> {
    const { rows } = await client.query<TakenRow>({
      name: `take-recipient ${scale}`,
      text: TAKE,
      values: [companyId, cutoff, recipientId],
    });
    const taken = new Map(rows.flatMap((row) => (row.touchId === null ? [] : [[row.touchId, row] as const])));
    return { ...removedOf(rows), isWhole: true, taken: [...taken.values()] };
  }
}
