import { Injectable } from '@nestjs/common';
import type { TenantScope, TenantTransaction } from '@outcomes/tenancy';
import type { TouchKey } from '../storage/outcome-event.repository';
import type { StoredEvent } from './touch';

type Client = TenantTransaction['client'];

/** Texts are read from so many events of one touch, in order of sending: one touch never fills the memory. */
const TEXT_SOURCES = 20;

/** Nearer to 0 or 1 chance decides nothing; six decimals are what `real` gives back as they were. */
const PROPENSITIES = `'0.000001'::jsonb AND '0.999999'::jsonb`;

const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;
const text = (column: string) => `CASE WHEN place <= ${TEXT_SOURCES} THEN ${column} END`;

const OF_TOUCHES = `
  SELECT event_id AS "eventId", touch_id AS "touchId", channel, sequence_step AS "sequenceStep", outcome, tone,
    sent_offset_minutes AS "sentOffsetMinutes", sent_has_time AS "sentHasTime", word_count AS "wordCount",
    ${ms('sent_at')} AS "sentAtMs", ${ms('outcome_at')} AS "outcomeAtMs", ${ms('ingested_at')} AS "ingestedAtMs",
    recipient_id AS "recipientId", thread_id AS "threadId", campaign_id AS "campaignId",
    recipient_hash AS "recipientHash", email_domain AS "emailDomain", recipient_position AS "recipientPosition",
    ${text('subject')} AS subject, ${text('body_excerpt')} AS "bodyExcerpt", ${text('body')} AS body,
    coalesce(metadata @> '{"opened": true}', false) AS opened,
    coalesce(metadata @> '{"meeting_booked": true}', false) AS "meetingBooked",
    left(metadata ->> 'first_name', 100) AS "firstName", left(metadata ->> 'company', 100) AS company,
    CASE WHEN jsonb_typeof(metadata -> 'propensity') = 'number' AND metadata -> 'propensity' BETWEEN ${PROPENSITIES}
      THEN round((metadata ->> 'propensity')::numeric, 6)::float8 END AS propensity,
    CASE WHEN jsonb_typeof(metadata -> 'variant_id') IN ('string', 'number')
      THEN left(metadata ->> 'variant_id', 100) END AS "variantId",
    nullif(left(lower(btrim(industry)), 60), '') AS industry
  FROM (
    SELECT e.*, row_number() OVER (PARTITION BY touch_id ORDER BY sent_at, outcome_at, event_id) AS place
    FROM unnest($2::text[], $3::uuid[]) AS wanted (recipient_id, touch_id)
    JOIN outcome_events e USING (recipient_id, touch_id)
    WHERE e.company_id = $1 AND e.ingested_at > $4
  ) AS found`;

/** Events for the worker: by the messages they are about. */
@Injectable()
export class StoredEventRepository {
  /** Which messages the given events are about; events that are gone or expired are about none. */
  async touchesOf(
    scope: TenantScope,
    client: Client,
    eventIds: readonly string[],
    cutoff: Date,
  ): Promise<TouchKey[]> {
    const { rows } = await client.query<TouchKey>({
      text: `SELECT DISTINCT recipient_id AS "recipientId", touch_id AS "touchId" FROM outcome_events
        WHERE company_id = $1 AND event_id = ANY($2::uuid[]) AND ingested_at > $3`,
      values: [scope.companyId, eventIds, cutoff],
    });
    return rows;
  }

  /** Every event of the given messages that has not expired. */
  async ofTouches(
    scope: TenantScope,
    client: Client,
    touches: readonly TouchKey[],
    cutoff: Date,
  ): Promise<StoredEvent[]> {
    const { rows } = await client.query<StoredEvent>({
      text: OF_TOUCHES,
      values: [
        scope.companyId,
        touches.map((touch) => touch.recipientId),
        touches.map((touch) => touch.touchId),
        cutoff,
      ],
    });
    return rows;
  }
}
