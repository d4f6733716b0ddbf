import type { EvidenceWorld } from '../testing';
import { atLeast, atMost, type Check } from './check';
import type { EvidenceSimulation } from './evidence-simulation';

const s = '2 evidence';

const NOTHING: EvidenceWorld = { copy: 'template', campaignSd: 0.5, sendsPerDay: 60 };
/**
 * Campaigns of about 3,700 messages on average, and of about 15,000: the last of them have just begun. The prototype of
 * the design finds .625 (s.e. .022) and .559 (.037) in such companies; campaigns that all had so many would be found more
 * often (.72 and .70).
 */
const LARGE: EvidenceWorld = { ...NOTHING, campaigns: 12, sendsPerDay: 373, variantEffect: 0.6 };
const VERY_LARGE: EvidenceWorld = { ...NOTHING, campaigns: 12, sendsPerDay: 1_440, variantEffect: 0.3 };

/** Lines of section 2.4. */
export async function verifyVariants(
  runs: (full: number) => number,
  simulate: EvidenceSimulation,
): Promise<Check[]> {
  const [nothing, large, veryLarge] = await Promise.all([
    simulate.variants(NOTHING, runs(200), 2_700_000),
    simulate.variants(LARGE, runs(60), 2_710_000),
    simulate.variants(VERY_LARGE, runs(10), 2_720_000),
  ]);
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
