import { bestCut } from '../drift/cut-scan';
import { dailySeries, perDay } from '../drift/daily-series';
import type { DriftCohort } from '../drift/drift-types';
import { rateChange } from '../drift/rate-drift';
import { BURN_IN_DAYS, driftThreshold, WINDOW_DAYS } from '../drift/threshold';
import { expit, logit } from '../numerics/logistic';
import { drawBinomial, drawPoisson, type Rng, seededRng } from '../random';
import { atMost, between, type Check, mustFail } from './check';

const STRATA = 12;
/** Delays of the ADWIN of MOA at the same false alarm rate, in events: measured for the design. */
const ADWIN_HALVING_EVENTS = 1430;
const ADWIN_DOUBLING_EVENTS = 372;
const ARL0_EVENTS = 20_000;

interface Stream {
  readonly sendsPerDay: number;
  /** rates of the strata on a day */
  readonly rate: (stratum: number, day: number) => number;
  readonly share: (stratum: number, day: number) => number;
}

function* days(stream: Stream, rng: Rng): Generator<DriftCohort[]> {
  for (let day = 0; ; day++) {
    const cohorts: DriftCohort[] = [];
    for (let s = 0; s < STRATA; s++) {
      const n = drawPoisson(rng, stream.sendsPerDay * stream.share(s, day));
      const y = drawBinomial(rng, n, stream.rate(s, day));
      if (n > 0)
        cohorts.push({
          day,
          stratum: { channel: 0, step: s % 3, position: Math.floor(s / 3) },
          totalN: n,
          totalY: y,
        });
    }
    yield cohorts;
  }
}

type Detector = (cohorts: readonly DriftCohort[], day: number, arl0Days: number) => boolean;

const fromDay = (day: number): number => Math.max(0, day + 1 - WINDOW_DAYS);

const standardised: Detector = (cohorts, day, arl0Days) => {
  const change = rateChange(dailySeries(cohorts, fromDay(day), day), arl0Days);
  return change.statistic > change.threshold;
};

/** The mistake: one pooled rate as the expectation, whatever the mix. */
const unstandardised: Detector = (cohorts, day, arl0Days) => {
  const series = dailySeries(cohorts, fromDay(day), day);
  const replies = perDay(series, series.y);
  const total = replies.reduce((a, b) => a + b, 0);
  return bestCut(replies, perDay(series, series.n)).statistic > driftThreshold(total / series.days, arl0Days);
};

/** First day (counted from 1) of an alarm, or null within `longest` days; alarms before `from` end the run as 'early'. */
function firstAlarm(
  stream: Stream,
  detector: Detector,
  rng: Rng,
  arl0Days: number,
  from: number,
  longest: number,
): number | null | 'early' {
  let window: DriftCohort[] = [];
  let day = 0;
  for (const cohorts of days(stream, rng)) {
    window.push(...cohorts);
    if (day % 30 === 0) window = window.filter((cohort) => cohort.day >= fromDay(day));
    if (day + 1 >= BURN_IN_DAYS && detector(window, day, arl0Days)) return day < from ? 'early' : day + 1;
    day++;
    if (day >= longest) break;
  }
  return null;
}

/** Strata whose rates differ up to fourfold around the base rate. */
const stratumRate = (base: number, stratum: number): number =>
  expit(logit(base) + 0.12 * (stratum - (STRATA - 1) / 2));
const even = (): number => 1 / STRATA;

/** Simulated mean days between false alarms over the stated one. */
export function simulateArl0(
  runs: number,
  sendsPerDay: number,
  base: number,
  arl0Days: number,
  seed: number,
): number {
  const longest = 3 * arl0Days;
  let atRisk = 0;
  let alarms = 0;
  const stream: Stream = { sendsPerDay, rate: (s) => stratumRate(base, s), share: even };
  for (let run = 0; run < runs; run++) {
    const alarm = firstAlarm(stream, standardised, seededRng(seed + run), arl0Days, 0, longest);
    atRisk += typeof alarm === 'number' ? alarm : longest;
    if (alarm !== null) alarms++;
  }
  return atRisk / Math.max(1, alarms) / arl0Days;
}

/** Mean events from a change of the base rate to its alarm, at an ARL0 of 20,000 events. */
export function simulateDelay(runs: number, factor: number, seed: number): number {
  const sendsPerDay = 60;
  const changeDay = 150;
  let events = 0;
  let detected = 0;
  const stream: Stream = {
    sendsPerDay,
    rate: (_, day) => 0.034 * (day >= changeDay ? factor : 1),
    share: even,
  };
  for (let run = 0; run < runs; run++) {
    const alarm = firstAlarm(
      stream,
      standardised,
      seededRng(seed + run),
      ARL0_EVENTS / sendsPerDay,
      changeDay,
      changeDay + 200,
    );
    if (alarm === 'early') continue;
    detected++;
    events += ((alarm ?? changeDay + 200) - changeDay) * sendsPerDay;
  }
  return events / Math.max(1, detected);
}

/** Share of runs with a rate alarm within 90 days of a pure change of mix, and without any change. */
export function simulateMixShift(
  runs: number,
  seed: number,
): { shifted: number; nominal: number; naive: number } {
  const changeDay = 90;
  const count = (shift: boolean, detector: Detector): number => {
    let alarms = 0;
    let total = 0;
    const stream: Stream = {
      sendsPerDay: 100,
      rate: (s) => expit(logit(0.05) + 0.25 * (s - (STRATA - 1) / 2)),
      share: (s, day) => (shift && day >= changeDay ? (s < STRATA / 2 ? 0.2 : 1.8) / STRATA : 1 / STRATA),
    };
    for (let run = 0; run < runs; run++) {
      const alarm = firstAlarm(stream, detector, seededRng(seed + run), 365, changeDay, changeDay + 90);
      if (alarm === 'early') continue;
      total++;
      if (alarm !== null) alarms++;
    }
    return alarms / Math.max(1, total);
  };
  return {
    shifted: count(true, standardised),
    nominal: count(false, standardised),
    naive: count(true, unstandardised),
  };
}

/** Acceptance lines of section 4. */
export function verifyDrift(scale: number): Check[] {
  const runs = Math.max(20, Math.round(800 * scale));
  const s = '4 drift';
  const mix = simulateMixShift(Math.max(20, Math.round(300 * scale)), 4_300_000);
  const rise = mix.shifted - mix.nominal;
  return [
    between(
      s,
      'simulated over stated ARL0: 60 sends a day, base 3.4 %, 365 days',
      simulateArl0(runs, 60, 0.034, 365, 4_000_000),
      0.85,
      1.15,
    ),
    between(
      s,
      'simulated over stated ARL0: 20 sends a day, base 5 %, 180 days',
      simulateArl0(runs, 20, 0.05, 180, 4_050_000),
      0.85,
      1.15,
    ),
    between(
      s,
      'simulated over stated ARL0: 300 sends a day, base 8 %, 365 days',
      simulateArl0(runs, 300, 0.08, 365, 4_100_000),
      0.85,
      1.15,
    ),
    atMost(
      s,
      'delay of a halving over the ADWIN of MOA, ARL0 20k events',
      simulateDelay(runs, 0.5, 4_150_000) / ADWIN_HALVING_EVENTS,
      0.85,
    ),
    atMost(
      s,
      'delay of a doubling over the ADWIN of MOA',
      simulateDelay(runs, 2, 4_200_000) / ADWIN_DOUBLING_EVENTS,
      1.4,
    ),
    atMost(s, 'rate alarms of a pure mix shift above nominal', rise, 0.05),
    mustFail(atMost(s, 'unstandardised detector: the same', mix.naive - mix.nominal, 0.05)),
  ];
}
