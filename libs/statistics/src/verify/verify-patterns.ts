import { seededRng } from '../random';
import { planCompany } from '../testing/company-model';
import { generateCohorts } from '../testing/generate-cohorts';
import { atLeast, atMost, type Check, mustFail } from './check';
import { pooledReruns, replayTenant } from './pattern-tenant';

/** Six true effects of 51 codes; one per dimension, both signs. */
export const PLANTED_EFFECTS: Readonly<Record<string, number>> = {
  'tone.questioning': 0.6,
  'length.50_75': 0.6,
  'subject_form.question': -0.6,
  'social_proof.present': 0.6,
  'key_phrase.quick_question': -0.6,
  'approach.referral': 0.6,
};
const BASE_RATE = 0.05;
const SENDS_PER_DAY = 60;

export interface NullResult {
  readonly anyConfirmed: number;
  readonly anyLikely: number;
  readonly meanE: number;
  readonly meanEStandardError: number;
  readonly pooledNominal: number;
  readonly pooledBh: number;
}

/** Global null with confounding: no feature matters, positions differ, feature choice follows them. */
export function simulateNull(tenants: number, days: number, seed: number, pooledTenants: number): NullResult {
  let anyConfirmed = 0;
  let anyLikely = 0;
  let pooledNominal = 0;
  let pooledBh = 0;
  const means: number[] = [];
  for (let t = 0; t < tenants; t++) {
    const rng = seededRng(seed + t);
    const model = planCompany({ baseRate: BASE_RATE, strataSpread: 0.6, strataEffects: ['position'] }, rng);
    const cohorts = generateCohorts(model, { days, sendsPerDay: SENDS_PER_DAY }, rng);
    const history = replayTenant(model, cohorts, days);
    if (history.confirmedOn.some((day) => day !== null)) anyConfirmed++;
    if (history.likelyOn.some((day) => day !== null)) anyLikely++;
    means.push(history.finalE.reduce((a, b) => a + b, 0) / history.finalE.length);
    if (t < pooledTenants) {
      const pooled = pooledReruns(model, cohorts, days);
      if (pooled.anyNominal) pooledNominal++;
      if (pooled.anyBh) pooledBh++;
    }
  }
  const meanE = means.reduce((a, b) => a + b, 0) / tenants;
  const variance = means.reduce((sum, m) => sum + (m - meanE) ** 2, 0) / Math.max(1, tenants - 1);
  return {
    anyConfirmed: anyConfirmed / tenants,
    anyLikely: anyLikely / tenants,
    meanE,
    meanEStandardError: Math.sqrt(variance / tenants),
    pooledNominal: pooledNominal / Math.max(1, pooledTenants),
    pooledBh: pooledBh / Math.max(1, pooledTenants),
  };
}

export interface PlantedResult {
  readonly power90: number;
  readonly power180: number;
  /** means over tenants of the share of false codes among those ever shown */
  readonly everFdrConfirmed: number;
  readonly everFdrLikely: number;
  /** mean estimate over true effect, minus one */
  readonly bias: number;
  readonly signErrors: number;
}

export function simulatePlanted(tenants: number, seed: number): PlantedResult {
  const days = 180;
  const effectDimensions = new Set(Object.keys(PLANTED_EFFECTS).map((key) => key.split('.')[0] as string));
  let [found90, found180, confirmedTrue, wrongSign, ratio] = [0, 0, 0, 0, 0];
  let [fdrConfirmed, fdrLikely] = [0, 0];
  const count = Object.keys(PLANTED_EFFECTS).length;
  for (let t = 0; t < tenants; t++) {
    const rng = seededRng(seed + t);
    const model = planCompany(
      { baseRate: BASE_RATE, strataSpread: 0.6, strataEffects: ['position'], effects: PLANTED_EFFECTS },
      rng,
    );
    const history = replayTenant(
      model,
      generateCohorts(model, { days, sendsPerDay: SENDS_PER_DAY }, rng),
      days,
    );
    const shown = { confirmed: 0, falseConfirmed: 0, likely: 0, falseLikely: 0 };
    model.codes.forEach(({ code, dimension }, i) => {
      const day = history.confirmedOn[i] as number | null;
      const effect = PLANTED_EFFECTS[code];
      // Levels beside a planted one differ from the rest of their dimension too, and later steps really get
      // fewer or more replies, because the features that work are chosen more often there: neither is null.
      const isNull = !effectDimensions.has(dimension) && dimension !== 'step';
      if (day !== null) shown.confirmed++;
      if (day !== null && isNull) shown.falseConfirmed++;
      if (history.likelyOn[i] !== null) shown.likely++;
      if (history.likelyOn[i] !== null && isNull) shown.falseLikely++;
      if (effect === undefined) return;
      ratio += (history.logOr[i] as number) / effect;
      if (day !== null && day <= 90) found90++;
      if (day !== null) {
        found180++;
        confirmedTrue++;
        if (Math.sign(history.logOr[i] as number) !== Math.sign(effect)) wrongSign++;
      }
    });
    fdrConfirmed += shown.falseConfirmed / Math.max(1, shown.confirmed);
    fdrLikely += shown.falseLikely / Math.max(1, shown.likely);
  }
  return {
    power90: found90 / (tenants * count),
    power180: found180 / (tenants * count),
    everFdrConfirmed: fdrConfirmed / tenants,
    everFdrLikely: fdrLikely / tenants,
    bias: Math.abs(ratio / (tenants * count) - 1),
    signErrors: wrongSign / Math.max(1, confirmedTrue),
  };
}

/** Acceptance lines of section 2. */
export function verifyPatterns(scale: number): Check[] {
  const tenants = Math.round(10_000 * scale);
  const global = simulateNull(tenants, 90, 1_000_000, Math.min(200, tenants));
  const planted = simulatePlanted(Math.round(400 * scale), 2_000_000);
  const s = '2 patterns';
  return [
    atMost(
      s,
      `global null, ${tenants} tenants x 90 reruns: P(any confirmed ever)`,
      global.anyConfirmed,
      0.02,
    ),
    atMost(s, 'global null: P(any likely ever)', global.anyLikely, 0.06),
    atMost(s, 'mean null e-value minus 3 standard errors', global.meanE - 3 * global.meanEStandardError, 1),
    mustFail(atMost(s, 'pooled z-tests, p < .05 per code: P(any ever)', global.pooledNominal, 0.02)),
    mustFail(atMost(s, 'pooled z-tests, daily BH .05: P(any ever)', global.pooledBh, 0.02)),
    atMost(s, 'planted mix: ever-FDR of confirmed', planted.everFdrConfirmed, 0.05),
    atMost(s, 'planted mix: ever-FDR of likely', planted.everFdrLikely, 0.1),
    atLeast(s, 'power by day 90, 6 x |log OR| .6 of 51, 60 sends a day (confirmed)', planted.power90, 0.4),
    atLeast(s, 'power by day 180', planted.power180, 0.7),
    atMost(s, 'Mantel-Haenszel relative bias', planted.bias, 0.03),
    atMost(s, 'sign errors among confirmed', planted.signErrors, 0.005),
  ];
}
