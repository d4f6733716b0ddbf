import { fitArms } from '../arms';
import { DAILY_DISCOUNT } from '../drift/cohort-weight';
import { expit } from '../numerics/logistic';
import { seededRng } from '../random';
import { generateCohorts, planCompany } from '../testing';
import { atLeast, type Check, mustFail } from './check';

const DAYS = 90;
const CHANGE_DAY = 60;
const START_DAY = 20_000;
/** About a halving of the odds. */
const SHIFT = -0.75;

interface Arm {
  share: number;
  rate: number;
  readonly before: { n: number; y: number };
  readonly after: { n: number; y: number };
}

/** Arms of one generated company whose rates fall on day 60 of 90: true rates since, and discounted counts. */
function simulateArms(seed: number, changedPosition: number | null): Arm[] {
  const model = planCompany({}, seededRng(seed));
  const isChanged = (position: number): boolean => changedPosition === null || position === changedPosition;
  const arms = new Map<string, Arm>();
  const armOf = (channel: number, position: number): Arm => {
    const key = `${channel} ${position}`;
    const arm = arms.get(key) ?? { share: 0, rate: 0, before: { n: 0, y: 0 }, after: { n: 0, y: 0 } };
    arms.set(key, arm);
    return arm;
  };
  for (const { key, share, logOdds } of model.strata) {
    const arm = armOf(key.channel, key.position);
    arm.share += share;
    arm.rate += share * expit(logOdds + (isChanged(key.position) ? SHIFT : 0));
  }
  // The same company with and without the change: each stratum is taken from the one it belongs to.
  for (const changes of [true, false]) {
    const logOddsShift = (day: number): number => (changes && day >= CHANGE_DAY ? SHIFT : 0);
    const run = { days: DAYS, startDay: START_DAY, sendsPerDay: 250, logOddsShift };
    for (const { day, stratum, totalN, totalY } of generateCohorts(model, run, seededRng(1_000 + seed))) {
      if (isChanged(stratum.position) !== changes) continue;
      const arm = armOf(stratum.channel, stratum.position);
      const age = day - START_DAY;
      const side = age >= CHANGE_DAY ? arm.after : arm.before;
      const weight = DAILY_DISCOUNT ** (DAYS - 1 - age);
      side.n += weight * totalN;
      side.y += weight * totalY;
    }
  }
  return [...arms.values()];
}

/** Share of 95 % intervals that hold the true rate since the change. */
export function coverageAfterChange(runs: number, kept: number, changedPosition: number | null): number {
  let inside = 0;
  let total = 0;
  for (let seed = 1; seed <= runs; seed++) {
    const arms = simulateArms(seed, changedPosition);
    const fit = fitArms(
      arms.map(({ before, after }) => ({ n: after.n + kept * before.n, y: after.y + kept * before.y })),
    );
    arms.forEach(({ rate, share }, i) => {
      const { low, high } = fit.arms[i] as (typeof fit.arms)[number];
      const truth = rate / share;
      inside += low <= truth && truth <= high ? 1 : 0;
      total++;
    });
  }
  return inside / total;
}

/** What the arms keep of the time before a rate drift. */
export function verifyForgetting(scale: number): Check[] {
  const runs = Math.max(20, Math.round(400 * scale));
  const line = (claim: string, kept: number, changed: number | null): Check =>
    atLeast('4 drift', claim, coverageAfterChange(runs, kept, changed), 0.93);
  return [
    line('coverage of the arms 30 days after all rates halved, older days forgotten', 0, null),
    line('the same where one position of four changed', 0, 2),
    mustFail(line('15 % of the older weight kept: all rates halved', 0.15, null)),
    mustFail(line('15 % of the older weight kept: one position changed', 0.15, 2)),
  ];
}
