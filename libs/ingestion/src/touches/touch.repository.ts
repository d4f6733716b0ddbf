import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '@outcomes/tenancy';
import { textArray, uuidArray } from '../storage/binary-column';
import type { TouchKey } from '../storage/outcome-event.repository';
import { INSERT_TOUCHES, REPLACE_TOUCHES, touchColumns } from './touch-sql';
import type { StoredTouch, Touch } from './touch';

/** A reply that was no message of its own. */
export interface ReplyEcho {
  readonly touchId: string;
  readonly recipientId: string;
  readonly recipientHash: string;
  readonly closesTouchId: string;
}

/** How many messages an address has, and whether under one recipient_id or several. */
export interface AddressUse {
  readonly recipientHash: string;
  readonly touches: number;
  readonly firstRecipient: string;
  readonly lastRecipient: string;
}

const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;

/** The times of facts, and what a touch calls them. */
const FACTS = [
  ['replied_at', 'repliedAtMs'],
  ['unsubscribed_at', 'unsubscribedAtMs'],
  ['bounced_at', 'bouncedAtMs'],
  ['silent_at', 'silentAtMs'],
  ['opened_at', 'openedAtMs'],
  ['clicked_at', 'clickedAtMs'],
  ['auto_replied_at', 'autoRepliedAtMs'],
  ['meeting_booked_at', 'meetingBookedAtMs'],
] as const;

/** The columns of a StoredTouch. */
export const TOUCH = `touch_id AS "touchId", channel, sequence_step AS "sequenceStep", position,
    position_confidence AS "positionConfidence", outcome, opened, meeting_booked AS "meetingBooked", streamed,
    sent_hour AS "sentHour", sent_day::text AS "sentDay", ${ms('sent_at')} AS "sentAtMs",
    ${ms('outcome_at')} AS "outcomeAtMs", levels, recipient_id AS "recipientId", thread_id AS "threadId",
    campaign_id AS "campaignId", recipient_hash AS "recipientHash", recipient_position AS "recipientPosition",
    propensity, variant_id AS "variantId", industry, outcome_is_exact AS "outcomeIsExact", text_id AS "textId",
    subject_id AS "subjectId", counted_in AS "countedIn",
    ${FACTS.map(([column, name]) => `${ms(column)} AS "${name}"`).join(', ')}`;

const BY_IDS = `
  SELECT ${TOUCH}
  FROM unnest($2::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
    SELECT * FROM touches WHERE company_id = (SELECT $1::uuid) AND touch_id = wanted.id OFFSET 0
  ) AS found`;

const DELETE = 'DELETE FROM touches WHERE company_id = (SELECT $1::uuid) AND touch_id = ANY($2::uuid[])';

/** Asked once a statement: most companies have no echo, and need none looked up. */
const HAS_ECHOES = '(SELECT EXISTS (SELECT FROM reply_echoes WHERE company_id = (SELECT $1::uuid)))';

/** Messages to an address, those that turned out to be echoes of a reply included. */
const OF_ADDRESSES = `(
    SELECT found.* FROM unnest($2::text[]) AS wanted (hash) CROSS JOIN LATERAL (
      SELECT recipient_hash, recipient_id, touch_id FROM touches
      WHERE company_id = (SELECT $1::uuid) AND recipient_hash = wanted.hash OFFSET 0
    ) AS found
    UNION ALL
    SELECT found.* FROM unnest($2::text[]) AS wanted (hash) CROSS JOIN LATERAL (
      SELECT recipient_hash, recipient_id, touch_id FROM reply_echoes
      WHERE company_id = (SELECT $1::uuid) AND recipient_hash = wanted.hash OFFSET 0
    ) AS found WHERE ${HAS_ECHOES}
  ) AS addressed`;

/** Touches and echoes of replies. Called within the transaction that holds the company's lock. */
@Injectable()
export class TouchRepository {
  /** @param scale - of the tables, see CompanyOfEvents */
  async findByIds(
    { client, companyId }: TenantTransaction,
    touchIds: readonly string[],
    scale: string,
  ): Promise<StoredTouch[]> {
    if (touchIds.length === 0) return [];
    const { rows } = await client.query<StoredTouch>({
      name: `touches-by-id ${scale}`,
      text: BY_IDS,
      values: [companyId, uuidArray(touchIds)],
    });
    return rows;
  }

  /** Deletes touches. @param scale - of the tables, see CompanyOfEvents @returns them as they were */
  async take(
    { client, companyId }: TenantTransaction,
    touchIds: readonly string[],
    scale: string,
  ): Promise<StoredTouch[]> {
    if (touchIds.length === 0) return [];
    const { rows } = await client.query<StoredTouch>({
      name: `take-touches ${scale}`,
      // Citus refuses functions that depend on settings in RETURNING itself.
      text: `WITH gone AS (${DELETE} RETURNING *) SELECT ${TOUCH} FROM gone`,
      values: [companyId, uuidArray(touchIds)],
    });
    return rows;
  }

  async findEchoes(
    { client, companyId }: TenantTransaction,
    touchIds: readonly string[],
  ): Promise<ReplyEcho[]> {
    if (touchIds.length === 0) return [];
    const { rows } = await client.query<ReplyEcho>({
      text: `SELECT touch_id AS "touchId", recipient_id AS "recipientId", recipient_hash AS "recipientHash",
          closes_touch_id AS "closesTouchId"
        FROM unnest($2::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
          SELECT * FROM reply_echoes WHERE company_id = (SELECT $1::uuid) AND touch_id = wanted.id OFFSET 0
        ) AS found WHERE ${HAS_ECHOES}`,
      values: [companyId, uuidArray(touchIds)],
    });
    return rows;
  }

  /**
   * Of the given addresses, those that a reply came from: only there can one reply close the message of another
   * recipient.
   */
  async answeredAddresses(
    { client, companyId }: TenantTransaction,
    hashes: readonly string[],
  ): Promise<string[]> {
    if (hashes.length === 0) return [];
    const { rows } = await client.query<{ hash: string }>({
      text: `SELECT DISTINCT hash FROM unnest($2::text[]) AS wanted (hash) CROSS JOIN LATERAL (
          SELECT FROM touches
          WHERE company_id = (SELECT $1::uuid) AND recipient_hash = wanted.hash AND outcome = 1 LIMIT 1
        ) AS found
        UNION SELECT hash FROM unnest($2::text[]) AS wanted (hash) CROSS JOIN LATERAL (
          SELECT FROM reply_echoes
          WHERE company_id = (SELECT $1::uuid) AND recipient_hash = wanted.hash LIMIT 1
        ) AS echo WHERE ${HAS_ECHOES}`,
      values: [companyId, textArray(hashes)],
    });
    return rows.map((row) => row.hash);
  }

  async usesOfAddresses(
    { client, companyId }: TenantTransaction,
    hashes: readonly string[],
  ): Promise<AddressUse[]> {
    const { rows } = await client.query<AddressUse>({
      text: `SELECT recipient_hash AS "recipientHash", count(*)::int AS touches,
          min(recipient_id COLLATE "C") AS "firstRecipient", max(recipient_id COLLATE "C") AS "lastRecipient"
        FROM ${OF_ADDRESSES} GROUP BY recipient_hash`,
      values: [companyId, textArray(hashes)],
    });
    return rows;
  }

  async touchesOfAddresses(
    { client, companyId }: TenantTransaction,
    hashes: readonly string[],
  ): Promise<TouchKey[]> {
    const { rows } = await client.query<TouchKey>({
      text: `SELECT recipient_id AS "recipientId", touch_id AS "touchId" FROM ${OF_ADDRESSES}`,
      values: [companyId, textArray(hashes)],
    });
    return rows;
  }

  /**
   * @param touches - of which none is stored
   * @param generation - of the counts by campaign that they are in from now on
   */
  async insert(
    { client, companyId }: TenantTransaction,
    touches: readonly Touch[],
    generation: number,
  ): Promise<void> {
    if (touches.length === 0) return;
    const values = [companyId, ...touchColumns(touches, generation)];
    await client.query({ text: INSERT_TOUCHES, values });
  }

  /**
   * @param touches - that are stored, and changed
   * @param generation - as `insert`
   */
  async replace(
    { client, companyId }: TenantTransaction,
    touches: readonly Touch[],
    generation: number,
  ): Promise<void> {
    if (touches.length === 0) return;
    const values = [companyId, ...touchColumns(touches, generation)];
    await client.query({ text: REPLACE_TOUCHES, values });
  }

  async delete({ client, companyId }: TenantTransaction, touchIds: readonly string[]): Promise<void> {
    if (touchIds.length === 0) return;
    await client.query(DELETE, [companyId, touchIds]);
  }

  async upsertEchoes({ client, companyId }: TenantTransaction, echoes: readonly ReplyEcho[]): Promise<void> {
    if (echoes.length === 0) return;
    await client.query(
      `INSERT INTO reply_echoes (company_id, touch_id, recipient_id, recipient_hash, closes_touch_id)
       SELECT $1, * FROM unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[])
       ON CONFLICT (company_id, touch_id) DO UPDATE SET recipient_hash = excluded.recipient_hash,
         closes_touch_id = excluded.closes_touch_id`,
      [
        companyId,
        echoes.map((echo) => echo.touchId),
        echoes.map((echo) => echo.recipientId),
        echoes.map((echo) => echo.recipientHash),
        echoes.map((echo) => echo.closesTouchId),
      ],
    );
  }

  async deleteEchoes({ client, companyId }: TenantTransaction, touchIds: readonly string[]): Promise<void> {
    if (touchIds.length === 0) return;
    await client.query(
      `DELETE FROM reply_echoes WHERE company_id = (SELECT $1::uuid) AND touch_id = ANY($2::uuid[])`,
      [companyId, touchIds],
    );
  }
}
