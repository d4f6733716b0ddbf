import { Inject, Injectable } from '@nestjs/common';
import {
  CHANNELS,
  OUTCOMES,
  POSITIONS,
  type Channel,
  type Outcome,
  type Position,
} from '@outcomes/contracts';
import { HAS_ANSWERED, standingsOf, type Contact, type ContactStanding } from '@outcomes/persistence';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';

/** Messages to one contact over one channel that ended alike. */
export interface ContactCell {
  readonly channel: Channel;
  readonly outcome: Outcome;
  readonly messages: number;
  readonly firstSentAt: Date;
  readonly lastOutcomeAt: Date;
}

/** Who a contact is, by the messages to it. */
export interface ContactProfile {
  /** As decisions and profiles have it: of the newest message that names one. */
  readonly position: Position;
  /** 0 to 1; 0 of an unknown position. */
  readonly positionConfidence: number;
  /** The newest job title, as sent. */
  readonly jobTitle: string | null;
  /** Of the newest message that names one, as recipients are grouped by it; null where none was sent. */
  readonly industry: string | null;
}

/** What advice to a contact depends on besides the decision about it. */
export interface ContactFacts {
  /** Whether the contact may be written to: from the events themselves, whatever became of the messages. */
  readonly standing: ContactStanding;
  readonly isWrittenTo: boolean;
  /** Whether any message was answered, by a reply or by a meeting booked. */
  readonly hasAnswered: boolean;
  /** Of the newest message; null where there is none. */
  readonly lastSentAt: Date | null;
}

export interface ContactHistory extends ContactFacts, ContactProfile {
  /** Of the newest message; null where there is none. */
  readonly lastChannel: Channel | null;
  readonly cells: readonly ContactCell[];
}

/** Of a message, what is read of it here. */
const SENT = `recipient_id, touch_id, channel, outcome, sent_at, outcome_at, sequence_step, position, position_confidence,
  recipient_position, industry, meeting_booked`;

/**
 * The contact's own messages, and those to the same address under another recipient_id. The address is the one given,
 * or looked up in the events: a recipient who is known only by a reply that closed somebody else's message has no
 * touch. Messages of which every event has expired are gone, also before retention comes by. An event is accepted up to a
 * day before the time of sending that it tells: with a day more for clocks that differ, what was sent later than that after
 * the cutoff has one that has not expired, and none needs to be read.
 *
 * `(SELECT $1::uuid)` keeps the company from the planner, which expects a single row of one that its statistics do not
 * know yet. Messages by address are looked up apart from those by id, address by address: as one condition, no index
 * serves it for a list of contacts, and all messages of the company were held against each of them.
 *
 * None of these statements is prepared by name: a plan that was made while a table was small stays, and costs tens
 * of milliseconds when it has grown.
 */
const sentTo = (recipientId: string, hash: string) =>
  `FROM (
    SELECT ${SENT} FROM touches WHERE company_id = (SELECT $1::uuid) AND recipient_id = ${recipientId}
    UNION ALL SELECT other.* FROM (
      SELECT recipient_hash FROM outcome_events
      WHERE company_id = (SELECT $1::uuid) AND recipient_id = ${recipientId} AND recipient_hash IS NOT NULL
        AND ingested_at > $4
      UNION SELECT ${hash}::text
    ) AS address CROSS JOIN LATERAL (
      SELECT ${SENT} FROM touches
      WHERE company_id = (SELECT $1::uuid) AND recipient_hash = address.recipient_hash
        AND recipient_id IS DISTINCT FROM ${recipientId} OFFSET 0
    ) AS other
  ) AS sent_to
  WHERE (sent_at > $4::timestamptz + interval '2 days'
    OR coalesce((SELECT bool_or(ingested_at > $4) FROM outcome_events AS event
      WHERE event.company_id = (SELECT $1::uuid) AND event.recipient_id = sent_to.recipient_id
        AND event.touch_id = sent_to.touch_id), true))`;
const OF_CONTACT = sentTo('$2', '$3');

const NEWEST_POSITION = 'ORDER BY position = 0, sent_at DESC, touch_id';
const PROFILE = `SELECT (array_agg(position ${NEWEST_POSITION}))[1] AS position,
    (array_agg(position_confidence ${NEWEST_POSITION}))[1] AS "positionConfidence",
    (array_agg(recipient_position ORDER BY recipient_position IS NULL, sent_at DESC, touch_id))[1] AS "jobTitle",
    (array_agg(industry ORDER BY industry IS NULL, sent_at DESC, touch_id))[1] AS industry, max(sent_at) AS "lastSentAt",
    (array_agg(channel ORDER BY sent_at DESC, touch_id))[1] AS "lastChannel" ${OF_CONTACT}`;

/** The same for many contacts, and no more than advice needs. */
const OF_CONTACTS = `SELECT count(sent.outcome) > 0 AS "isWrittenTo",
    coalesce(bool_or(${HAS_ANSWERED}), false) AS "hasAnswered",
    max(sent.sent_at) AS "lastSentAt"
  FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS asked (id, hash, place)
  LEFT JOIN LATERAL (SELECT outcome, meeting_booked, sent_at ${sentTo('asked.id', 'asked.hash')}) AS sent ON true
  GROUP BY place ORDER BY place`;

const UNKNOWN: ContactStanding = {
  isKnown: false,
  blockReasons: [],
  unsubscribedAt: null,
  bouncedAt: null,
  repliedAt: null,
};

@Injectable()
export class ContactRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * What advice to many contacts depends on, one answer each in their order.
   * @param contacts - a hundred at most keep the statement short
   * @param cutoff - as for `history`
   */
  async facts(scope: TenantScope, contacts: readonly Contact[], cutoff: Date): Promise<ContactFacts[]> {
    if (contacts.length === 0) return [];
    return this.database.transaction(scope, async (transaction) => {
      const standings = await standingsOf(transaction, contacts, cutoff);
      const { companyId, client } = transaction;
      const { rows } = await client.query<Omit<ContactFacts, 'standing'>>({
        text: OF_CONTACTS,
        values: [
          companyId,
          contacts.map(({ recipientId }) => recipientId),
          contacts.map(({ addressHash }) => addressHash),
          cutoff,
        ],
      });
      return rows.map((row, place) => ({ ...row, standing: standings[place] ?? UNKNOWN }));
    });
  }

  /**
   * What happened between the company and one contact, and whether it may be written to.
   * @param cutoff - events ingested up to here have expired: only their opt-outs are left
   */
  async history(scope: TenantScope, contact: Contact, cutoff: Date): Promise<ContactHistory> {
    return this.database.transaction(scope, async (transaction) => {
      const { companyId, client } = transaction;
      const values = [companyId, contact.recipientId, contact.addressHash, cutoff];
      const [standing = UNKNOWN] = await standingsOf(transaction, [contact], cutoff);
      const cells = await client.query<Coded<ContactCell> & { readonly isAnswered: boolean }>({
        text: `SELECT channel, outcome, count(*)::integer AS messages, min(sent_at) AS "firstSentAt",
            max(outcome_at) AS "lastOutcomeAt", bool_or(${HAS_ANSWERED}) AS "isAnswered"
          ${OF_CONTACT} GROUP BY channel, outcome`,
        values,
      });
      const profile = await client.query<Nullable<Coded<ContactProfile & LastMessage>>>({
        text: PROFILE,
        values,
      });
      const { position, positionConfidence, jobTitle = null, industry = null } = profile.rows[0] ?? {};
      const { lastSentAt = null, lastChannel = null } = profile.rows[0] ?? {};
      return {
        standing,
        isWrittenTo: cells.rows.length > 0,
        hasAnswered: cells.rows.some(({ isAnswered }) => isAnswered),
        position: POSITIONS[position ?? 0] ?? 'unknown',
        positionConfidence: positionConfidence ?? 0,
        jobTitle,
        industry,
        lastSentAt,
        lastChannel: lastChannel === null ? null : (CHANNELS[lastChannel] ?? 'email'),
        cells: cells.rows.map(({ isAnswered: _isAnswered, ...row }) => ({
          ...row,
          channel: CHANNELS[row.channel] ?? 'email',
          outcome: OUTCOMES[row.outcome] ?? 'no_response',
        })),
      };
    });
  }
}

interface LastMessage {
  readonly lastSentAt: Date;
  readonly lastChannel: Channel;
}

/** A row as Postgres holds it: enumerations by their index. */
type Coded<Row> = {
  readonly [Field in keyof Row]: Row[Field] extends Channel | Outcome | Position ? number : Row[Field];
};
/** A row over messages of which there may be none. */
type Nullable<Row> = { readonly [Field in keyof Row]: Row[Field] | null };
