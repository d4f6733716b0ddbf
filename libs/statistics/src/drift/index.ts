export * from './assess-drift';
export type { ChannelCounts } from './channel-counts';
export { campaignTurnover } from './campaign-turnover';
export * from './change-ledger';
export {
  CHANGE_THRESHOLD,
  CHANGE_WINDOW_DAYS,
  type ChangeLook,
  FIRST_LOOK_DAYS,
  lookForChange,
} from './change-look';
export type { RateInterval } from './change-rates';
export type { ChangeScope } from './change-scope';
export * from './cohort-weight';
export { bestCut, type BestCut } from './cut-scan';
export type * from './drift-types';
export * from './mix-and-volume';
export { driftThreshold, WINDOW_DAYS as DRIFT_WINDOW_DAYS } from './threshold';
export * from './trust';
