import { Inject, Injectable } from '@nestjs/common';
import { DOCUMENTS } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import type { SerialisedDocument } from '../documents/serialise';
import { keepWeeks } from '../evidence/evidence-week.repository';
import type { EvidenceWeek } from '../evidence/evidence-weeks';
import { writeDocuments } from '../documents/snapshot.repository';
import type { NewestRun } from '../runs/analysis-run.repository';

/** What there is to fold. Days are since 1970-01-01. */
export interface HistoryBefore {
  /** Of the company's first message; null where there is none. */
  readonly firstDay: number | null;
  /** Monday of the first week that a run wrote down; null before the first run. */
  readonly firstRunWeek: number | null;
  readonly campaigns: number;
  /** Tells whether a backtest is of the history that there is: another one after every change of it. */
  readonly mark: string;
  /** Mark of the backtest that stands; null where none does. */
  readonly standing: string | null;
}

const day = (column: string) => `${column} - date '1970-01-01'`;

// Weeks before the first run's: those that runs have followed are in the record already.
const BEFORE = `
  SELECT ${day('counts.first')} AS "firstDay", ${day('runs.week')} AS "firstRunWeek",
    (SELECT count(*)::int FROM campaigns WHERE company_id = $1) AS campaigns,
    concat_ws(' ', counts.first, runs.week, counts.messages, counts.replies) AS mark,
    (SELECT etag FROM snapshots WHERE company_id = $1 AND document = '${DOCUMENTS.backtest}') AS standing
  FROM (SELECT min(week) AS week FROM evidence_weeks WHERE company_id = $1 AND NOT folded_later) AS runs,
    LATERAL (SELECT min(sent_day) AS first, coalesce(sum(touches), 0) AS messages, coalesce(sum(replies), 0) AS replies
      FROM cohort_counts WHERE company_id = $1 AND sent_day < runs.week) AS counts`;

/** What was there before the first run, and what folding it found. */
@Injectable()
export class BacktestRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  async before(scope: TenantScope): Promise<HistoryBefore> {
    const { rows } = await this.database.transaction(scope, ({ client, companyId }) =>
      client.query<HistoryBefore>(BEFORE, [companyId]),
    );
    return rows[0] as HistoryBefore;
  }

  /**
   * Puts what was folded in the place of what was folded before: weeks and document, both or neither. Of a company that
   * was deleted meanwhile nothing comes back.
   */
  async keep(
    scope: TenantScope,
    { runId, dataAsOf }: Pick<NewestRun, 'runId' | 'dataAsOf'>,
    weeks: readonly EvidenceWeek[],
    document: SerialisedDocument,
    at: Date,
  ): Promise<void> {
    await this.database.transaction(scope, async (transaction) => {
      const { client, companyId } = transaction;
      const company = await client.query('SELECT FROM companies WHERE company_id = $1', [companyId]);
      if (company.rowCount === 0) return;
      await client.query('DELETE FROM evidence_weeks WHERE company_id = $1 AND folded_later', [companyId]);
      await keepWeeks(transaction, weeks, true);
      await writeDocuments(transaction, runId, dataAsOf, [document], at);
    });
  }
}
