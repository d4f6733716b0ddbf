import { assessVariants } from '../evidence';
import { type EvidenceWorld, generateEvidence } from '../testing';
import { atLeast, atMost, type Check } from './check';

const s = '2 evidence';

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

export function simulateVariants(world: EvidenceWorld, runs: number, seed: number): VariantResult {
  const sum = { falseConfirmed: 0, falseLikely: 0, found: 0, planted: 0, messages: 0, wrongSign: 0 };
  const badges = { all: 0, wrong: 0 };
  let [seen, missed] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const company = generateEvidence(world, seed + run);
    const found = new Set<number>();
    const outside = new Set<string>();
    const variants = new Set<string>();
    const sends = new Map<number, number>();
    let [isFalse, isLikelyFalse] = [false, false];
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
          badges.all++;
          if (isWrong) badges.wrong++;
        } else if (truth === 0) isLikelyFalse = true;
        if (own.tier !== 'confirmed') continue;
        if (truth === 0) isFalse = true;
        else if (isWrong) sum.wrongSign++;
        else found.add(own.campaign);
      }
    }
    if (isFalse) sum.falseConfirmed++;
    if (isLikelyFalse) sum.falseLikely++;
    company.variantEffects.forEach((effect, campaign) => {
      if (effect === 0 || !sends.has(campaign)) return;
      sum.planted++;
      sum.messages += sends.get(campaign) as number;
      if (found.has(campaign)) sum.found++;
    });
    seen += variants.size;
    missed += outside.size;
  }
  const planted = Math.max(1, sum.planted);
  return {
    falseConfirmed: sum.falseConfirmed / runs,
    falseLikely: sum.falseLikely / runs,
    found: sum.found / planted,
    messages: sum.messages / planted,
    wrongSign: sum.wrongSign,
    everOutside: missed / Math.max(1, seen),
    directional: badges.all,
    directionalWrong: badges.wrong,
  };
}

const NOTHING: EvidenceWorld = { copy: 'template', campaignSd: 0.5, sendsPerDay: 60 };
/** Campaigns of about 3,700 messages on average, and of about 15,000: the last of them have just begun. */
const LARGE: EvidenceWorld = { ...NOTHING, campaigns: 12, sendsPerDay: 373, variantEffect: 0.6 };
const VERY_LARGE: EvidenceWorld = { ...NOTHING, campaigns: 12, sendsPerDay: 1_440, variantEffect: 0.3 };

/** Lines of section 2.4. */
export function verifyVariants(runs: (full: number) => number): Check[] {
  const nothing = simulateVariants(NOTHING, runs(200), 2_700_000);
  const large = simulateVariants(LARGE, runs(60), 2_710_000);
  const veryLarge = simulateVariants(VERY_LARGE, runs(10), 2_720_000);
  return [
    atMost(s, 'variants without effect: ever confirmed', nothing.falseConfirmed, 0.01),
    atMost(s, 'the same: ever likely or above', nothing.falseLikely, 0.06),
    atLeast(s, `.6 confirmed, campaigns of ${Math.round(large.messages)} messages`, large.found, 0.55),
    atLeast(s, `.3 confirmed, campaigns of ${Math.round(veryLarge.messages)} messages`, veryLarge.found, 0.5),
    atMost(s, 'confirmed variants of the wrong sign', large.wrongSign + veryLarge.wrongSign, 0),
    atMost(
      s,
      'intervals of variants that ever left out the truth',
      Math.max(nothing.everOutside, large.everOutside),
      0.05,
    ),
    atMost(
      s,
      'directional variants that are wrong',
      large.directionalWrong / Math.max(1, large.directional),
      0.5,
    ),
  ];
}
