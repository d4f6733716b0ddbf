import { CHANNELS, MATURITY_DAYS, type Channel } from '@outcomes/contracts';
import {
  DELAY_BINS_PER_DAY,
  EMAIL_DELAY,
  fitDelayCurve,
  LINKEDIN_DELAY,
  maturity,
  type DefaultDelay,
  type DelayCohort,
} from '@outcomes/statistics';
import type { CohortTable } from '../cohorts/cohort-table';

/**
 * Share of a message's replies that may be expected to have come by a given age.
 * @param channel - index into CHANNELS
 * @param age - days between the send day and the newest one, >= 0
 * @returns fraction in [0, 1]; 1 from the age at which the cohort counts as mature
 */
export type SettledShare = (channel: number, age: number) => number;

const USUAL_DELAYS: Readonly<Record<Channel, DefaultDelay>> = {
  email: { ...EMAIL_DELAY, matureDays: MATURITY_DAYS.email },
  linkedin: { ...LINKEDIN_DELAY, matureDays: MATURITY_DAYS.linkedin },
};

/** The company's own curve of reply delays per channel, leaning on the channel's usual one while it is young. */
export function settledShareOf(table: CohortTable): SettledShare {
  const shares = CHANNELS.map((channel, index) => {
    const usual = USUAL_DELAYS[channel];
    const curve = fitDelayCurve(delaysByAge(table, index, usual.matureDays), usual);
    return Array.from({ length: usual.matureDays }, (_, age) => {
      // Messages are sent throughout their day: half a day more has passed since, on average, than whole days say.
      return (maturity(curve, age) + maturity(curve, age + 1)) / 2;
    });
  });
  return (channel, age) => shares[channel]?.[age] ?? 1;
}

/** Replies by delay, for each age; all mature cohorts are of one age. */
function delaysByAge(table: CohortTable, channel: number, matureDays: number): DelayCohort[] {
  const young = table.youngDelays
    .filter((one) => one.channel === channel)
    .map(({ day, delays }) => delayCohort(table.observedUntil - day, delays, matureDays));
  const mature = table.matureDelays[channel] ?? new Float64Array(0);
  return [delayCohort(matureDays, mature, matureDays), ...young];
}

/** Delays are counted in days; within a day they are taken as spread evenly. */
function delayCohort(ageDays: number, delays: Float64Array, matureDays: number): DelayCohort {
  const repliesByDelay = Array.from(
    { length: matureDays * DELAY_BINS_PER_DAY },
    (_, bin) => (delays[Math.floor(bin / DELAY_BINS_PER_DAY)] ?? 0) / DELAY_BINS_PER_DAY,
  );
  return { ageDays, repliesByDelay };
}
