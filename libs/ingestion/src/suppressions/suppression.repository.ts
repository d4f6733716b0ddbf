import { Injectable } from '@nestjs/common';
import { ADDRESS_OF_EVENT, IS_COMPLAINT, IS_HARD, NOT_AFTER, NOT_BEFORE } from '@outcomes/persistence';
import type { TenantTransaction } from '@outcomes/tenancy';
import type { KeptRow } from './kept-rows';

/** What an event says that may outlive it, whether it expires or its recipient is erased. */
export interface ExpiringEvent {
  readonly recipientId: string;
  readonly recipientHash: string | null;
  /** Index into EVENT_KINDS. */
  readonly outcome: number;
  /** Of a reply when it came at the earliest, of a bounce at the latest; null where nothing is known of that. */
  readonly outcomeAt: Date | null;
  /** What its metadata tells of an opt-out or a bounce. */
  readonly isComplaint: boolean;
  readonly isHard: boolean;
}

/** Columns of outcome_events that an ExpiringEvent is made of. */
export const EXPIRING_EVENT = `recipient_id AS "recipientId", ${ADDRESS_OF_EVENT} AS "recipientHash", outcome,
  CASE outcome WHEN 1 THEN ${NOT_BEFORE} WHEN 2 THEN ${NOT_AFTER} ELSE outcome_at END AS "outcomeAt",
  ${IS_COMPLAINT} AS "isComplaint", ${IS_HARD} AS "isHard"`;

/** What is left of opt-outs whose events are gone: hashes and dates. */
@Injectable()
export class SuppressionRepository {
  async eventsByIds(
    { client, companyId }: TenantTransaction,
    eventIds: readonly string[],
  ): Promise<ExpiringEvent[]> {
    const { rows } = await client.query<ExpiringEvent>(
      `SELECT ${EXPIRING_EVENT} FROM outcome_events WHERE company_id = $1 AND event_id = ANY ($2::uuid[])`,
      [companyId, eventIds],
    );
    return rows;
  }

  /** Adds what the rows say to what is kept already. */
  async keep({ client, companyId }: TenantTransaction, rows: readonly KeptRow[]): Promise<void> {
    if (rows.length === 0) return;
    await client.query(
      `INSERT INTO suppressions AS kept
         (company_id, recipient_sha, recipient_hash, unsubscribed_at, bounced_at, replied_at, complained, bounce_is_hard)
       SELECT $1, * FROM unnest($2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[],
         $7::boolean[], $8::boolean[])
       ON CONFLICT (company_id, recipient_sha, recipient_hash) DO UPDATE SET
         unsubscribed_at = least(kept.unsubscribed_at, excluded.unsubscribed_at),
         bounced_at = greatest(kept.bounced_at, excluded.bounced_at),
         replied_at = greatest(kept.replied_at, excluded.replied_at),
         complained = kept.complained OR excluded.complained,
         bounce_is_hard = CASE
           WHEN kept.bounced_at = excluded.bounced_at THEN kept.bounce_is_hard OR excluded.bounce_is_hard
           WHEN kept.bounced_at IS NULL OR kept.bounced_at < excluded.bounced_at THEN excluded.bounce_is_hard
           ELSE kept.bounce_is_hard END`,
      [
        companyId,
        rows.map((row) => row.recipientSha),
        rows.map((row) => row.recipientHash),
        rows.map((row) => row.unsubscribedAt),
        rows.map((row) => row.bouncedAt),
        rows.map((row) => row.repliedAt),
        rows.map((row) => row.complained),
        rows.map((row) => row.bounceIsHard),
      ],
    );
  }

  /**
   * Drops bounces that a reply in the same row has lifted: whoever sees the one sees the other, so that they say
   * nothing together. A reply in another row may be hidden from somebody who sees the bounce.
   */
  async dropLifted(
    { client, companyId }: TenantTransaction,
    recipientShas: readonly string[],
  ): Promise<void> {
    await client.query(
      `UPDATE suppressions SET bounced_at = NULL, bounce_is_hard = false
       WHERE company_id = $1 AND recipient_sha = ANY ($2) AND bounced_at < replied_at`,
      [companyId, recipientShas],
    );
  }

  /** Drops rows that only tie or lift, where there is nothing left to block. */
  async dropIdle({ client, companyId }: TenantTransaction, recipientShas: readonly string[]): Promise<void> {
    if (recipientShas.length === 0) return;
    await client.query(
      `DELETE FROM suppressions WHERE company_id = $1 AND recipient_sha = ANY ($2)
         AND unsubscribed_at IS NULL AND bounced_at IS NULL`,
      [companyId, recipientShas],
    );
  }

  /** @returns those of the given people of whom something is kept */
  async keptAmong(
    { client, companyId }: TenantTransaction,
    recipientShas: readonly string[],
  ): Promise<string[]> {
    const { rows } = await client.query<{ recipient_sha: string }>(
      `SELECT DISTINCT recipient_sha FROM suppressions WHERE company_id = $1 AND recipient_sha = ANY ($2)`,
      [companyId, recipientShas],
    );
    return rows.map((row) => row.recipient_sha);
  }

  /** @returns whether an opt-out or a bounce is kept of somebody */
  async blocks({ client, companyId }: TenantTransaction, recipientSha: string): Promise<boolean> {
    const { rowCount } = await client.query(
      `SELECT FROM suppressions WHERE company_id = $1 AND recipient_sha = $2
         AND (unsubscribed_at IS NOT NULL OR bounced_at IS NOT NULL) LIMIT 1`,
      [companyId, recipientSha],
    );
    return rowCount === 1;
  }

  async forget({ client, companyId }: TenantTransaction, recipientSha: string): Promise<void> {
    await client.query('DELETE FROM suppressions WHERE company_id = $1 AND recipient_sha = $2', [
      companyId,
      recipientSha,
    ]);
  }
}
