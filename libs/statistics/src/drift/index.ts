export * from './assess-drift';
export * from './cohort-weight';
export { bestCut, type BestCut } from './cut-scan';
export type * from './drift-types';
export { driftThreshold, WINDOW_DAYS as DRIFT_WINDOW_DAYS } from './threshold';
