export { type ChannelCounts, rowFrom } from './channel-counts';
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
export { LEAST_REPLIES, LEAST_SEND_DAYS } from './window-residuals';
export type { ChangeScope } from './change-scope';
export * from './mix-and-volume';
export * from './trust';
