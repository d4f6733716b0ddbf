import { Inject, Injectable } from '@nestjs/common';
import { MATURITY_DAYS } from '@outcomes/contracts';
import { companySettings } from '@outcomes/persistence';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { COHORT_COLUMNS, CohortReader, type StoredCohort } from './cohort-reader';
import { CohortTable } from './cohort-table';
import { gapOf } from '../sources/gap';
import { rhythmsOf } from '../sources/source-rhythm.repository';
import { DAYS_PER_WEEK, dayOfTime, wallClockOf, weekOf } from './days';
import type { Gap, HistorySource, KnownWeek, Reach } from './history-source';
import { readHistory, type History, type OnProgress } from './read-history';
import { WeekCounts } from './week-counts';
import { DIGEST_MAKE } from './week-digest';

/** Rows per fetch: about half a megabyte on the wire, so that memory does not follow the history. */
const ROWS_PER_FETCH = 250;

const WEEKS = `SELECT week, revision FROM cohort_weeks WHERE company_id = $1 ORDER BY week`;

const DIGESTS = `SELECT week, digest FROM cohort_weeks
  WHERE company_id = $1 AND make = $2 AND week >= $3 AND digest IS NOT NULL`;

const SUMMED = `
  SELECT week, sums_of AS name FROM analysis_checkpoints
  WHERE company_id = $1 AND make = $2 AND sums IS NOT NULL ORDER BY week DESC LIMIT 1`;

const SUMS = `SELECT sums FROM analysis_checkpoints WHERE company_id = $1 AND week = $2 AND make = $3`;

const REACH = `
  SELECT max(newest_day) AS "newestDay", max(newest_outcome_at) AS "newestOutcomeAt"
  FROM unnest($2::int[]) AS given (week) CROSS JOIN LATERAL (
    SELECT max(sent_day) - date '1970-01-01' AS newest_day, max(last_outcome_at) AS newest_outcome_at
    FROM cohort_counts
    WHERE company_id = $1 AND touches > 0 AND sent_day BETWEEN date '1970-01-01' + week * ${DAYS_PER_WEEK}
      AND date '1970-01-01' + (week + 1) * ${DAYS_PER_WEEK} - 1
  ) AS of_week`;

const COUNTS = `
  SELECT ${COHORT_COLUMNS}
  FROM cohort_counts
  WHERE company_id = $1 AND touches > 0 AND sent_day BETWEEN date '1970-01-01' + $2::int AND date '1970-01-01' + $3::int
  ORDER BY sent_day, channel, step_bucket, position`;

/**
 * Messages that may still be answered, with the hour by the clock of their sender: by the offset of its time, or by the
 * company's zone. A few are enough to know the clocks; by id, so that the same history gives the same.
 */
const CLOCKS = `
  SELECT avg(date_part('epoch', sent_day) + 3600 * sent_hour - 3600 * floor(date_part('epoch', sent_at) / 3600))
    AS seconds
  FROM (
    SELECT sent_day, sent_hour, sent_at FROM touches
    WHERE company_id = $1 AND sent_hour IS NOT NULL AND sent_day > (
      SELECT max(sent_day) - ${Math.max(...Object.values(MATURITY_DAYS))} FROM cohort_counts
      WHERE company_id = $1 AND touches > 0)
    ORDER BY touch_id LIMIT 200
  ) AS young`;

/** Reads the sufficient statistics of a company. */
@Injectable()
export class CohortRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * The whole history, in one state of it, and what the next run need not read again.
   * @param now - by which sources are judged silent
   */
  async read(scope: TenantScope, now: Date, onProgress?: OnProgress): Promise<History> {
    return this.database.snapshot(scope, async (transaction) => {
      const gap = gapOf(await rhythmsOf(transaction), dayOfTime(now.getTime()));
      return readHistory(await sourceOf(transaction, gap), onProgress);
    });
  }

  /** The same without what is left for the next run. */
  async readForArms(scope: TenantScope, now: Date): Promise<CohortTable> {
    return (await this.read(scope, now)).table;
  }
}

/** Where senders have several clocks it is their mean, and where no hour is known that of the company. */
async function senderClockOf(transaction: TenantTransaction): Promise<(at: number) => number> {
  const { client, companyId } = transaction;
  const { rows } = await client.query<{ seconds: number | null }>(CLOCKS, [companyId]);
  const seconds = rows[0]?.seconds ?? undefined;
  if (seconds !== undefined) return (at) => at + seconds * 1_000;
  const { timeZone = 'UTC' } = (await companySettings(transaction)) ?? {};
  return (at) => wallClockOf(at, timeZone);
}

async function sourceOf(transaction: TenantTransaction, gap: Gap | undefined): Promise<HistorySource> {
  const { client, companyId } = transaction;
  const weeks = await client.query<KnownWeek>(WEEKS, [companyId]);
  const summed = await client.query<{ week: number; name: Buffer }>(SUMMED, [companyId, DIGEST_MAKE]);
  const [sums] = summed.rows;
  let cursors = 0;
  return {
    gap,
    senderClock: await senderClockOf(transaction),
    // Weeks that do not count are not empty: they are not read.
    weeks: weeks.rows.filter(({ week }) => gap === undefined || week <= weekOf(gap.sentUntil)),
    sums,
    async readSums() {
      const { rows } = await client.query<{ sums: Buffer }>(SUMS, [companyId, sums?.week, DIGEST_MAKE]);
      return (rows[0] as (typeof rows)[number]).sums;
    },
    async digestsFrom(week) {
      const { rows } = await client.query<{ week: number; digest: Buffer }>(DIGESTS, [
        companyId,
        DIGEST_MAKE,
        week,
      ]);
      return new Map(rows.map((row) => [row.week, row.digest]));
    },
    async reachOf(given) {
      const { rows } = await client.query<{ newestDay: number | null; newestOutcomeAt: Date | null }>(REACH, [
        companyId,
        given,
      ]);
      const { newestDay, newestOutcomeAt } = rows[0] as (typeof rows)[number];
      const reach: Reach = {
        newestDay: newestDay ?? undefined,
        newestOutcomeAt: newestOutcomeAt?.getTime(),
      };
      return reach;
    },
    async *counts(from, to) {
      const cursor = `cohorts_${(cursors += 1)}`;
      const last = (to + 1) * DAYS_PER_WEEK - 1;
      const days = [from * DAYS_PER_WEEK, Math.min(last, gap?.sentUntil ?? last)];
      await client.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${COUNTS}`, [companyId, ...days]);
      const reader = new CohortReader();
      let week: WeekCounts | undefined;
      for (;;) {
        const { rows } = await client.query<StoredCohort>(`FETCH ${ROWS_PER_FETCH} FROM ${cursor}`);
        for (const stored of rows) {
          const row = reader.rowOf(stored);
          if (week?.week !== weekOf(row.day)) {
            if (week !== undefined) yield week;
            week = new WeekCounts(weekOf(row.day));
          }
          week.append(row);
        }
        if (rows.length < ROWS_PER_FETCH) break;
      }
      if (week !== undefined) yield week;
      await client.query(`CLOSE ${cursor}`);
    },
  };
}
