import { createHash } from 'node:crypto';
import { CHANNELS, DAY_MS, levelIndex, MATURITY_DAYS } from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import type { TestDatabase } from '@outcomes/testing';

/** A message as a plan draws it; the same plan gives the same ids in every company. */
export interface PlannedTouch {
  readonly name: string;
  readonly person: string | null;
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly channel: number;
  readonly position: number;
  readonly industry: string | null;
  readonly outcome: number;
  readonly tone: 'direct' | 'professional';
  /** By default all are of one. */
  readonly campaign?: string | null;
}

export const touchId = (name: string) =>
  createHash('md5')
    .update(name)
    .digest('hex')
    .replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** Stores messages in one statement, or what became of them where they stand already. */
export async function storeTouches(
  database: TestDatabase,
  { companyId }: TenantScope,
  touches: readonly PlannedTouch[],
): Promise<void> {
  const rows = touches.map((touch) => ({
    campaign: 'spring',
    ...touch,
    id: touchId(touch.name),
    at: new Date(touch.day * DAY_MS + 32_400_000).toISOString(),
    levels: [levelIndex('tone', touch.tone), levelIndex('weekday', 'monday')],
  }));
  await database.query(
    `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
       streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, recipient_hash, industry,
       campaign_id)
     SELECT $1, id, channel, 0, "position", 0.7 + "position" / 20.0, outcome, true, date '1970-01-01' + day, at, at,
       levels, coalesce(person, name), 't', person, industry, campaign
     FROM jsonb_to_recordset($2) AS row (id uuid, name text, person text, day int, at timestamptz, channel smallint,
       "position" smallint, industry text, outcome smallint, levels smallint[],
       campaign text)
     ON CONFLICT (company_id, touch_id) DO UPDATE SET position = excluded.position, outcome = excluded.outcome,
       position_confidence = excluded.position_confidence, sent_day = excluded.sent_day, sent_at = excluded.sent_at,
       recipient_hash = excluded.recipient_hash, industry = excluded.industry, levels = excluded.levels,
       campaign_id = excluded.campaign_id`,
    [companyId, JSON.stringify(rows)],
  );
}

export async function deleteTouches(
  database: TestDatabase,
  { companyId }: TenantScope,
  names: readonly string[],
): Promise<void> {
  await database.query('DELETE FROM touches WHERE company_id = $1 AND touch_id = ANY ($2)', [
    companyId,
    names.map(touchId),
  ]);
}

/** Last settled send day of each channel, where outcomes are known up to the newest message. */
export async function settledThrough(
  database: TestDatabase,
  { companyId }: TenantScope,
): Promise<ReadonlyMap<number, number>> {
  const [row] = await database.query<{ day: number | null }>(
    `SELECT max(sent_day) - date '1970-01-01' AS day FROM touches WHERE company_id = $1`,
    [companyId],
  );
  return new Map(CHANNELS.map((name, channel) => [channel, (row?.day ?? 0) - MATURITY_DAYS[name]]));
}
