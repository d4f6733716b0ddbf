import { Inject, Injectable } from '@nestjs/common';
import { CHANNELS, type BOUNCE_KINDS, type Channel, type SUPPRESSION_REASONS } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';

export interface SuppressionEntry {
  readonly changeNo: string;
  readonly suppressionId: string;
  readonly change: 'added' | 'removed';
  readonly reason: (typeof SUPPRESSION_REASONS)[number];
  /** Null where the version before wrote the entry, too. */
  readonly bounce: (typeof BOUNCE_KINDS)[number] | null;
  readonly channel: Channel | null;
  readonly since: Date;
  readonly changedAt: Date;
  readonly recipientIds: readonly string[];
  readonly recipientSha: string | null;
  readonly addressHash: string | null;
}

/** Of who has an address, so many are named: beyond that it is a placeholder. */
const MAX_NAMES = 20;

/**
 * Statements of one snapshot. Numbers are committed in order (SuppressionList of the ingestion library), so nothing below
 * the last number of a page appears later. 2 and 3 are bounces and opt-outs.
 */
const PAGE = `
  SELECT change_no AS "changeNo", suppression_id AS "suppressionId", change, reason, bounce, channel, since,
    changed_at AS "changedAt", recipient_sha AS "recipientSha", recipient_hash AS "addressHash",
    CASE WHEN recipient_id IS NOT NULL THEN ARRAY[recipient_id]
      WHEN recipient_hash IS NULL THEN ARRAY[]::text[]
      ELSE ARRAY(SELECT DISTINCT recipient_id FROM (
        SELECT recipient_id FROM touches
        WHERE company_id = (SELECT $1::uuid) AND recipient_hash = listed.recipient_hash LIMIT 1000) AS sent
        ORDER BY recipient_id LIMIT ${MAX_NAMES}) END AS "recipientIds"
  FROM suppression_list AS listed WHERE company_id = $1 AND change_no > $2 ORDER BY change_no LIMIT $3`;

/**
 * $2 and $3 are the change that the caller has read last: in the list where its entry stands at that number still, or has
 * moved on to a higher one. In a restored backup it stands below, is not there, or the number is that of another.
 */
const STATE = `
  SELECT (SELECT coalesce(max(change_no), 0) FROM suppression_list WHERE company_id = $1) AS newest,
    EXISTS (SELECT 1 FROM suppression_list_checks WHERE company_id = $1) OR NOT (
      EXISTS (SELECT 1 FROM outcome_events WHERE company_id = $1 AND outcome IN (2, 3))
      OR EXISTS (SELECT 1 FROM suppressions WHERE company_id = $1)) AS "isMade",
    $3::uuid IS NULL OR EXISTS (
      SELECT 1 FROM suppression_list WHERE company_id = $1 AND suppression_id = $3 AND change_no >= $2)
      AND NOT EXISTS (
        SELECT 1 FROM suppression_list WHERE company_id = $1 AND change_no = $2 AND suppression_id <> $3) AS "isHere"`;

/** A change up to which a caller has read. */
export interface ReadUpTo {
  /** Of the change; 0 before the first. */
  readonly changeNo: string;
  /** Entry that it changed; undefined before the first, and in cursors of the version before. */
  readonly suppressionId?: string | undefined;
}

/** The list of those who must not be written to. */
@Injectable()
export class SuppressionListRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * @param after - the last change that the caller has
   * @returns entries after it, whether that change is one of this list, and whether the list is made at all
   */
  async page(
    scope: TenantScope,
    after: ReadUpTo,
    limit: number,
  ): Promise<{
    readonly isMade: boolean;
    readonly isContinued: boolean;
    readonly entries: readonly SuppressionEntry[];
  }> {
    return this.database.snapshot(scope, async ({ client, companyId }) => {
      const { rows: states } = await client.query<{ newest: string; isMade: boolean; isHere: boolean }>(
        STATE,
        [companyId, after.changeNo, after.suppressionId ?? null],
      );
      const [state] = states;
      const { rows } = await client.query<Omit<SuppressionEntry, 'channel'> & { channel: number | null }>(
        PAGE,
        [companyId, after.changeNo, limit],
      );
      return {
        isMade: state?.isMade ?? false,
        isContinued: state?.isHere === true && BigInt(after.changeNo) <= BigInt(state.newest),
        entries: rows.map((row) => ({ ...row, channel: CHANNELS[row.channel ?? -1] ?? null })),
      };
    });
  }
}
