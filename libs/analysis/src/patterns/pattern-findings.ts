import {
  DIMENSIONS,
  LEVEL_COUNT,
  levelIndex,
  levelIndexesOf,
  PATTERN_CATALOGUE,
  type Dimension,
  type PatternDefinition,
} from '@outcomes/contracts';
import { assessPatterns, type CodeSpec, type Cohort, type PatternAssessment } from '@outcomes/statistics';
import type { CohortTable, TestedReplies } from '../cohorts/cohort-table';
import { rounded } from '../documents/rounding';
import { pooledRates } from '../rates/rate-estimates';
import type { PatternFinding } from './pattern-finding';
import type { Confirmations } from './pattern-records';

const REPLACES: ReadonlyMap<string, Dimension['replaces']> = new Map(
  DIMENSIONS.map((dimension: Dimension) => [dimension.name, dimension.replaces]),
);

const CODES: readonly CodeSpec[] = PATTERN_CATALOGUE.map(({ code, dimension, level }) => {
  const replaces = REPLACES.get(dimension);
  return {
    code,
    dimension,
    levels: [levelIndex(dimension, level)],
    dimensionLevels: levelIndexesOf(dimension),
    ...(replaces !== undefined && { stratumDrops: replaces }),
    // All messages of a send day have one weekday, so that a block of a single day compares nothing.
    ...(dimension === 'weekday' && { blocks: 'week' as const }),
  };
});
const PATTERN_OF_CODE: ReadonlyMap<string, PatternDefinition> = new Map(
  PATTERN_CATALOGUE.map((pattern) => [pattern.code, pattern]),
);

/**
 * What the mature cohorts say of every code that has evidence, strongest first, and of the codes that were shown as
 * confirmed before, whatever is left of them.
 */
export function patternFindings(table: CohortTable, earlier: Confirmations): PatternFinding[] {
  const assessments = assessPatterns({
    cohorts: cohortsOf(table, table.tested),
    ...(table.tested.size > 0 && { estimateCohorts: cohortsOf(table, new Map()) }),
    codes: CODES,
  });
  return assessments.flatMap((assessment) => {
    const pattern = PATTERN_OF_CODE.get(assessment.code);
    const isShown = assessment.tier > 0 || earlier.has(assessment.code);
    return pattern && isShown ? [finding(pattern, assessment)] : [];
  });
}

/** Mature cohorts over the table's own memory, with other replies for some rows. */
function cohortsOf(table: CohortTable, replies: ReadonlyMap<number, TestedReplies>): Cohort[] {
  const cohorts: Cohort[] = [];
  for (let row = 0; row < table.size; row += 1) {
    if (!table.isMature(row)) continue;
    const [from, to] = [row * LEVEL_COUNT, (row + 1) * LEVEL_COUNT];
    cohorts.push({
      day: table.day[row] ?? 0,
      stratum: {
        channel: table.channel[row] ?? 0,
        step: table.step[row] ?? 0,
        position: table.position[row] ?? 0,
      },
      totalN: table.touches[row] ?? 0,
      totalY: replies.get(row)?.replies ?? table.replies[row] ?? 0,
      n: table.levelTouches.subarray(from, to),
      y: replies.get(row)?.levelReplies ?? table.levelReplies.subarray(from, to),
    });
  }
  return cohorts;
}

function finding(pattern: PatternDefinition, assessment: PatternAssessment): PatternFinding {
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
      basis: 'observational',
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
