import {
  levelIndexesOf,
  PATTERN_CATALOGUE,
  type PatternDefinition,
  type PatternEvidence,
} from '@outcomes/contracts';
import { judgePatterns, type PatternAssessment } from '@outcomes/statistics';
import type { CohortTable } from '../cohorts/cohort-table';
import { rounded } from '../documents/rounding';
import { pooledRates } from '../rates/rate-estimates';
import { PATTERN_DESIGN } from './pattern-design';
import type { PatternFinding } from './pattern-finding';
import type { Confirmations } from './pattern-records';

/** A few messages that were not assigned at random change no estimate much. */
const RANDOMIZED_SHARE = 0.95;

const PATTERN_OF_CODE: ReadonlyMap<string, PatternDefinition> = new Map(
  PATTERN_CATALOGUE.map((pattern) => [pattern.code, pattern]),
);

/**
 * What the mature cohorts say of every code that has evidence, strongest first, and of the codes that were shown as
 * confirmed before, whatever is left of them.
 */
export function patternFindings(table: CohortTable, earlier: Confirmations): PatternFinding[] {
  const assessments = judgePatterns(PATTERN_DESIGN, { tests: table.patternTests, sums: table.patternSums });
  return assessments.flatMap((assessment) => {
    const pattern = PATTERN_OF_CODE.get(assessment.code);
    const isShown = assessment.tier > 0 || earlier.has(assessment.code);
    return pattern && isShown ? [finding(pattern, assessment, basisOf(pattern, table))] : [];
  });
}

/** Whether nearly all messages that are compared were assigned at random. */
function basisOf({ dimension }: PatternDefinition, table: CohortTable): PatternEvidence['basis'] {
  let [messages, randomized] = [0, 0];
  for (const level of levelIndexesOf(dimension)) {
    for (const { touches } of table.matureLevels) messages += touches[level] ?? 0;
    for (const { touches } of table.youngLevels) messages += touches[level] ?? 0;
    randomized += table.levelRandomized[level] ?? 0;
  }
  return messages > 0 && randomized >= RANDOMIZED_SHARE * messages ? 'randomized' : 'observational';
}

function finding(
  pattern: PatternDefinition,
  assessment: PatternAssessment,
  basis: PatternEvidence['basis'],
): PatternFinding {
  const { n, y, nOther, yOther } = assessment;
  const [withRate, withoutRate] = pooledRates([
    { messages: n, settled: n, replies: y },
    { messages: nOther, settled: nOther, replies: yOther },
  ]);
  const nothing = { value: null, ci_low: null, ci_high: null, n: 0 };
  return {
    pattern,
    tier: assessment.tier,
    evidence: {
      e_value: rounded(assessment.eValue),
      odds_ratio: rounded(Math.exp(assessment.logOr)),
      odds_ratio_low: rounded(Math.exp(assessment.low)),
      odds_ratio_high: rounded(Math.exp(assessment.high)),
      probability_positive: rounded(assessment.probabilityPositive),
      lift: rounded(assessment.lift),
      with_rate: withRate ?? nothing,
      without_rate: withoutRate ?? nothing,
      confounding_e_value: rounded(assessment.sensitivity.estimate),
      sends_to_decide: assessment.sendsToDecide,
      basis,
    },
    liftLow: liftAt(assessment.low, assessment.withoutRate),
    liftHigh: liftAt(assessment.high, assessment.withoutRate),
  };
}

/** Relative change of the reply rate that a log odds ratio makes of the rate without the pattern. */
function liftAt(logOr: number, withoutRate: number): number {
  const oddsRatio = Math.exp(logOr);
  return oddsRatio / (1 + (oddsRatio - 1) * withoutRate) - 1;
}
