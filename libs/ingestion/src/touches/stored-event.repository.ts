import { Injectable } from '@nestjs/common';
import { scaleOf } from '@outcomes/persistence';
import { together, type TenantTransaction } from '@outcomes/tenancy';
import { textArray, uuidArray } from '../storage/binary-column';
import type { TouchKey } from '../storage/outcome-event.repository';
import type { KeptCounts } from './campaign-deltas';
import type { PlacedEvent, Places } from './find-messages';
import type { StoredEvent } from './touch';

const DEFAULT_TIME_ZONE = 'UTC';
const FIRST_GENERATION = 1;

/** What is known of the company whose events they are. */
export interface CompanyOfEvents extends KeptCounts {
  /** IANA name */
  readonly timeZone: string;
  /** Whether any event does not say when its message was sent. */
  readonly someUnsent: boolean;
  /** Of the counts by campaign that are in force. */
  readonly generation: number;
  /** Whether of anybody an opt-out or a bounce is kept beside the events. */
  readonly keepsSuppressions: boolean;
  /** Whether anybody is, or was, on the list of those who must not be written to. */
  readonly listsSuppressions: boolean;
  /** Whether anything that sources delivered is held. */
  readonly holdsDeliveries: boolean;
  /** How large the tables are that statements with a name look rows up in; part of such a name. See `scaleOf`. */
  readonly scale: string;
}

const SCALE = scaleOf('outcome_events', 'touches', 'workflow_decisions');

/** Texts are read from so many events of one touch, in order of sending: one touch never fills the memory. */
const TEXT_SOURCES = 20;

/** Nearer to 0 or 1 chance decides nothing; six decimals are what `real` gives back as they were. */
const PROPENSITIES = `'0.000001'::jsonb AND '0.999999'::jsonb`;

/** An event as it came in: it may still wait for its message. */
export type ArrivedEvent = Omit<StoredEvent, 'touchId'> & { readonly touchId: string | null };

// In doubles, which hold milliseconds exactly: numeric, as extract() gives it, costs several times as much.
const ms = (column: string) => `round(date_part('epoch', ${column}) * 1000)`;
const firstTexts = (column: string) => `CASE WHEN place <= ${TEXT_SOURCES} THEN ${column} END`;

// Rows are looked up one by one, each in a subquery that OFFSET keeps apart: of a company that is new Postgres has no
// statistics, takes it to have one row, and would join by reading all that it has for every id.

/** The columns of a StoredEvent. `text` reads a column that may be long. */
const eventColumns = (text: (column: string) => string) => `
    event_id AS "eventId", touch_id AS "touchId", channel, sequence_step AS "sequenceStep", outcome AS kind,
    outcome_at_is AS "outcomeAtIs", tone, sent_offset_minutes AS "sentOffsetMinutes",
    sent_has_time AS "sentHasTime", word_count AS "wordCount", ${ms('sent_at')} AS "sentAtMs",
    ${ms('outcome_at')} AS "outcomeAtMs", ${ms('ingested_at')} AS "ingestedAtMs", recipient_id AS "recipientId",
    thread_id AS "threadId", campaign_id AS "campaignId", recipient_hash AS "recipientHash",
    email_domain AS "emailDomain", recipient_position AS "recipientPosition", ${text('subject')} AS subject,
    ${text('body_excerpt')} AS "bodyExcerpt", ${text('body')} AS body,
    coalesce(metadata @> '{"opened": true}', false) AS opened,
    coalesce(metadata @> '{"meeting_booked": true}', false) AS "meetingBooked",
    left(metadata ->> 'first_name', 100) AS "firstName", left(metadata ->> 'company', 100) AS company,
    CASE WHEN jsonb_typeof(metadata -> 'propensity') = 'number' AND metadata -> 'propensity' BETWEEN ${PROPENSITIES}
      THEN round((metadata ->> 'propensity')::numeric, 6)::float8 END AS propensity,
    CASE WHEN jsonb_typeof(metadata -> 'variant_id') IN ('string', 'number')
      THEN left(metadata ->> 'variant_id', 100) END AS "variantId",
    nullif(left(lower(btrim(industry)), 60), '') AS industry, encode(message_ref, 'hex') AS "messageRef"`;

const BY_IDS = `
  SELECT ${eventColumns((column) => column)}
  FROM unnest($2::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
    SELECT * FROM outcome_events WHERE company_id = (SELECT $1::uuid) AND event_id = wanted.id AND ingested_at > $3 OFFSET 0
  ) AS found`;

const OF_TOUCHES = `
  SELECT ${eventColumns(firstTexts)}
  FROM (
    SELECT e.*, row_number() OVER (PARTITION BY touch_id ORDER BY sent_at, outcome_at, event_id) AS place
    FROM unnest($2::text[], $3::uuid[]) AS wanted (recipient, touch) CROSS JOIN LATERAL (
      SELECT * FROM outcome_events
      WHERE company_id = (SELECT $1::uuid) AND recipient_id = wanted.recipient AND touch_id = wanted.touch AND ingested_at > $4 OFFSET 0
    ) AS e
  ) AS found`;

const PLACES = `
  SELECT event_id AS "eventId", touch_id AS "touchId", recipient_id AS "recipientId", channel,
    sequence_step AS "sequenceStep", thread_id AS "threadId", campaign_id AS "campaignId", ${ms('sent_at')} AS "sentAtMs",
    sent_has_time AS "sentHasTime", sent_offset_minutes AS "sentOffsetMinutes",
    ${ms('outcome_at')} AS "outcomeAtMs", outcome_at_is AS "outcomeAtIs", encode(message_ref, 'hex') AS "messageRef"
  FROM outcome_events WHERE company_id = (SELECT $1::uuid) AND ingested_at > $3`;

/** Events for the worker: by the messages they are about. */
@Injectable()
export class StoredEventRepository {
  /** As a fold of this process last found it. */
  scale: string | undefined;

  /** Ids of the events of batches, those of one message side by side; events that are gone or expired are left out. */
  async ofBatches(
    { client, companyId }: TenantTransaction,
    batchIds: readonly string[],
    cutoff: Date,
  ): Promise<string[]> {
    // As one value: the driver takes longer over a row than Postgres does over the event.
    const { rows } = await client.query<{ ids: string | null }>({
      text: `SELECT string_agg(event_id::text, ',' ORDER BY touch_id, event_id) AS ids
        FROM (SELECT unnest(event_ids) AS id FROM ingest_batches
          WHERE company_id = (SELECT $1::uuid) AND batch_id = ANY ($2::uuid[])) AS wanted
        CROSS JOIN LATERAL (SELECT event_id, touch_id FROM outcome_events
          WHERE company_id = (SELECT $1::uuid) AND event_id = wanted.id AND ingested_at > $3 OFFSET 0) AS found`,
      values: [companyId, batchIds, cutoff],
    });
    return rows[0]?.ids?.split(',') ?? [];
  }

  /** Events by their ids; those that are gone or expired are left out. @param scale - of the tables, see CompanyOfEvents */
  async byIds(
    { client, companyId }: TenantTransaction,
    eventIds: readonly string[],
    cutoff: Date,
    scale: string,
  ): Promise<ArrivedEvent[]> {
    const { rows } = await client.query<ArrivedEvent>({
      name: `events-by-id ${scale}`,
      text: BY_IDS,
      values: [companyId, uuidArray(eventIds), cutoff],
    });
    return rows;
  }

  /** Every event that carries one of the given references. */
  async byReferences(
    { client, companyId }: TenantTransaction,
    references: readonly string[],
    cutoff: Date,
  ): Promise<PlacedEvent[]> {
    const { rows } = await client.query<PlacedEvent>({
      text: `${PLACES} AND message_ref = ANY (SELECT decode(hex, 'hex') FROM unnest($2::text[]) AS hex)`,
      values: [companyId, references, cutoff],
    });
    return rows;
  }

  /**
   * What every fold asks first. From here to the end of the transaction Postgres takes it that whoever writes touches
   * keeps the counts by campaign in step; they would be made void otherwise. And it looks rows up by their keys, however
   * small it takes a table to be.
   */
  async company({ client, companyId }: TenantTransaction): Promise<CompanyOfEvents> {
    // Before the question itself is planned. Whoever asks first does so without a name: a plan that was made over empty
    // tables would be kept.
    const [, { rows }] = await together(
      client.query({
        name: 'fold-settings',
        text: "SELECT set_config('app.counts_campaigns', 'subjects', true), set_config('enable_seqscan', 'off', true)",
      }),
      client.query<Partial<CompanyOfEvents>>({
        name: this.scale && `company-of-events ${this.scale}`,
        text: `SELECT (SELECT time_zone FROM companies WHERE company_id = $1) AS "timeZone",
           (SELECT generation FROM campaign_generations WHERE company_id = $1) AS generation,
           (SELECT counts_outcomes FROM campaign_generations WHERE company_id = $1) AS "countsOutcomes",
           (SELECT counts_subjects FROM campaign_generations WHERE company_id = $1) AS "countsSubjects",
           EXISTS (SELECT 1 FROM outcome_events
             WHERE company_id = (SELECT $1::uuid) AND sent_at IS NULL) AS "someUnsent",
           EXISTS (SELECT 1 FROM suppressions WHERE company_id = $1) AS "keepsSuppressions",
           EXISTS (SELECT 1 FROM suppression_list WHERE company_id = $1) AS "listsSuppressions",
           EXISTS (SELECT 1 FROM held_deliveries WHERE company_id = $1) AS "holdsDeliveries",
           ${SCALE} AS scale`,
        values: [companyId],
      }),
    );
    const [known = {}] = rows;
    this.scale = known.scale;
    return {
      timeZone: known.timeZone ?? DEFAULT_TIME_ZONE,
      someUnsent: known.someUnsent ?? false,
      generation: known.generation ?? FIRST_GENERATION,
      countsOutcomes: known.countsOutcomes ?? true,
      countsSubjects: known.countsSubjects ?? true,
      keepsSuppressions: known.keepsSuppressions ?? true,
      listsSuppressions: known.listsSuppressions ?? true,
      holdsDeliveries: known.holdsDeliveries ?? true,
      scale: known.scale ?? '',
    };
  }

  /** Events of recipients that neither say when their message was sent nor refer to it. */
  async unsentOf(
    { client, companyId }: TenantTransaction,
    recipientIds: readonly string[],
    cutoff: Date,
  ): Promise<PlacedEvent[]> {
    const { rows } = await client.query<PlacedEvent>({
      text: `${PLACES} AND sent_at IS NULL AND message_ref IS NULL AND recipient_id = ANY ($2)`,
      values: [companyId, recipientIds, cutoff],
    });
    return rows;
  }

  /** Events of recipients that say when their message was sent. */
  async sentOf(
    { client, companyId }: TenantTransaction,
    recipientIds: readonly string[],
    cutoff: Date,
  ): Promise<PlacedEvent[]> {
    const { rows } = await client.query<PlacedEvent>({
      text: `${PLACES} AND sent_at IS NOT NULL AND recipient_id = ANY ($2)`,
      values: [companyId, recipientIds, cutoff],
    });
    return rows;
  }

  /** Writes down to which messages events belong. */
  async place({ client, companyId }: TenantTransaction, places: Places): Promise<void> {
    if (places.size === 0) return;
    await client.query({
      text: `UPDATE outcome_events SET touch_id = given.touch_id
        FROM unnest($2::uuid[], $3::uuid[]) AS given (event_id, touch_id)
        WHERE outcome_events.company_id = (SELECT $1::uuid) AND outcome_events.event_id = given.event_id`,
      values: [companyId, [...places.keys()], [...places.values()]],
    });
  }

  /** Every event of the given messages that has not expired. */
  async ofTouches(
    { client, companyId }: TenantTransaction,
    touches: readonly TouchKey[],
    cutoff: Date,
  ): Promise<StoredEvent[]> {
    const { rows } = await client.query<StoredEvent>({
      text: OF_TOUCHES,
      values: [
        companyId,
        textArray(touches.map((touch) => touch.recipientId)),
        uuidArray(touches.map((touch) => touch.touchId)),
        cutoff,
      ],
    });
    return rows;
  }
}
