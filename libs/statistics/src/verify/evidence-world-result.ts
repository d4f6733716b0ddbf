import type { EvidenceAssessment } from '../evidence';
import { square } from '../numerics/square';
import { type EvidenceWorld, generateEvidence } from '../testing';
import { type EvidenceMutation, replayEvidence } from './evidence-replay';

const DAYS_PER_LOOK = 14;

/** What fortnightly looks showed in many companies of one world; shares unless said otherwise. */
export interface EvidenceWorldResult {
  readonly runs: number;
  /** companies that ever saw a claim about a code without effect, outside the dimensions of planted ones */
  readonly falseConfirmed: number;
  readonly falseLikely: number;
  readonly falseAny: number;
  /** companies that ever saw another level of a planted dimension at `likely` or above */
  readonly siblings: number;
  /** directional badges, and those that were wrong: not planted, or of the wrong sign */
  readonly directional: number;
  readonly directionalWrong: number;
  /** planted codes confirmed at the last look, and ever */
  readonly power: number;
  readonly everConfirmed: number;
  /** median day of the first confirmation of a planted code; NaN without any */
  readonly medianDay: number;
  /** confirmed claims of the wrong sign */
  readonly wrongSign: number;
  /** codes whose interval ever left out the truth */
  readonly everOutside: number;
  /** mean e-value of codes without effect at the last look, over companies, and its standard error */
  readonly meanNullE: number;
  readonly meanNullESe: number;
  /** mean estimate of planted codes at the last look minus the truth */
  readonly bias: number;
}

/** What the looks at one company showed. */
export interface ClaimTally {
  confirmed: boolean;
  likely: boolean;
  any: boolean;
  sibling: boolean;
  directional: number;
  directionalWrong: number;
  wrongSign: number;
  firstDay: Map<string, number>;
  powered: number;
  missed: Set<string>;
  seen: Set<string>;
  nullE: number[];
  errors: number[];
}

const newTally = (): ClaimTally => ({
  confirmed: false,
  likely: false,
  any: false,
  sibling: false,
  directional: 0,
  directionalWrong: 0,
  wrongSign: 0,
  firstDay: new Map(),
  powered: 0,
  missed: new Set(),
  seen: new Set(),
  nullE: [],
  errors: [],
});

/** One code at one look, against what was planted. */
function tallyCode(
  tally: ClaimTally,
  { code, dimension, tier, logOr, low, high, eligible, eValue }: EvidenceAssessment,
  effects: Readonly<Record<string, number>>,
  day: number,
  isLast: boolean,
): void {
  const effect = effects[code];
  const isSibling =
    effect === undefined && Object.keys(effects).some((key) => key.startsWith(`${dimension}.`));
  const isWrong = effect === undefined || effect * logOr < 0;
  if (tier === 'directional') {
    tally.directional++;
    if (isWrong) tally.directionalWrong++;
  }
  if (tier !== null && effect === undefined && !isSibling) {
    tally.any = true;
    if (tier !== 'directional') tally.likely = true;
    if (tier === 'confirmed') tally.confirmed = true;
  }
  if (isSibling && (tier === 'likely' || tier === 'confirmed')) tally.sibling = true;
  if (effect !== undefined && tier === 'confirmed') {
    if (isWrong) tally.wrongSign++;
    if (!tally.firstDay.has(code)) tally.firstDay.set(code, day);
    if (isLast) tally.powered++;
  }
  if (!eligible || isSibling) return;
  const truth = effect ?? 0;
  tally.seen.add(code);
  if (truth < low || truth > high) tally.missed.add(code);
  if (!isLast) return;
  if (effect === undefined) tally.nullE.push(eValue);
  else tally.errors.push(logOr - effect);
}

const mean = (values: readonly number[]): number =>
  values.length > 0 ? values.reduce((a, b) => a + b, 0) / values.length : 0;

/** Replays one company of a world through its fortnightly looks. */
export function replayClaims(
  world: EvidenceWorld,
  seed: number,
  mutation: EvidenceMutation = {},
): ClaimTally {
  const effects = world.effects ?? {};
  const tally = newTally();
  replayEvidence(generateEvidence(world, seed), mutation, ({ assessments }, fortnight, isLast) => {
    const day = (fortnight + 1) * DAYS_PER_LOOK;
    for (const own of assessments) tallyCode(tally, own, effects, day, isLast);
  });
  return tally;
}

/** Sums up what companies of one world were shown. */
export function worldResult(
  { effects = {} }: EvidenceWorld,
  tallies: readonly ClaimTally[],
): EvidenceWorldResult {
  const runs = tallies.length;
  const share = (has: (tally: ClaimTally) => boolean): number => tallies.filter(has).length / runs;
  const total = (value: (tally: ClaimTally) => number): number =>
    tallies.reduce((sum, t) => sum + value(t), 0);
  const planted = Math.max(1, runs * Object.keys(effects).length);
  const days = tallies.flatMap(({ firstDay }) => [...firstDay.values()]).sort((a, b) => a - b);
  const nullE = tallies.filter((t) => t.nullE.length > 0).map((t) => mean(t.nullE));
  const meanNullE = mean(nullE);
  const variance = nullE.reduce((sum, e) => sum + square(e - meanNullE), 0) / Math.max(1, nullE.length - 1);
  return {
    runs,
    falseConfirmed: share(({ confirmed }) => confirmed),
    falseLikely: share(({ likely }) => likely),
    falseAny: share(({ any }) => any),
    siblings: share(({ sibling }) => sibling),
    directional: total((t) => t.directional),
    directionalWrong: total((t) => t.directionalWrong),
    power: total((t) => t.powered) / planted,
    everConfirmed: days.length / planted,
    medianDay: days[Math.floor(days.length / 2)] ?? NaN,
    wrongSign: total((t) => t.wrongSign),
    everOutside:
      total((t) => t.missed.size) /
      Math.max(
        1,
        total((t) => t.seen.size),
      ),
    meanNullE,
    meanNullESe: Math.sqrt(variance / Math.max(1, nullE.length)),
    bias: mean(tallies.flatMap(({ errors }) => errors)),
  };
}
