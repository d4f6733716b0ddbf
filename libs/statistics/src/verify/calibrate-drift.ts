import { bestCut } from '../drift/cut-scan';
import { BURN_IN_DAYS, WINDOW_DAYS } from '../drift/threshold';
import { drawGamma, drawPoisson, seededRng } from '../random';

const SEED = 20240503;
const ARL0_DAYS = [90, 180, 365, 730, 1460];
const EVENTS_PER_DAY = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 51.2];
const LONGEST = 3000;
/** Daily volumes vary by a third. */
const DAY_SHAPE = 9;
const LEVELS = Array.from({ length: 200 }, (_, i) => 1.5 + i * 0.05);

/** Mean run length to a first alarm at every level: days at risk over alarms, from censored runs. */
function runLengths(eventsPerDay: number, runs: number): number[] {
  const atRisk = new Float64Array(LEVELS.length);
  const alarms = new Float64Array(LEVELS.length);
  for (let run = 0; run < runs; run++) {
    const rng = seededRng(SEED + run * 7919 + Math.round(eventsPerDay * 1000) * 104_729);
    const counts = new Float64Array(LONGEST);
    const expected = new Float64Array(LONGEST);
    let reached = 0; // levels below this index have alarmed
    for (let day = 0; day < LONGEST; day++) {
      // Real days differ in volume. With equal days the statistic would sit on a lattice (a day without
      // replies scores exactly its expectation), and thresholds could not be interpolated between rates.
      expected[day] = (eventsPerDay * drawGamma(rng, DAY_SHAPE)) / DAY_SHAPE;
      counts[day] = drawPoisson(rng, expected[day] as number);
      if (day + 1 < BURN_IN_DAYS) continue;
      const from = Math.max(0, day + 1 - WINDOW_DAYS);
      const { statistic } = bestCut(counts.subarray(from, day + 1), expected.subarray(from, day + 1));
      while (reached < LEVELS.length && statistic > (LEVELS[reached] as number)) {
        alarms[reached] = (alarms[reached] as number) + 1;
        atRisk[reached] = (atRisk[reached] as number) + day + 1;
        reached++;
      }
    }
    for (let level = reached; level < LEVELS.length; level++)
      atRisk[level] = (atRisk[level] as number) + LONGEST;
  }
  return LEVELS.map((_, level) =>
    (alarms[level] as number) > 0 ? (atRisk[level] as number) / (alarms[level] as number) : Infinity,
  );
}

/** Level at which the logarithm of the run length crosses the wanted one. */
function levelFor(lengths: readonly number[], wanted: number): number {
  const above = lengths.findIndex((length) => length >= wanted);
  if (above <= 0) return LEVELS[Math.max(0, above)] as number;
  const low = Math.log(lengths[above - 1] as number);
  const high = Math.log(Math.min(lengths[above] as number, wanted * 4));
  return (LEVELS[above - 1] as number) + ((Math.log(wanted) - low) / (high - low)) * 0.05;
}

/** The content of src/drift/drift-thresholds.json, which libs/statistics/calibrate.mjs writes (some minutes). */
export function calibrateDrift(runs: number, print: (line: string) => void): Record<string, unknown> {
  const thresholds = EVENTS_PER_DAY.map((eventsPerDay) => {
    const lengths = runLengths(eventsPerDay, runs);
    const row = ARL0_DAYS.map((wanted) => Number(levelFor(lengths, wanted).toFixed(4)));
    print(`${eventsPerDay} events a day: ${row.join(' ')}`);
    return row;
  });
  return {
    madeBy: 'calibrate.mjs',
    seed: SEED,
    runs,
    windowDays: WINDOW_DAYS,
    burnInDays: BURN_IN_DAYS,
    arl0Days: ARL0_DAYS,
    eventsPerDay: EVENTS_PER_DAY,
    thresholds,
  };
}
