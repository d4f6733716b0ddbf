import type { ClaimRow } from './claims';

/** What the record of claims says of one code, in the data's own time. */
export interface ClaimHistory {
  readonly firstConfirmedAt?: Date;
  /** Since when it is neither confirmed nor likely, where it was. */
  readonly retractedAt?: Date;
  /** Whether messages that it rested on were erased; told by the row that ended it. */
  readonly isErased: boolean;
}

/** @param rows - of the record, each code's in their order; all of them, or nothing is known of what came before */
export function claimHistories(rows: readonly RecordedClaim[]): ReadonlyMap<string, ClaimHistory> {
  const histories = new Map<string, ClaimHistory>();
  const claimed = new Set<string>();
  for (const { code, tier, since, reason } of rows) {
    const before = histories.get(code);
    const firstConfirmedAt = before?.firstConfirmedAt ?? (tier === 'confirmed' ? since : undefined);
    const stands = tier === 'confirmed' || tier === 'likely';
    if (stands) claimed.add(code);
    const retractedAt = stands || !claimed.has(code) ? undefined : (before?.retractedAt ?? since);
    histories.set(code, {
      ...(firstConfirmedAt && { firstConfirmedAt }),
      ...(retractedAt && { retractedAt }),
      isErased: tier === 'none' && reason === 'erased',
    });
  }
  return histories;
}

export type RecordedClaim = Pick<ClaimRow, 'code' | 'number' | 'tier' | 'isUp' | 'since' | 'reason'>;
