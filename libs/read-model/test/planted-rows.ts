import { createHash, randomUUID } from 'node:crypto';
import {
  type Channel,
  CHANNELS,
  DAY_MS,
  LEVEL_COUNT,
  type Outcome,
  OUTCOMES,
  type Position,
  POSITIONS,
  stepBucketOf,
} from '@outcomes/contracts';
import { campaignKeyOf, CampaignOutcomeCounts, dayNumberOf, fortnightOf } from '@outcomes/persistence';
import type { TestDatabase } from '@outcomes/testing';

async function insert(database: TestDatabase, table: string, row: Readonly<Record<string, unknown>>) {
  const columns = Object.keys(row);
  await database.query(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(row),
  );
}

export interface PlantedTouch {
  readonly companyId: string;
  readonly channel?: Channel;
  readonly step?: number;
  readonly position?: Position;
  readonly outcome?: Outcome;
  readonly repliedAt?: string;
  readonly unsubscribedAt?: string;
  readonly sentAt?: string;
  /** by the clock of the sender; the day of sentAt in UTC unless given */
  readonly sentDay?: string;
  readonly recipientId?: string;
  readonly recipientHash?: string | null;
  readonly emailDomain?: string;
  readonly jobTitle?: string | null;
  /** in small letters, as it is stored with a message */
  readonly industry?: string | null;
  readonly campaignId?: string | null;
  readonly levels?: readonly number[];
}

/**
 * Plants a touch and the event that it was folded from.
 * @returns touch_id
 */
export async function plantTouch(database: TestDatabase, touch: PlantedTouch): Promise<string> {
  const sentAt = touch.sentAt ?? '2026-01-05T09:00:00Z';
  const position = touch.position ?? 'vp';
  const touchId = randomUUID();
  await plantEvent(database, touch, touchId);
  await insert(database, 'touches', {
    company_id: touch.companyId,
    touch_id: touchId,
    channel: CHANNELS.indexOf(touch.channel ?? 'email'),
    sequence_step: touch.step ?? 0,
    position: POSITIONS.indexOf(position),
    position_confidence: position === 'unknown' ? 0 : 0.9,
    outcome: OUTCOMES.indexOf(touch.outcome ?? 'no_response'),
    streamed: true,
    sent_day: touch.sentDay ?? sentAt.slice(0, 10),
    sent_at: sentAt,
    outcome_at: new Date(Date.parse(sentAt) + DAY_MS).toISOString(),
    levels: touch.levels ?? [],
    recipient_id: touch.recipientId ?? 'contact-1',
    thread_id: 'thread-1',
    campaign_id: touch.campaignId ?? null,
    recipient_hash: touch.recipientHash ?? null,
    recipient_position: touch.jobTitle ?? null,
    industry: touch.industry ?? null,
    replied_at: touch.repliedAt ?? null,
    unsubscribed_at: touch.unsubscribedAt ?? null,
  });
  return touchId;
}

/** Plants what the folding keeps of touches of one campaign, by send day and outcome. */
export async function plantOutcomeCounts(
  database: TestDatabase,
  { companyId, campaignId }: Required<Pick<PlantedTouch, 'companyId' | 'campaignId'>>,
  touches: readonly PlantedTouch[],
): Promise<void> {
  const ofCampaign = { company_id: companyId, campaign: campaignKeyOf(campaignId) };
  await insert(database, 'campaigns', { ...ofCampaign, campaign_id: campaignId, touches: touches.length });
  const byFortnight = new Map<number, CampaignOutcomeCounts>();
  for (const { sentAt = '', channel, step = 0, position, outcome, repliedAt, unsubscribedAt } of touches) {
    const day = dayNumberOf(sentAt.slice(0, 10));
    const counts = byFortnight.get(fortnightOf(day)) ?? new CampaignOutcomeCounts();
    byFortnight.set(fortnightOf(day), counts);
    const indexes = {
      channel: CHANNELS.indexOf(channel ?? 'email'),
      position: POSITIONS.indexOf(position ?? 'vp'),
      outcome: OUTCOMES.indexOf(outcome ?? 'no_response'),
    };
    const isRepliedAndUnsubscribed = repliedAt !== undefined && unsubscribedAt !== undefined;
    counts.add({ day, step, ...indexes, isRepliedAndUnsubscribed }, 1);
  }
  for (const [fortnight, counts] of byFortnight)
    await insert(database, 'campaign_outcomes', { ...ofCampaign, fortnight, counts: counts.encode() });
}

/** Plants campaigns of one message each, by e-mail, with what the folding keeps of them, in one go however many they are. */
export async function plantCampaigns(
  database: TestDatabase,
  companyId: string,
  campaigns: readonly (readonly [id: string, day: string])[],
): Promise<void> {
  const [ids, days] = [campaigns.map(([id]) => id), campaigns.map(([, day]) => day)];
  const counts = days.map((sentDay) => {
    const day = dayNumberOf(sentDay);
    const kept = new CampaignOutcomeCounts();
    const indexes = { channel: 0, position: 4, outcome: 0, isRepliedAndUnsubscribed: false };
    kept.add({ day, step: 0, ...indexes }, 1);
    return { fortnight: fortnightOf(day), bytes: kept.encode() };
  });
  const keys = ids.map(campaignKeyOf);
  await database.query(
    `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome, streamed,
       sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, campaign_id)
     SELECT $1, gen_random_uuid(), 0, 0, 4, 0.9, 0, true, day, day + interval '8 hours', day + 1, '{}', id, 't', id
     FROM unnest($2::text[], $3::date[]) AS sent (id, day)`,
    [companyId, ids, days],
  );
  await database.query(
    `INSERT INTO campaigns (company_id, campaign, campaign_id, touches)
     SELECT $1, key, id, 1 FROM unnest($2::bigint[], $3::text[]) AS named (key, id)`,
    [companyId, keys, ids],
  );
  await database.query(
    `INSERT INTO campaign_outcomes (company_id, campaign, fortnight, counts)
     SELECT $1, * FROM unnest($2::bigint[], $3::integer[], $4::bytea[])`,
    [companyId, keys, counts.map(({ fortnight }) => fortnight), counts.map(({ bytes }) => bytes)],
  );
}

/** Plants an event alone, such as a reply that closed the touch of another recipient_id. */
export async function plantEvent(
  database: TestDatabase,
  touch: PlantedTouch,
  touchId: string = randomUUID(),
): Promise<void> {
  const sentAt = touch.sentAt ?? '2026-01-05T09:00:00Z';
  await insert(database, 'outcome_events', {
    company_id: touch.companyId,
    event_id: randomUUID(),
    touch_id: touchId,
    channel: CHANNELS.indexOf(touch.channel ?? 'email'),
    sequence_step: touch.step ?? 0,
    outcome: OUTCOMES.indexOf(touch.outcome ?? 'no_response'),
    sent_has_time: true,
    sent_at: sentAt,
    outcome_at: new Date(Date.parse(sentAt) + DAY_MS).toISOString(),
    recipient_id: touch.recipientId ?? 'contact-1',
    thread_id: 'thread-1',
    campaign_id: touch.campaignId ?? null,
    recipient_hash: touch.recipientHash ?? null,
    industry: touch.industry ?? null,
    email_domain: touch.emailDomain ?? null,
  });
}

export interface PlantedCohort {
  readonly companyId: string;
  readonly day: string;
  readonly channel?: Channel;
  readonly step?: number;
  readonly position?: Position;
  readonly touches: number;
  readonly replies: number;
}

export async function plantCohort(database: TestDatabase, cohort: PlantedCohort): Promise<void> {
  const zeros = Array.from({ length: LEVEL_COUNT }, () => 0);
  await insert(database, 'cohort_counts', {
    company_id: cohort.companyId,
    sent_day: cohort.day,
    channel: CHANNELS.indexOf(cohort.channel ?? 'email'),
    step_bucket: stepBucketOf(cohort.step ?? 0),
    position: POSITIONS.indexOf(cohort.position ?? 'vp'),
    touches: cohort.touches,
    replies: cohort.replies,
    bounces: 0,
    unsubscribes: 0,
    opens: 0,
    meetings: 0,
    streamed: cohort.touches,
    level_touches: zeros,
    level_replies: zeros,
    hour_touches: [],
    hour_replies: [],
    reply_delays: [],
  });
}

export async function plantSnapshot(
  database: TestDatabase,
  companyId: string,
  document: string,
  value: unknown,
  dataAsOf = '2026-02-01T00:00:00Z',
): Promise<void> {
  const body = JSON.stringify(value);
  await insert(database, 'snapshots', {
    company_id: companyId,
    document,
    run_id: randomUUID(),
    data_as_of: dataAsOf,
    updated_at: dataAsOf,
    etag: createHash('sha256').update(body).digest('base64url').slice(0, 22),
    body,
  });
}

export async function plantRun(
  database: TestDatabase,
  companyId: string,
  state: 'running' | 'succeeded' | 'failed',
  dataAsOf: string,
): Promise<void> {
  await insert(database, 'analysis_runs', {
    company_id: companyId,
    run_id: randomUUID(),
    run_key: `${state}-${dataAsOf}`,
    state,
    engine_version: 'test',
    data_as_of: dataAsOf,
    started_at: dataAsOf,
    finished_at: state === 'running' ? null : dataAsOf,
  });
}

export interface PlantedCall {
  readonly companyId: string;
  readonly requestedCompanyId?: string;
  readonly tool?: string;
  readonly errorType?: string;
  readonly at: string;
  readonly actorId?: string;
}

/** @returns entry_id */
export async function plantCall(database: TestDatabase, call: PlantedCall): Promise<string> {
  const entryId = randomUUID();
  await insert(database, 'audit_log', {
    company_id: call.companyId,
    entry_id: entryId,
    occurred_at: call.at,
    requested_company_id: call.requestedCompanyId ?? null,
    key_id: 'KEYKEYKEYKEYKEY1',
    actor_type: 'agent',
    actor_id: call.actorId ?? 'agent-7',
    tool: call.tool ?? 'get_bandit_state',
    status: call.errorType === undefined ? 'success' : 'error',
    error_type: call.errorType ?? null,
    latency_ms: 12.5,
    input_sha256: createHash('sha256').update('{}').digest(),
    output_sha256: createHash('sha256').update('out').digest(),
    request_id: 'request-1',
  });
  return entryId;
}
