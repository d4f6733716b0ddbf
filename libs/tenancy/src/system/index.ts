export type { SystemTransaction } from '../transactions';
export * from './mint-system-scope';
export type * from './system-scope';
