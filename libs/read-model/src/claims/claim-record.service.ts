import { Inject, Injectable } from '@nestjs/common';
import {
  concernsClaims,
  DOCUMENTS,
  type BacktestDocument,
  type ClaimRecord,
  type EvidencePath,
} from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { parseSnapshot } from '../snapshots/parse-snapshot';
import { SnapshotRepository } from '../snapshots/snapshot.repository';
import { evidenceWeeks, recordedClaims, type ClaimRow } from './claim.repository';

/** Rows that one answer lists: of claims, some ten changes of every code. */
const MAX_LISTED = 500;
/** Weeks that one answer lists: ten years. */
const MAX_WEEKS = 520;
/** What no code can be is looked for nowhere; Postgres takes no NUL in texts. */
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
   * The record's rows about claims, newest first, each with what was claimed of the code before it. Hints come and go
   * so often that claims of long ago would not be listed beside them.
   * @param code - that it is about; all codes where not given
   * @param withHints - whether rows about hints alone are listed, too
   */
  async of(scope: TenantScope, code?: string, withHints = false): Promise<ClaimRecord> {
    if (code !== undefined && !CODE.test(code)) return { total: 0, hints: 0, standing: [], claims: [] };
    const rows = await this.database.transaction(scope, (transaction) => recordedClaims(transaction, code));
    const claims = rows.filter(concernsClaims);
    const asked = withHints ? rows : claims;
    return {
      total: asked.length,
      hints: rows.length - claims.length,
      standing: standingOf(rows),
      claims: asked.slice(0, MAX_LISTED).map((row) => ({
        ...row,
        since: row.since.toISOString(),
        recordedAt: row.recordedAt?.toISOString() ?? null,
      })),
    };
  }

  /** How the evidence about a code stood, week by week; of a week with a run, what that found. */
  async pathOf(scope: TenantScope, code: string): Promise<EvidencePath> {
    if (!CODE.test(code)) return { code, weeks: [] };
    const weeks = await this.database.transaction(scope, (transaction) =>
      evidenceWeeks(transaction, code, MAX_WEEKS),
    );
    return { code, weeks };
  }
}

/** The newest row of every code. @param rows - newest first */
function standingOf(rows: readonly ClaimRow[]): ClaimRecord['standing'] {
  const newest = new Map<string, ClaimRow>();
  for (const row of rows) if (!newest.has(row.code)) newest.set(row.code, row);
  return [...newest.values()].map(({ code, tier, since }) => ({ code, tier, since: since.toISOString() }));
}
