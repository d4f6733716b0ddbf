import { codeGroups, type CodeGroup } from './contrasts';
import type { CodeSpec } from './pattern-types';

/** The codes of a catalogue, and how their tables are formed. */
export interface PatternDesign {
  readonly codes: readonly CodeSpec[];
  readonly groups: readonly CodeGroup[];
}

/**
 * Works out once how the tables of all codes are formed, for `PatternTest`, `PatternSums` and `judgePatterns`.
 *
 * Shapes: m codes in, one design of m codes out.
 * @param codes - the catalogue; level indexes >= 0
 * @returns the codes, grouped by the way in which their strata and blocks are formed
 *
 * Never throws.
 * Reference: statistics design, section 2.
 *
 * @example
 * patternDesign([{ code: 'TA-1', dimension: 'tone', levels: [0], dimensionLevels: [0, 1] }]).groups.length; // 1
 */
export function patternDesign(codes: readonly CodeSpec[]): PatternDesign {
  return { codes, groups: codeGroups(codes) };
}
