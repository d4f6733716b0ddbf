import { DAY_MS } from '@outcomes/contracts';
import type { EvidenceAssessment } from '@outcomes/statistics';
import { DAYS_PER_WEEK, isoDay } from '../cohorts/days';
import { claimsToAppend, type ClaimRow } from '../evidence/claims';
import { evidenceWeeks, type EvidenceWeek } from '../evidence/evidence-weeks';
import type { EvidenceSource } from '../evidence/evidence-source';
import { readEvidence } from '../evidence/read-evidence';
import { RememberedEvidence } from './remembered-evidence';

/** What would have been found in some weeks, and claimed. */
export interface FoldedWeeks {
  readonly weeks: readonly EvidenceWeek[];
  /** As a record of claims would have them, each code's in their order. */
  readonly claims: readonly ClaimRow[];
}

/**
 * Judges a company's counts as of the end of each week, one after the other, as runs would have: each week reads what
 * has matured since the one before. Texts and replies are those that are known today; which fortnights count is decided
 * by the week.
 * @param sourceOn - the counts, for a day up to which outcomes are known
 * @param mondays - first days of the weeks, since 1970-01-01, ascending
 */
export async function foldWeeks(
  sourceOn: (observedUntil: number) => Pick<EvidenceSource, 'registry' | 'rows' | 'strata'>,
  mondays: readonly number[],
): Promise<FoldedWeeks> {
  const remembered = new RememberedEvidence();
  const [weeks, claims]: [EvidenceWeek[], ClaimRow[]] = [[], []];
  const standing = new Map<string, ClaimRow>();
  for (const monday of mondays) {
    const sunday = monday + DAYS_PER_WEEK - 1;
    const { assessments, notes } = await readEvidence(remembered.over(sourceOn(sunday), sunday), sunday);
    remembered.keep(notes);
    weeks.push(...evidenceWeeks(assessments, isoDay(monday)));
    for (const row of claimsOn(sunday, assessments, standing)) {
      claims.push(row);
      standing.set(row.code, row);
    }
  }
  return { weeks, claims };
}

function claimsOn(
  day: number,
  assessments: readonly EvidenceAssessment[],
  standing: ReadonlyMap<string, ClaimRow>,
): ClaimRow[] {
  const dataAsOf = new Date(day * DAY_MS);
  return claimsToAppend([...standing.values()], { assessments, dataAsOf, afterErasure: false });
}
