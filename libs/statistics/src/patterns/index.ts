export { assessPatterns, CONFIRMED_FDR, LIKELY_FDR } from './assess-patterns';
export { EProcess, eValue, LOG_OR_GRID, type PredictedBlock } from './e-process';
export { mantelHaenszel, type StratifiedOddsRatio } from './mantel-haenszel';
export * from './multiple-testing';
export * from './pattern-types';
export * from './penalised-logistic';
export { sendsToDecide, type DecisionOutlook } from './sends-to-decide';
export * from './sensitivity';
export * from './shrinkage';
