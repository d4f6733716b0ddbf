export {
  assessPatterns,
  CONFIRMED_FDR,
  judgePatterns,
  LIKELY_FDR,
  type PatternGrounds,
} from './assess-patterns';
export { EProcess, eValue, LOG_OR_GRID, type PredictedBlock } from './e-process';
export { mantelHaenszel, type StratifiedOddsRatio } from './mantel-haenszel';
export * from './multiple-testing';
export { patternDesign, type PatternDesign } from './pattern-design';
export { PatternSums } from './pattern-sums';
export { PatternTest, type CodeEvidence } from './pattern-test';
export * from './pattern-types';
export * from './penalised-logistic';
export { sendsToDecide, type DecisionOutlook } from './sends-to-decide';
export * from './sensitivity';
export * from './shrinkage';
