import { assessVariants } from '../evidence';
import { type EvidenceWorld, generateEvidence } from '../testing';

/** What fortnightly looks at the variants of many companies showed. */
export interface VariantResult {
  /** companies that ever saw a false confirmation, or a false claim of `likely` or above */
  readonly falseConfirmed: number;
  readonly falseLikely: number;
  /** campaigns with an effect in which it was ever confirmed, and their messages at the end */
  readonly found: number;
  readonly messages: number;
  readonly wrongSign: number;
  /** variants whose interval ever left out the truth */
  readonly everOutside: number;
  readonly directional: number;
  readonly directionalWrong: number;
}

/** What the looks at the variants of one company showed. */
export interface VariantTally {
  isFalse: boolean;
  isLikelyFalse: boolean;
  /** campaigns with an effect, those of them in which it was ever confirmed, and their messages */
  planted: number;
  found: number;
  messages: number;
  wrongSign: number;
  directional: number;
  directionalWrong: number;
  /** variants, and those whose interval ever left out the truth */
  seen: number;
  missed: number;
}

/** Looks at one company fortnight by fortnight. */
export function replayVariants(world: EvidenceWorld, seed: number): VariantTally {
  const company = generateEvidence(world, seed);
  const found = new Set<number>();
  const outside = new Set<string>();
  const variants = new Set<string>();
  const sends = new Map<number, number>();
  const tally: VariantTally = {
    ...{ isFalse: false, isLikelyFalse: false, planted: 0, found: 0, messages: 0, wrongSign: 0 },
    ...{ directional: 0, directionalWrong: 0, seen: 0, missed: 0 },
  };
  for (let fortnight = 0; fortnight < company.fortnights; fortnight++) {
    sends.clear();
    for (const own of assessVariants(company.variantCounts(fortnight))) {
      const planted = company.variantEffects[own.campaign] ?? 0;
      const truth = own.variant === 'v0' ? planted : -planted;
      sends.set(own.campaign, (sends.get(own.campaign) ?? 0) + own.n);
      variants.add(`${own.campaign} ${own.variant}`);
      if (truth < own.low || truth > own.high) outside.add(`${own.campaign} ${own.variant}`);
      if (own.tier === null) continue;
      const isWrong = truth * own.logOr <= 0;
      if (own.tier === 'directional') {
        tally.directional++;
        if (isWrong) tally.directionalWrong++;
      } else if (truth === 0) tally.isLikelyFalse = true;
      if (own.tier !== 'confirmed') continue;
      if (truth === 0) tally.isFalse = true;
      else if (isWrong) tally.wrongSign++;
      else found.add(own.campaign);
    }
  }
  company.variantEffects.forEach((effect, campaign) => {
    if (effect === 0 || !sends.has(campaign)) return;
    tally.planted++;
    tally.messages += sends.get(campaign) as number;
    if (found.has(campaign)) tally.found++;
  });
  return { ...tally, seen: variants.size, missed: outside.size };
}

/** Sums up what companies of one world were shown. */
export function variantResult(tallies: readonly VariantTally[]): VariantResult {
  const total = (of: (tally: VariantTally) => number): number =>
    tallies.reduce((sum, own) => sum + of(own), 0);
  const runs = tallies.length;
  const planted = Math.max(
    1,
    total((own) => own.planted),
  );
  return {
    falseConfirmed: total(({ isFalse }) => Number(isFalse)) / runs,
    falseLikely: total(({ isLikelyFalse }) => Number(isLikelyFalse)) / runs,
    found: total(({ found }) => found) / planted,
    messages: total(({ messages }) => messages) / planted,
    wrongSign: total(({ wrongSign }) => wrongSign),
    everOutside:
      total(({ missed }) => missed) /
      Math.max(
        1,
        total(({ seen }) => seen),
      ),
    directional: total(({ directional }) => directional),
    directionalWrong: total(({ directionalWrong }) => directionalWrong),
  };
}
