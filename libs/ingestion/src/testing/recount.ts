import { DAY_MS, LEVEL_COUNT, OUTCOMES, STEP_BUCKETS } from '@outcomes/contracts';
import type { TenantTransaction } from '@outcomes/tenancy';
import { NameBasedUuids } from '../identity/name-based-uuid';
import { closeByReplies } from '../touches/close-by-replies';
import { namingByReference, ownTouchId, placeByRecipient, placeByReference } from '../touches/find-messages';
import { foldTouch } from '../touches/fold-touch';
import { campaignsCountedFrom, storedCampaigns } from './recount-campaigns';
import type { ArrivedEvent } from '../touches/stored-event.repository';
import type { StoredEvent, Touch } from '../touches/touch';

type Client = Pick<TenantTransaction['client'], 'query'>;

/** One row of cohort_counts, comparable with what a recount gives. */
export type CohortRow = Readonly<Record<string, unknown>>;

export interface Counted {
  /** Sorted by touch_id. */
  readonly touches: readonly Touch[];
  /** Sorted by day and stratum. */
  readonly cohorts: readonly CohortRow[];
  /** Sorted lines: what is counted, of what, and how often. */
  readonly campaigns: readonly string[];
}

const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;

/**
 * What touches and counts of a company should be: everything computed anew from the events, in plain loops, with
 * none of the bookkeeping of differences that the service does. A test oracle.
 * @param client - sees the company's rows
 */
export async function recount(client: Client, companyId: string): Promise<Counted> {
  const { rows: companies } = await client.query<{ time_zone: string }>(
    'SELECT time_zone FROM companies WHERE company_id = $1',
    [companyId],
  );
  const { rows: events } = await client.query<ArrivedEvent>(
    `SELECT event_id AS "eventId", NULL AS "touchId", channel, sequence_step AS "sequenceStep", outcome AS kind,
       outcome_at_is AS "outcomeAtIs", tone, encode(message_ref, 'hex') AS "messageRef",
       sent_offset_minutes AS "sentOffsetMinutes", sent_has_time AS "sentHasTime", word_count AS "wordCount",
       ${ms('sent_at')} AS "sentAtMs", ${ms('outcome_at')} AS "outcomeAtMs", ${ms('ingested_at')} AS "ingestedAtMs",
       recipient_id AS "recipientId", thread_id AS "threadId", campaign_id AS "campaignId",
       recipient_hash AS "recipientHash", email_domain AS "emailDomain", recipient_position AS "recipientPosition",
       subject, body_excerpt AS "bodyExcerpt", body,
       coalesce((metadata -> 'opened')::text = 'true', false) AS opened,
       coalesce((metadata -> 'meeting_booked')::text = 'true', false) AS "meetingBooked",
       metadata ->> 'first_name' AS "firstName", metadata ->> 'company' AS company,
       CASE WHEN (metadata -> 'propensity')::text ~ '^0\\.[0-9]{1,6}$' AND (metadata ->> 'propensity')::numeric > 0
         THEN (metadata ->> 'propensity')::float8 END AS propensity,
       CASE WHEN left((metadata -> 'variant_id')::text, 1) NOT IN ('{', '[', 'n', 't', 'f')
         THEN left(metadata ->> 'variant_id', 100) END AS "variantId",
       nullif(left(lower(btrim(industry)), 60), '') AS industry
     FROM outcome_events WHERE company_id = $1`,
    [companyId],
  );
  const uuids = new NameBasedUuids(companyId);
  const folded = [...Map.groupBy(placed(events, uuids), (event) => event.touchId).values()].map((ofTouch) =>
    foldTouch(ofTouch, companies[0]?.time_zone ?? 'UTC'),
  );
  const touches = [...Map.groupBy(folded, ({ touch }) => touch.recipientHash ?? `none ${touch.touchId}`)]
    .flatMap(([, group]) => closeByReplies(group, uuids).touches)
    .sort((a, b) => (a.touchId < b.touchId ? -1 : 1));
  return { touches, cohorts: countedFrom(touches), campaigns: campaignsCountedFrom(touches) };
}

/** Every event at its message, found for all at once; without those that wait. */
function placed(events: readonly ArrivedEvent[], uuids: NameBasedUuids): StoredEvent[] {
  const referring = placeByReference(
    events.filter((event) => event.messageRef !== null),
    uuids,
  );
  const atOwn = events.map((event) => ({
    ...event,
    touchId:
      referring.get(event.eventId) ??
      (event.messageRef !== null || event.sentAtMs === null
        ? null
        : ownTouchId(event, event.sentAtMs, uuids)),
  }));
  const isLost = (event: ArrivedEvent) => event.sentAtMs === null && event.messageRef === null;
  const found = placeByRecipient(
    atOwn.filter(isLost),
    atOwn.filter((event) => event.sentAtMs !== null),
    namingByReference(events.filter((event) => event.messageRef !== null)),
  );
  return atOwn.flatMap((event) => {
    const touchId = event.touchId ?? found.get(event.eventId) ?? null;
    return touchId === null ? [] : [{ ...event, touchId }];
  });
}

/** What the service keeps. */
export async function stored(client: Client, companyId: string): Promise<Counted> {
  const { rows: touches } = await client.query<Touch>(
    `SELECT touch_id AS "touchId", channel, sequence_step AS "sequenceStep", position,
       position_confidence AS "positionConfidence", outcome, opened, meeting_booked AS "meetingBooked", streamed,
       sent_hour AS "sentHour", sent_day::text AS "sentDay", ${ms('sent_at')} AS "sentAtMs",
       ${ms('outcome_at')} AS "outcomeAtMs", levels, recipient_id AS "recipientId", thread_id AS "threadId",
       campaign_id AS "campaignId", recipient_hash AS "recipientHash", recipient_position AS "recipientPosition",
       propensity, variant_id AS "variantId", industry, outcome_is_exact AS "outcomeIsExact", text_id AS "textId", subject_id AS "subjectId",
       ${ms('replied_at')} AS "repliedAtMs", ${ms('unsubscribed_at')} AS "unsubscribedAtMs",
       ${ms('bounced_at')} AS "bouncedAtMs", ${ms('silent_at')} AS "silentAtMs", ${ms('opened_at')} AS "openedAtMs",
       ${ms('clicked_at')} AS "clickedAtMs", ${ms('auto_replied_at')} AS "autoRepliedAtMs",
       ${ms('meeting_booked_at')} AS "meetingBookedAtMs"
     FROM touches WHERE company_id = $1 ORDER BY touch_id`,
    [companyId],
  );
  const { rows: cohorts } = await client.query<CohortRow>(
    `SELECT sent_day::text, channel, step_bucket, position, touches, replies, bounces, unsubscribes, opens, meetings,
       streamed, ${ms('last_outcome_at')} AS last_outcome_at, level_touches, level_replies, level_randomized,
       hour_touches,
       hour_replies, reply_delays
     FROM cohort_counts WHERE company_id = $1 ORDER BY sent_day, channel, step_bucket, position`,
    [companyId],
  );
  return {
    touches,
    cohorts: cohorts.map((row) => ({
      ...row,
      level_randomized: withoutTail(row.level_randomized as readonly number[]),
    })),
    campaigns: await storedCampaigns(client, companyId),
  };
}

function countedFrom(touches: readonly Touch[]): CohortRow[] {
  const strata = Map.groupBy(touches, (touch) =>
    [touch.sentDay, touch.channel, bucketOf(touch), String(touch.position).padStart(2, '0')].join(),
  );
  return [...strata.keys()].sort().map((key) => {
    const group = strata.get(key) ?? [];
    const [sentDay = '', channel, bucket, position] = key.split(',');
    const replied = group.filter((touch) => OUTCOMES[touch.outcome] === 'responded');
    const exact = replied.filter((touch) => touch.outcomeIsExact);
    const random = group.filter((touch) => touch.propensity !== null);
    const outcomes = (name: string) => group.filter((touch) => OUTCOMES[touch.outcome] === name).length;
    const perLevel = (of: readonly Touch[]) =>
      places(LEVEL_COUNT, (level) => of.filter((touch) => touch.levels.includes(level)));
    const perHour = (of: readonly Touch[]) =>
      places(24, (hour) => of.filter((touch) => touch.sentHour === hour));
    return {
      sent_day: sentDay,
      channel: Number(channel),
      step_bucket: Number(bucket),
      position: Number(position),
      touches: group.length,
      replies: replied.length,
      bounces: outcomes('bounced'),
      unsubscribes: outcomes('unsubscribed'),
      opens: group.filter((touch) => touch.opened).length,
      meetings: group.filter((touch) => touch.meetingBooked).length,
      streamed: group.filter((touch) => touch.streamed).length,
      last_outcome_at: Math.max(...group.map((touch) => touch.outcomeAtMs)),
      level_touches: perLevel(group),
      level_replies: perLevel(replied),
      level_randomized: withoutTail(perLevel(random)),
      hour_touches: perHour(group),
      hour_replies: perHour(replied),
      reply_delays: places(30, (day) => exact.filter((touch) => daysToReply(touch) === day)),
    };
  });
}

function bucketOf({ sequenceStep }: Touch): number {
  if (sequenceStep === 0) return STEP_BUCKETS.indexOf('first_touch');
  return STEP_BUCKETS.indexOf(sequenceStep < 3 ? 'early_follow_up' : 'late_follow_up');
}

function daysToReply(touch: Touch): number {
  const days = (touch.outcomeAtMs - touch.sentAtMs) / DAY_MS;
  return days < 0 ? 0 : Math.min(29, Math.trunc(days));
}

/** A missing tail means zeros, and where counts come and go there may be either. */
function withoutTail(counts: readonly number[]): readonly number[] {
  return counts.slice(0, counts.findLastIndex((count) => count !== 0) + 1);
}

function places(length: number, matching: (place: number) => readonly Touch[]): number[] {
  return Array.from({ length }, (_, place) => matching(place).length);
}
