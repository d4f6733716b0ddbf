/**
 * Share of a message's replies that may be expected to have come by a given age.
 * @param channel - index into CHANNELS
 * @param age - days since sending, >= 0
 * @returns fraction in (0, 1]; 1 from the age at which the cohort counts as mature
 */
export type SettledShare = (channel: number, age: number) => number;

import { CHANNELS, MATURITY_DAYS } from '@outcomes/contracts';
import type { CohortTable } from '../cohorts/cohort-table';

export function settledShareOf(_table: CohortTable): SettledShare {
  return (channel, age) => (age >= MATURITY_DAYS[CHANNELS[channel] ?? 'email'] ? 1 : 0.5);
}
