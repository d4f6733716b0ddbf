import { Injectable } from '@nestjs/common';
import type { TenantScope, TenantTransaction } from '@outcomes/tenancy';
import { HELD_DAYS } from './source';

type Client = TenantTransaction['client'];

/** What leaves the held records of all sources of a company. */
@Injectable()
export class HeldDeliveryRepository {
  /**
   * Forgets records that name a recipient, by its id or by an address.
   * @param recipientShas - SHA-256 of recipient_ids, hexadecimal
   * @param addressHashes - 16 hexadecimal digits
   * @returns how many went
   */
  async forget(
    scope: TenantScope,
    client: Client,
    recipientShas: readonly string[],
    addressHashes: readonly string[],
  ): Promise<number> {
    const { rowCount } = await client.query(
      `DELETE FROM held_deliveries
       WHERE company_id = $1 AND (recipient_shas && $2::text[] OR address_hashes && $3::text[])`,
      [scope.companyId, recipientShas, addressHashes],
    );
    return rowCount ?? 0;
  }

  /** Deletes what has been held for its time. */
  async expire(scope: TenantScope, client: Client, now: Date): Promise<void> {
    await client.query(
      `DELETE FROM held_deliveries
       WHERE company_id = $1 AND received_at <= $2::timestamptz - interval '${HELD_DAYS} days'`,
      [scope.companyId, now],
    );
  }
}
