import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { CohortTable } from './cohort-table';
import { IntegerArray } from './integer-array';

/** Rows per fetch: about two megabytes on the wire, so that memory does not follow the history. */
const ROWS_PER_FETCH = 1_000;

interface StoredCohort {
  day: number;
  channel: number;
  step: number;
  position: number;
  touches: number;
  replies: number;
  bounces: number;
  unsubscribes: number;
  opens: number;
  meetings: number;
  streamed: number;
  last_outcome_at: Date | null;
  level_touches: string;
  level_replies: string;
  hour_touches: string;
  hour_replies: string;
  reply_delays: string;
  is_tested: boolean;
  tested_replies: number | null;
  tested_level_replies: string | null;
}

const CORRECTED = `tested_level_touches = level_touches
  AND (tested_replies, tested_level_replies) IS DISTINCT FROM (replies, level_replies)`;

/** Everything, for a run. What was tested crosses the wire only where it is not what stands beside it. */
const ALL_COLUMNS = `level_touches::text, level_replies::text, hour_touches::text, hour_replies::text,
  reply_delays::text, tested_level_touches IS NOT DISTINCT FROM level_touches AS is_tested,
  CASE WHEN ${CORRECTED} THEN tested_replies END AS tested_replies,
  CASE WHEN ${CORRECTED} THEN tested_level_replies::text END AS tested_level_replies`;
/** What arms need; they are recomputed after every batch, so the wide columns stay where they are. */
const ARM_COLUMNS = `'{}' AS level_touches, '{}' AS level_replies, '{}' AS hour_touches, '{}' AS hour_replies,
  reply_delays::text, true AS is_tested, NULL::int AS tested_replies, NULL::text AS tested_level_replies`;

const select = (columns: string) => `
  SELECT sent_day - date '1970-01-01' AS day, channel, step_bucket AS step, position, touches, replies, bounces,
    unsubscribes, opens, meetings, streamed, last_outcome_at, ${columns}
  FROM cohort_counts
  WHERE company_id = $1 AND touches > 0
  ORDER BY sent_day, channel, step_bucket, position`;

/** Reads the sufficient statistics of a company. */
@Injectable()
export class CohortRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** All counts, in order of (day, channel, step, position). */
  async read(scope: TenantScope): Promise<CohortTable> {
    return this.fetch(scope, select(ALL_COLUMNS));
  }

  /** The same rows without levels and hours. */
  async readForArms(scope: TenantScope): Promise<CohortTable> {
    return this.fetch(scope, select(ARM_COLUMNS));
  }

  private async fetch(scope: TenantScope, statement: string): Promise<CohortTable> {
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const table = new CohortTable();
      const arrays = {
        levelTouches: new IntegerArray(),
        levelReplies: new IntegerArray(),
        hourTouches: new IntegerArray(),
        hourReplies: new IntegerArray(),
        replyDelays: new IntegerArray(),
        tested: new IntegerArray(),
      };
      // A cursor sees one state of the table however long it is read.
      await client.query(`DECLARE cohorts NO SCROLL CURSOR FOR ${statement}`, [companyId]);
      for (;;) {
        const { rows } = await client.query<StoredCohort>(`FETCH ${ROWS_PER_FETCH} FROM cohorts`);
        for (const row of rows) {
          table.append({
            ...row,
            lastOutcomeAt: row.last_outcome_at,
            levelTouches: arrays.levelTouches.parse(row.level_touches),
            levelReplies: arrays.levelReplies.parse(row.level_replies),
            hourTouches: arrays.hourTouches.parse(row.hour_touches),
            hourReplies: arrays.hourReplies.parse(row.hour_replies),
            replyDelays: arrays.replyDelays.parse(row.reply_delays),
            isTested: row.is_tested,
            tested:
              row.tested_replies === null || row.tested_level_replies === null
                ? null
                : {
                    replies: row.tested_replies,
                    levelReplies: arrays.tested.parse(row.tested_level_replies),
                  },
          });
        }
        if (rows.length < ROWS_PER_FETCH) return table;
      }
    });
  }
}
