import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  ADDRESS_OF_EVENT,
  answersFrom,
  contactOf,
  lockTouches,
  type BlockCause,
  type BlockReason,
  type Contact,
} from '@outcomes/persistence';
import type { TenantTransaction } from '@outcomes/tenancy';

/** Why somebody is on the list: what blocks, or that the opt-out was a complaint. */
export type SuppressionReason = BlockReason | 'complaint';

/** A row of the list as it is now. One names a recipient or an address, and neither where it was erased. */
export interface ListedSuppression {
  readonly suppressionId: string;
  readonly change: 'added' | 'removed';
  readonly reason: SuppressionReason;
  /** Of a bounce; null in rows of the version before. */
  readonly bounce: BlockCause['bounce'] | null;
  readonly recipientId: string | null;
  readonly recipientSha: string | null;
  readonly addressHash: string | null;
}

/** What a row is to say from now on. */
export interface SuppressionChange {
  /** Of a row that is there. */
  readonly suppressionId?: string | undefined;
  /** A recipient or an address, never both. */
  readonly contact: Contact;
  readonly change: 'added' | 'removed';
  readonly reason: SuppressionReason;
  /** Of a bounce; null in rows of the version before. */
  readonly bounce: BlockCause['bounce'] | null;
  readonly since: Date;
}

/** Of a millisecond. */
const MICROSECONDS = 1_000;

const COLUMNS = `suppression_id AS "suppressionId", change, reason, bounce, recipient_id AS "recipientId",
  recipient_sha AS "recipientSha", recipient_hash AS "addressHash"`;

/** The list of those who must not be written to, as others follow it. */
@Injectable()
export class SuppressionListRepository {
  /** Rows of the given contacts, whatever they say. */
  async listedAmong(
    { client, companyId }: TenantTransaction,
    contacts: readonly Contact[],
  ): Promise<ListedSuppression[]> {
    const shas = contacts.flatMap(({ recipientSha }) => recipientSha ?? []);
    const hashes = contacts.flatMap(({ addressHash }) => addressHash ?? []);
    const { rows } = await client.query<ListedSuppression>(
      `SELECT ${COLUMNS} FROM suppression_list WHERE company_id = $1 AND recipient_sha = ANY ($2::text[])
       UNION ALL
       SELECT ${COLUMNS} FROM suppression_list WHERE company_id = $1 AND recipient_hash = ANY ($3::text[])`,
      [companyId, shas, hashes],
    );
    return rows;
  }

  /**
   * All that a short list names, whatever its rows say; undefined where it has more than `limit` rows. The order is that of
   * an index, which ends after so many rows however many other companies have.
   */
  async listedIfFew({ client, companyId }: TenantTransaction, limit: number): Promise<Contact[] | undefined> {
    const { rows } = await client.query<Contact>(
      `SELECT recipient_id AS "recipientId", recipient_sha AS "recipientSha", recipient_hash AS "addressHash"
       FROM suppression_list WHERE company_id = $1 ORDER BY change_no DESC LIMIT $2`,
      [companyId, limit + 1],
    );
    return rows.length > limit ? undefined : rows;
  }

  /**
   * Writes changes down, each with a number above all that are there. Under the lock of the touches, which is held to the
   * end of the transaction: who reads up to a number has seen everything below it, because nothing below it commits later.
   * Numbers begin with the microsecond: a restored backup does not know which were given after it was made, and would give
   * them again, to changes that nobody who has read that far would ever be told.
   */
  async write(
    transaction: TenantTransaction,
    changes: readonly SuppressionChange[],
    now: Date,
  ): Promise<void> {
    if (changes.length === 0) return;
    await lockTouches(transaction);
    await transaction.client.query(
      `WITH incoming AS (
         SELECT *, row_number() OVER () + (
           SELECT greatest(max(change_no), $11::bigint) FROM suppression_list WHERE company_id = $1) AS change_no
         FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[],
           $10::text[]) AS given (suppression_id, change, reason, recipient_id, recipient_sha, recipient_hash, since, bounce)
       )
       INSERT INTO suppression_list AS listed (company_id, suppression_id, change_no, change, reason, recipient_id,
         recipient_sha, recipient_hash, channel, since, changed_at, bounce)
       SELECT $1, suppression_id, change_no, change, reason, recipient_id, recipient_sha, recipient_hash,
         (SELECT channel FROM (
           SELECT channel, outcome_at FROM outcome_events
           WHERE company_id = (SELECT $1::uuid) AND recipient_id = incoming.recipient_id AND outcome IN (2, 3)
             AND outcome = CASE reason WHEN 'bounced' THEN 2 ELSE 3 END
           UNION ALL SELECT channel, outcome_at FROM ${answersFrom('incoming.recipient_hash', 'channel, outcome_at, outcome')} AS answer
           WHERE outcome = CASE reason WHEN 'bounced' THEN 2 ELSE 3 END
         ) AS told ORDER BY outcome_at LIMIT 1), since, $9, bounce
       FROM incoming
       ON CONFLICT (company_id, suppression_id) DO UPDATE SET
         change_no = excluded.change_no, change = excluded.change, reason = excluded.reason,
         recipient_id = excluded.recipient_id, channel = coalesce(excluded.channel, listed.channel),
         since = excluded.since, changed_at = excluded.changed_at, bounce = excluded.bounce`,
      [
        transaction.companyId,
        changes.map(({ suppressionId }) => suppressionId ?? randomUUID()),
        changes.map(({ change }) => change),
        changes.map(({ reason }) => reason),
        changes.map(({ contact }) => contact.recipientId),
        changes.map(({ contact }) => contact.recipientSha),
        changes.map(({ contact }) => contact.addressHash),
        changes.map(({ since }) => since),
        now,
        changes.map(({ bounce }) => bounce),
        now.getTime() * MICROSECONDS,
      ],
    );
  }

  /**
   * Forgets names of which no event is left: of those who are still blocked the hash stays, of all others nothing but the
   * id of their row.
   */
  async forget({ client, companyId }: TenantTransaction, contacts: readonly Contact[]): Promise<void> {
    const shas = contacts.flatMap(({ recipientSha }) => recipientSha ?? []);
    const hashes = contacts.flatMap(({ addressHash }) => addressHash ?? []);
    await client.query(
      `UPDATE suppression_list AS listed SET recipient_id = NULL,
         recipient_sha = CASE WHEN change = 'added' THEN recipient_sha END
       WHERE company_id = $1 AND recipient_sha = ANY ($2::text[]) AND NOT EXISTS (
         SELECT FROM outcome_events WHERE company_id = (SELECT $1::uuid) AND recipient_id = listed.recipient_id)`,
      [companyId, shas],
    );
    await client.query(
      `UPDATE suppression_list AS listed SET recipient_hash = NULL
       WHERE company_id = $1 AND recipient_hash = ANY ($2::text[]) AND change = 'removed'
         AND NOT EXISTS (SELECT FROM touches WHERE company_id = (SELECT $1::uuid) AND recipient_hash = listed.recipient_hash)
         AND NOT EXISTS (SELECT FROM ${answersFrom('listed.recipient_hash', '1')} AS answer)`,
      [companyId, hashes],
    );
  }

  /** Everybody of whom something speaks against writing, lifted or not, and everybody who is listed. */
  async everyCandidate({ client, companyId }: TenantTransaction): Promise<Contact[]> {
    const { rows } = await client.query<Contact>(
      `SELECT DISTINCT recipient_id AS "recipientId", encode(sha256(convert_to(recipient_id, 'UTF8')), 'hex')
         AS "recipientSha", ${ADDRESS_OF_EVENT} AS "addressHash"
       FROM outcome_events WHERE company_id = $1 AND outcome IN (2, 3)
       UNION ALL SELECT NULL, recipient_sha, nullif(recipient_hash, '') FROM suppressions
       WHERE company_id = $1 AND (unsubscribed_at IS NOT NULL OR bounced_at IS NOT NULL)
       UNION ALL SELECT recipient_id, recipient_sha, recipient_hash FROM suppression_list
       WHERE company_id = $1 AND (recipient_sha IS NOT NULL OR recipient_hash IS NOT NULL)`,
      [companyId],
    );
    return rows;
  }

  /**
   * Notes the addresses that opt-outs and bounces name as their recipient_id only. Whatever takes events in does so itself;
   * the version before did not.
   * @returns how many were noted: fewer than `limit` when none is left
   */
  async nameAddresses({ client, companyId }: TenantTransaction, limit: number): Promise<number> {
    const { rows } = await client.query<{ event_id: string; recipient_id: string }>(
      `SELECT event_id, recipient_id FROM outcome_events WHERE company_id = $1 AND outcome IN (2, 3)
         AND recipient_hash IS NULL AND id_address_hash IS NULL
         AND (recipient_id LIKE '%@%' OR recipient_id ~ '^em_[0-9a-f]{32}$') LIMIT $2`,
      [companyId, limit],
    );
    if (rows.length === 0) return 0;
    await client.query(
      `UPDATE outcome_events AS event SET id_address_hash = named.hash
       FROM unnest($2::uuid[], $3::text[]) AS named (event_id, hash)
       WHERE event.company_id = $1 AND event.event_id = named.event_id`,
      [
        companyId,
        rows.map((row) => row.event_id),
        rows.map((row) => contactOf(row.recipient_id).addressHash),
      ],
    );
    return rows.length;
  }

  /** Whether the list was ever held against everything that is stored, by this version. */
  async isChecked({ client, companyId }: TenantTransaction): Promise<boolean> {
    const { rowCount } = await client.query(
      'SELECT FROM suppression_list_checks WHERE company_id = $1 AND names_addresses',
      [companyId],
    );
    return rowCount === 1;
  }

  async noteCheck({ client, companyId }: TenantTransaction, now: Date): Promise<void> {
    await client.query(
      `INSERT INTO suppression_list_checks (company_id, checked_at, names_addresses) VALUES ($1, $2, true)
       ON CONFLICT (company_id) DO UPDATE SET checked_at = excluded.checked_at, names_addresses = true`,
      [companyId, now],
    );
  }
}
