import { hash } from 'node:crypto';
import { CHANNELS, DAY_MS, LEVEL_COUNT, MATURITY_DAYS, stepBucketOf } from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import type { TestDatabase } from '@outcomes/testing';
import { storeRows, type PlannedRow } from './company-fixture';
import type { SentMessage } from './generated-messages';
import { storedCounts } from './stored-campaigns';

const PAGE = 5_000;
/** By body, and by subject. */
const TEXT_TABLES = ['campaign_texts', 'campaign_subjects'] as const;
type StoredCounts = ReturnType<typeof storedCounts>[number];
type PackedRows = StoredCounts['cells'];

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
  const campaigns = storedCounts(messages);
  await database.query(
    'INSERT INTO campaigns (company_id, campaign, campaign_id, touches) SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::int[])',
    [companyId, ...columnsOf(campaigns, ['campaign', 'campaignId', 'touches'])],
  );
  const packed: readonly (readonly [table: string, of: (own: StoredCounts) => PackedRows])[] = [
    ['campaign_cells', ({ cells }) => cells],
    ...TEXT_TABLES.map((table, way) => [table, ({ texts }: StoredCounts) => texts[way] ?? []] as const),
  ];
  for (const [table, of] of packed) {
    const rows = campaigns.flatMap((own) =>
      of(own).map(([place, counts]) => ({ campaign: own.campaign, place, counts })),
    );
    await database.query(
      `INSERT INTO ${table} SELECT $1, * FROM unnest($2::bigint[], $3::int[], $4::bytea[])`,
      [companyId, ...columnsOf(rows, ['campaign', 'place', 'counts'])],
    );
  }
}

const columnsOf = <Row>(rows: readonly Row[], names: readonly (keyof Row)[]) =>
  names.map((name) => rows.map((row) => row[name]));

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
      id: hash('md5', `${companyId} ${i}`),
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
