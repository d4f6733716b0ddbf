import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '@outcomes/tenancy';
import { HELD_DAYS } from './source';

/** Days of deliveries that say how often a source delivers: four weeks before the last one. */
const RHYTHM_DAYS = 35;

/** What leaves the held records of all sources of a company, and what is too old to say anything of them. */
@Injectable()
export class HeldDeliveryRepository {
  /**
   * Forgets records that name a recipient, by its id or by an address.
   * @param recipientShas - SHA-256 of recipient_ids, hexadecimal
   * @param addressHashes - 16 hexadecimal digits
   * @returns how many went
   */
  async forget(
    { client, companyId }: TenantTransaction,
    recipientShas: readonly string[],
    addressHashes: readonly string[],
  ): Promise<number> {
    const { rowCount } = await client.query(
      `DELETE FROM held_deliveries
       WHERE company_id = $1 AND (recipient_shas && $2::text[] OR address_hashes && $3::text[])`,
      [companyId, recipientShas, addressHashes],
    );
    return rowCount ?? 0;
  }

  /** Deletes what has been held for its time, and counts of days long before the last delivery. */
  async expire({ client, companyId }: TenantTransaction, now: Date): Promise<void> {
    await client.query(
      `DELETE FROM held_deliveries
       WHERE company_id = $1 AND received_at <= $2::timestamptz - interval '${HELD_DAYS} days'`,
      [companyId, now],
    );
    await client.query(
      `DELETE FROM source_days AS old WHERE company_id = $1 AND day < (
         SELECT max(day) FROM source_days WHERE company_id = $1 AND source_id = old.source_id) - ${RHYTHM_DAYS}`,
      [companyId],
    );
  }
}
