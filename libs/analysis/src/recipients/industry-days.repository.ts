import { CHANNELS } from '@outcomes/contracts';
import { lockTouches } from '@outcomes/persistence';
import type { TenantDatabase, TenantScope, TenantTransaction } from '@outcomes/tenancy';
import { preferenceCounts, type MatureDay, type PreferenceCounts } from './preference-counts';
import { IndustryDay, IndustryDayWriter, INDUSTRY_DAY_MAKE, type IndustryMessages } from './industry-day';

/** Newest mature messages that are looked at, in whole days, so that a run costs the same whatever the history. */
const NEWEST_MESSAGES = 100_000;
/** Days that are asked for at once. */
const DAYS_PER_LOOK = 16;
/** Groups per fetch; each holds the levels of about MESSAGES_PER_GROUP messages at most. */
const ROWS_PER_FETCH = 50;
const MESSAGES_PER_GROUP = 5_000;

// Newest first, of days that hold messages alone, each by one look at the index.
const DAYS = `
  WITH RECURSIVE found AS (
    SELECT (SELECT max(sent_day) FROM touches
      WHERE company_id = (SELECT $1::uuid) AND sent_day <= date '1970-01-01' + $2::int) AS day, 1 AS place
    UNION ALL
    SELECT (SELECT max(sent_day) FROM touches WHERE company_id = (SELECT $1::uuid) AND sent_day < found.day), place + 1
    FROM found WHERE day IS NOT NULL AND place < ${DAYS_PER_LOOK}
  )
  SELECT day - date '1970-01-01' AS day, CASE WHEN make = $3 THEN digest END AS digest
  FROM found LEFT JOIN industry_days ON company_id = $1 AND sent_day = day
  WHERE day IS NOT NULL ORDER BY place`;

const SENT = `
  SELECT coalesce(sum(touches), 0)::int AS messages FROM cohort_counts
  WHERE company_id = $1 AND sent_day = date '1970-01-01' + $2::int`;

// One number for everything but campaign and industry: texts take long to sort.
const MESSAGES = `
  SELECT campaign_id AS "campaignId", industry, alike & 15 AS channel, alike / 16 & 15 AS step, alike / 256 & 255 AS position,
    (alike / 65536 & 1) = 1 AS answered, count(*)::int AS messages, string_agg(levels::text, '') AS levels
  FROM (
    SELECT campaign_id, industry, levels, channel + 16 * least(2, (sequence_step + 1) / 2) + 256 * position
      + 65536 * (outcome = 1)::int + 131072 * ((uuid_hash(touch_id) & 2147483647) % $3) AS alike
    FROM touches WHERE company_id = $1 AND sent_day = date '1970-01-01' + $2::int
  ) AS sent
  GROUP BY alike, campaign_id, industry`;

const KEEP = `
  INSERT INTO industry_days (company_id, sent_day, make, digest) VALUES ($1, date '1970-01-01' + $2::int, $3, $4)
  ON CONFLICT (company_id, sent_day) DO UPDATE SET make = excluded.make, digest = excluded.digest`;

const FORGET = `DELETE FROM industry_days WHERE company_id = $1 AND sent_day < date '1970-01-01' + $2::int`;

/** Messages and replies within campaigns, by what recipients are grouped by. */
export interface RecipientCounts {
  readonly industryCounts: readonly PreferenceCounts[];
  readonly positionCounts: readonly PreferenceCounts[];
}

/**
 * Messages and replies by industry and by position, from the newest messages whose outcome is settled. The counts by
 * cohort hold neither industries, which are free text, nor campaigns. A day is read once, when its first channel has
 * matured, and again where it has changed.
 * @param settledThrough - last send day whose messages have all settled, by channel; channels of which nothing counts are
 * absent
 */
export async function readRecipientCounts(
  database: TenantDatabase,
  scope: TenantScope,
  settledThrough: ReadonlyMap<number, number>,
): Promise<RecipientCounts> {
  if (settledThrough.size === 0) return { industryCounts: [], positionCounts: [] };
  const newest = Math.max(...settledThrough.values());
  const days: MatureDay[] = [];
  let oldest = newest;
  let messages = 0;
  for await (const { number, day } of daysUntil(database, scope, newest)) {
    const channels = CHANNELS.map((_, channel) => channel).filter(
      (channel) => (settledThrough.get(channel) ?? -Infinity) >= number,
    );
    days.push({ day, channels });
    const sent = day.messages();
    for (const channel of channels) messages += sent[channel] ?? 0;
    oldest = number;
    if (messages >= NEWEST_MESSAGES) break;
  }
  await database.transaction(scope, ({ client, companyId }) => client.query(FORGET, [companyId, oldest]));
  return preferenceCounts(days);
}

/** Days with messages, newest first. */
async function* daysUntil(database: TenantDatabase, scope: TenantScope, last: number) {
  for (let until = last; ;) {
    const found = await database.transaction(scope, async ({ client, companyId }) => {
      const { rows } = await client.query<{ day: number; digest: Buffer | null }>(DAYS, [
        companyId,
        until,
        INDUSTRY_DAY_MAKE,
      ]);
      return rows;
    });
    for (const { day: number, digest } of found) {
      yield { number, day: new IndustryDay(digest ?? (await makeDay(database, scope, number))) };
      until = number - 1;
    }
    if (found.length < DAYS_PER_LOOK) return;
  }
}

/** Under the lock of the touches, so that nothing of a day that is changing is kept. */
function makeDay(database: TenantDatabase, scope: TenantScope, number: number): Promise<Buffer> {
  return database.transaction(scope, async (transaction) => {
    await lockTouches(transaction);
    const digest = await sumDay(transaction, number);
    const { client, companyId } = transaction;
    await client.query(KEEP, [companyId, number, INDUSTRY_DAY_MAKE, digest]);
    return digest;
  });
}

async function sumDay({ client, companyId }: TenantTransaction, number: number): Promise<Buffer> {
  const writer = new IndustryDayWriter();
  const sent = await client.query<{ messages: number }>(SENT, [companyId, number]);
  const parts = Math.ceil((sent.rows[0]?.messages ?? 0) / MESSAGES_PER_GROUP) || 1;
  await client.query(`DECLARE industry_messages NO SCROLL CURSOR FOR ${MESSAGES}`, [
    companyId,
    number,
    parts,
  ]);
  for (;;) {
    const { rows } = await client.query<IndustryMessages>(`FETCH ${ROWS_PER_FETCH} FROM industry_messages`);
    for (const row of rows) writer.add(row);
    if (rows.length < ROWS_PER_FETCH) break;
  }
  await client.query('CLOSE industry_messages');
  return writer.finish();
}
