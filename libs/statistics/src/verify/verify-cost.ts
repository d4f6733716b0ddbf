import { fitArms } from '../arms';
import { assessDrift } from '../drift';
import { assessPatterns } from '../patterns';
import { seededRng } from '../random';
import { generateCohorts, planCompany } from '../testing';
import { atMost, type Check } from './check';

/** Processor time of this process so far, in milliseconds; handed in, since this library knows no clock. */
export type CpuClock = () => number;

/** A worker is warm: the compiler has seen these loops for many companies. */
const WARM_UP = 15;
const ROUNDS = 61;

/** Processor time of a whole daily inference from counts: 12 arms, 51 codes, drift; 180 days of 60 sends. */
export function verifyCost(cpu: CpuClock): Check[] {
  const model = planCompany({ effects: { 'tone.questioning': 0.6 } }, seededRng(91));
  const cohorts = generateCohorts(model, { days: 180, sendsPerDay: 60 }, seededRng(92));
  const arms = Array.from({ length: 12 }, (_, arm) => ({ n: 900 / (arm + 1), y: 40 / (arm + 1) }));
  const once = (): number => {
    const began = cpu();
    fitArms(arms);
    assessPatterns({ cohorts, codes: model.codes });
    assessDrift({ cohorts });
    return cpu() - began;
  };
  for (let i = 0; i < WARM_UP; i++) once();
  const times = Array.from({ length: ROUNDS }, once).sort((a, b) => a - b);
  const median = times[(ROUNDS - 1) / 2] as number;
  return [atMost('cost', 'CPU ms of a daily inference: 12 arms, 51 codes, drift (median)', median, 25)];
}
