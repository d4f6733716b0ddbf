import type { ClaimTier } from '../evidence';
import { type EvidenceWorld, generateEvidence } from '../testing';
import { type EvidenceMutation, replayEvidence } from './evidence-replay';

const DAYS_PER_LOOK = 14;
export const CHANGING_CODE = 'tone.4';

/** How claims follow an effect that begins or ends; days are medians over the companies that got so far. */
export interface EvidenceChangeResult {
  /** companies that ever had the effect confirmed while it was true */
  readonly confirmed: number;
  /** days from the beginning of the effect to its confirmation; Infinity where most never saw it */
  readonly daysToConfirm: number;
  /** days from the end of the effect until it is confirmed no more and stays so; Infinity where most still claim it */
  readonly daysToRetract: number;
  /** companies in which the claim fell back while the effect was still there */
  readonly fellBack: number;
  /** companies that ever saw a code of another dimension confirmed */
  readonly falseConfirmed: number;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity;

/** What the looks at one company showed. */
export interface ChangeHistory {
  /** of the changing code at each look */
  readonly tiers: readonly (ClaimTier | null)[];
  /** whether another dimension was ever confirmed */
  readonly isFalse: boolean;
}

/** @param world - with the effect of `CHANGING_CODE` from one day until another */
export function replayChange(
  world: EvidenceWorld,
  seed: number,
  mutation: EvidenceMutation = {},
): ChangeHistory {
  const tiers: (ClaimTier | null)[] = [];
  let isFalse = false;
  replayEvidence(generateEvidence(world, seed), mutation, ({ assessments }) => {
    for (const { code, dimension, tier } of assessments) {
      if (code === CHANGING_CODE) tiers.push(tier);
      else if (tier === 'confirmed' && !CHANGING_CODE.startsWith(dimension)) isFalse = true;
    }
  });
  return { tiers, isFalse };
}

/** Sums up what companies of one world were shown. */
export function changeResult(
  world: EvidenceWorld,
  histories: readonly ChangeHistory[],
): EvidenceChangeResult {
  const runs = histories.length;
  const [from, until] = [world.from ?? 0, world.until ?? Infinity];
  const toConfirm: number[] = [];
  const toRetract: number[] = [];
  let [fellBack, falseConfirmed, confirmed] = [0, 0, 0];
  for (const { tiers, isFalse } of histories) {
    if (isFalse) falseConfirmed++;
    const days = tiers.map((tier, i) => ({ day: (i + 1) * DAYS_PER_LOOK, held: tier === 'confirmed' }));
    const first = days.find(({ day, held }) => held && day > from && day <= until);
    toConfirm.push(first ? first.day - from : Infinity);
    if (!first) continue;
    confirmed++;
    if (days.some(({ day, held }) => !held && day > first.day && day <= until)) fellBack++;
    const lastHeld = days.findLast(({ held }) => held)?.day ?? first.day;
    const gone = days.find(({ day }) => day > Math.max(lastHeld, until));
    if (until < Infinity) toRetract.push(gone ? gone.day - until : Infinity);
  }
  return {
    confirmed: confirmed / runs,
    daysToConfirm: median(toConfirm),
    daysToRetract: median(toRetract),
    fellBack: fellBack / Math.max(1, confirmed),
    falseConfirmed: falseConfirmed / runs,
  };
}
