import {
  DELAY_BINS_PER_DAY,
  type DefaultDelay,
  EMAIL_DELAY,
  fitDelayCurve,
  LINKEDIN_DELAY,
  maturity,
} from '../maturity/delay-curve';
import { exp } from '../numerics/exp';
import { drawBinomial, drawNormal, type Rng, seededRng } from '../random';
import { atMost, type Check, mustFail } from './check';

interface Tenant {
  readonly ageDays: number;
  readonly sendsPerDay: number;
  readonly rate: number;
  readonly medianDays: number;
  readonly sigma: number;
  readonly defaults: DefaultDelay;
}

/** A tenant of three days whose replies are quick, and one of fifteen days whose replies are slow. */
export const FAST: Tenant = {
  ageDays: 3,
  sendsPerDay: 300,
  rate: 0.05,
  medianDays: 0.5,
  sigma: 1.1,
  defaults: EMAIL_DELAY,
};
export const SLOW: Tenant = {
  ageDays: 15,
  sendsPerDay: 100,
  rate: 0.05,
  medianDays: 2,
  sigma: 1.1,
  defaults: LINKEDIN_DELAY,
};

/** Matured reply rate of one simulated tenant as estimated now: naively, and with maturity weights. */
function estimateOnce(tenant: Tenant, rng: Rng): { naive: number; weighted: number; truth: number } {
  const { defaults, ageDays } = tenant;
  let [replies, sends, eventual] = [0, 0, 0];
  const cohorts = Array.from({ length: ageDays }, (_, i) => {
    const age = i + 1;
    const repliesByDelay = new Int32Array(defaults.matureDays * DELAY_BINS_PER_DAY);
    const count = drawBinomial(rng, tenant.sendsPerDay, tenant.rate);
    for (let r = 0; r < count; r++) {
      const delayDays = tenant.medianDays * exp(tenant.sigma * drawNormal(rng));
      if (delayDays >= defaults.matureDays) continue;
      eventual++;
      const bin = Math.floor(DELAY_BINS_PER_DAY * delayDays);
      if (delayDays < age) repliesByDelay[bin] = (repliesByDelay[bin] as number) + 1;
    }
    sends += tenant.sendsPerDay;
    replies += repliesByDelay.reduce((a, b) => a + b, 0);
    return { ageDays: age, repliesByDelay };
  });
  const curve = fitDelayCurve(cohorts, defaults);
  const exposure = cohorts.reduce(
    (sum, { ageDays: age }) => sum + tenant.sendsPerDay * maturity(curve, age),
    0,
  );
  return { naive: replies / sends, weighted: replies / exposure, truth: eventual / sends };
}

/** Relative bias of the reply rate, naive and weighted, over many such tenants. */
export function simulateMaturityBias(
  tenant: Tenant,
  runs: number,
  seed: number,
): { naive: number; weighted: number } {
  let [naive, weighted, truth] = [0, 0, 0];
  for (let run = 0; run < runs; run++) {
    const estimate = estimateOnce(tenant, seededRng(seed + run));
    naive += estimate.naive;
    weighted += estimate.weighted;
    truth += estimate.truth;
  }
  return { naive: naive / truth - 1, weighted: weighted / truth - 1 };
}

/** Acceptance lines of section 0. */
export function verifyMaturity(scale: number): Check[] {
  const runs = Math.max(400, Math.round(2000 * scale));
  const fast = simulateMaturityBias(FAST, runs, 6_000_000);
  const slow = simulateMaturityBias(SLOW, runs, 6_100_000);
  const s = '0 maturity';
  return [
    atMost(s, '|relative bias| of the rate, 3-day-old tenant, fast replies', Math.abs(fast.weighted), 0.02),
    mustFail(atMost(s, 'naive rate: the same', Math.abs(fast.naive), 0.02)),
    atMost(s, '|relative bias| of the rate, 15-day-old tenant, slow replies', Math.abs(slow.weighted), 0.02),
    mustFail(atMost(s, 'naive rate: the same', Math.abs(slow.naive), 0.02)),
  ];
}
