import { createHash } from 'node:crypto';
import { CHANNELS, DAY_MS, LEVEL_COUNT, MATURITY_DAYS, stepBucketOf } from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import type { TestDatabase } from '@outcomes/testing';
import { storeRows, type PlannedRow } from './company-fixture';
import type { SentMessage } from './generated-messages';
import { storedCounts } from './stored-campaigns';

const PAGE = 5_000;
/** By body, and by subject. */
const TEXT_TABLES = ['campaign_texts', 'campaign_subjects'] as const;

/** A company's messages with what ingestion counts of them by campaign, as if it had; others that it had are gone. */
export async function storeSent(
  database: TestDatabase,
  scope: TenantScope,
  messages: readonly SentMessage[],
): Promise<void> {
  const { companyId } = scope;
  await storeMessages(database, scope, messages);
  for (const table of ['campaigns', 'campaign_cells', ...TEXT_TABLES])
    await database.query(`DELETE FROM ${table} WHERE company_id = $1`, [companyId]);
  for (const { campaign, campaignId, touches, cells, texts } of storedCounts(messages)) {
    await database.query(
      'INSERT INTO campaigns (company_id, campaign, campaign_id, touches) VALUES ($1, $2, $3, $4)',
      [companyId, campaign, campaignId, touches],
    );
    for (const [fortnight, counts] of cells)
      await database.query('INSERT INTO campaign_cells VALUES ($1, $2, $3, $4)', [
        companyId,
        campaign,
        fortnight,
        counts,
      ]);
    for (const [way, table] of TEXT_TABLES.entries())
      for (const [shard, counts] of texts[way] ?? [])
        await database.query(`INSERT INTO ${table} VALUES ($1, $2, $3, $4)`, [
          companyId,
          campaign,
          shard,
          counts,
        ]);
  }
}

/** The same, and what ingestion counts of them by cohort. */
export async function storeHistory(
  database: TestDatabase,
  scope: TenantScope,
  messages: readonly SentMessage[],
): Promise<void> {
  await storeSent(database, scope, messages);
  await database.query('DELETE FROM cohort_counts WHERE company_id = $1', [scope.companyId]);
  await storeRows(database, scope, cohortRowsOf(messages));
}

/** Counts per send day, channel, step bucket and position. A reply came the day after its message. */
function cohortRowsOf(messages: readonly SentMessage[]): PlannedRow[] {
  const cohorts = Map.groupBy(messages, ({ day, channel, step, position }) =>
    [day, channel, stepBucketOf(step), position].join(' '),
  );
  return [...cohorts.values()].map((members): PlannedRow => {
    const [{ day, channel, step, position }] = members as [SentMessage];
    const [levelTouches, levelReplies] = [new Array<number>(LEVEL_COUNT), new Array<number>(LEVEL_COUNT)];
    levelTouches.fill(0);
    levelReplies.fill(0);
    for (const { levels, isReply } of members) {
      for (const level of levels) {
        levelTouches[level] = (levelTouches[level] ?? 0) + 1;
        if (isReply) levelReplies[level] = (levelReplies[level] ?? 0) + 1;
      }
    }
    const replies = members.filter(({ isReply }) => isReply).length;
    return {
      ...{ day, channel, step: stepBucketOf(step), position, touches: members.length, replies },
      ...{ bounces: 0, unsubscribes: 0, opens: 0, meetings: 0, streamed: members.length },
      lastOutcomeAt: new Date((day + 1) * DAY_MS),
      ...{ levelTouches, levelReplies, levelRandomized: [] },
      ...{ hourTouches: [members.length], hourReplies: [replies], replyDelays: [0, replies] },
    };
  });
}

/** An answer came in time, or a day after its message had matured. */
async function storeMessages(
  database: TestDatabase,
  { companyId }: TenantScope,
  messages: readonly SentMessage[],
): Promise<void> {
  const rows = messages.map(({ isReply, ...message }, i) => {
    const sentAt = message.day * DAY_MS + 32_400_000;
    const matures = sentAt + MATURITY_DAYS[CHANNELS[message.channel] ?? 'email'] * DAY_MS;
    // Some replies came at the last moment, and some that are not counted a moment after it.
    const isLate = !isReply && i % 11 === 0;
    return {
      ...message,
      id: createHash('md5')
        .update(`${companyId} ${i}`)
        .digest('hex')
        .replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
      outcome: isReply || isLate ? 1 : 0,
      at: new Date(sentAt).toISOString(),
      answered: new Date(isLate ? matures + 1 : matures).toISOString(),
    };
  });
  await database.query('DELETE FROM touches WHERE company_id = $1', [companyId]);
  for (let from = 0; from < rows.length; from += PAGE) {
    await database.query(
      `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
       streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, campaign_id, variant_id, counted_in)
     SELECT $1, id, channel, step, "position", 1, outcome, true, date '1970-01-01' + day, at, answered, levels,
       id::text, 't', "campaignId", "variantId", 1
     FROM jsonb_to_recordset($2) AS row (id uuid, day int, channel smallint, step smallint, "position" smallint,
       outcome smallint, at timestamptz, answered timestamptz, levels smallint[], "campaignId" text, "variantId" text)`,
      [companyId, JSON.stringify(rows.slice(from, from + PAGE))],
    );
  }
}
