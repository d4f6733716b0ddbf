import { Inject, Injectable } from '@nestjs/common';
import { DOCUMENTS, type BacktestDocument, type ClaimRecord, type EvidencePath } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { parseSnapshot } from '../snapshots/parse-snapshot';
import { SnapshotRepository } from '../snapshots/snapshot.repository';
import { evidenceWeeks, recordedClaims } from './claim.repository';

/** Rows that one answer lists: some ten changes of every code. */
const MAX_LISTED = 500;
/** Weeks that one answer lists: ten years. */
const MAX_WEEKS = 520;
const CODE = /^[A-Z]+-\d+$/;

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
    const rows = await this.database.transaction(scope, (transaction) => recordedClaims(transaction, code));
    return {
      total: rows.length,
      claims: rows.slice(0, MAX_LISTED).map((row) => ({
        ...row,
        since: row.since.toISOString(),
        recordedAt: row.recordedAt?.toISOString() ?? null,
      })),
    };
  }

  /** How the evidence about a code stood, week by week; of a week with a run, what that found. */
  async pathOf(scope: TenantScope, code: string): Promise<EvidencePath> {
    // What no code can be is looked for nowhere; Postgres takes no NUL in texts.
    if (!CODE.test(code)) return { code, weeks: [] };
    const weeks = await this.database.transaction(scope, (transaction) =>
      evidenceWeeks(transaction, code, MAX_WEEKS),
    );
    return { code, weeks };
  }
}
