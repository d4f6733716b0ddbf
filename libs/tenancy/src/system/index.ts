export type { SystemTransaction } from '../transactions';
export * from './mint-system-scope';
export type { SystemScope, SystemSettings } from './system-scope';
