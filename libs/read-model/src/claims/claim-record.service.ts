import { Inject, Injectable } from '@nestjs/common';
import {
  DOCUMENTS,
  type BacktestDocument,
  type RecordedClaim,
  type ClaimRecord,
  type EvidenceOfWeek,
  type EvidencePath,
} from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { parseSnapshot } from '../snapshots/parse-snapshot';
import { SnapshotRepository } from '../snapshots/snapshot.repository';

/** Rows that one answer lists: some ten changes of every code. */
const MAX_LISTED = 500;
/** Weeks that one answer lists: ten years. */
const MAX_WEEKS = 520;
const CODE = /^[A-Z]+-\d+$/;

type Row = Omit<RecordedClaim, 'since' | 'recordedAt'> & {
  readonly since: Date;
  readonly recordedAt: Date | null;
};

/** Everything that was ever claimed, and what became of it. */
@Injectable()
export class ClaimRecords {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(SnapshotRepository) private readonly snapshots: SnapshotRepository,
  ) {}

  /** What would have been claimed of history that was brought, had it been followed; null before it was folded. */
  async backtest(scope: TenantScope): Promise<BacktestDocument | null> {
    return parseSnapshot<BacktestDocument>(await this.snapshots.find(scope, DOCUMENTS.backtest)) ?? null;
  }

  /**
   * The record's rows, newest first, each with what was claimed of the code before it.
   * @param code - that it is about; all codes where not given
   */
  async of(scope: TenantScope, code?: string): Promise<ClaimRecord> {
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const { rows } = await client.query<Row>(
        `SELECT code, number, tier, lag(tier) OVER (PARTITION BY code ORDER BY number) AS "previousTier",
           is_up AS "isMore", since, recorded_at AS "recordedAt", reason, goes_with AS "goesWith",
           odds_ratio AS "oddsRatio", odds_ratio_low AS "oddsRatioLow", odds_ratio_high AS "oddsRatioHigh", messages
         FROM claims WHERE company_id = $1 AND ($2::text IS NULL OR code = $2)
         ORDER BY since DESC, code, number DESC`,
        [companyId, code ?? null],
      );
      return {
        total: rows.length,
        claims: rows.slice(0, MAX_LISTED).map((row) => ({
          ...row,
          since: row.since.toISOString(),
          recordedAt: row.recordedAt?.toISOString() ?? null,
        })),
      };
    });
  }

  /** How the evidence about a code stood, week by week; of a week with a run, what that found. */
  async pathOf(scope: TenantScope, code: string): Promise<EvidencePath> {
    // What no code can be is looked for nowhere; Postgres takes no NUL in texts.
    if (!CODE.test(code)) return { code, weeks: [] };
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const { rows } = await client.query<EvidenceOfWeek>(
        `SELECT * FROM (
           SELECT DISTINCT ON (week) week::text, folded_later AS "foldedLater", tier, log_e AS "logE",
             log_limit AS "logLimit", odds_ratio AS "oddsRatio", odds_ratio_low AS "oddsRatioLow",
             odds_ratio_high AS "oddsRatioHigh", messages
           FROM evidence_weeks WHERE company_id = $1 AND code = $2
           ORDER BY week DESC, folded_later LIMIT $3) AS newest
         ORDER BY week`,
        [companyId, code, MAX_WEEKS],
      );
      return { code, weeks: rows };
    });
  }
}
