import { exp } from '../numerics/exp';
import { log } from '../numerics/log';
import { confirmedAtLogE, FALSE_SHARE, type ClaimTier } from './claim-tiers';
import { type FeatureTotals, featureTotals, levelTotals } from './company-totals';
import { type EffectEstimate, estimateEffect, liftOf, tierBorneOut } from './effect-estimate';
import type { EvidenceAssessment, NoClaimReason } from './evidence-assessment';
import type { DimensionKind, EvidenceCode, EvidenceDesign, Feature } from './evidence-design';
import { type FeatureEvidence, servedEvidence, type ServedEvidence } from './feature-evidence';
import type { EvidenceGrounds } from './evidence-grounds';
import type { JudgedCode } from './judge-evidence';
import { sendsOfTrial, sendsToConfirm } from './sends-to-confirm';
import { NO_SIDES, NO_SUPPORT } from './unit-evidence';

const LOG_20 = log(20);
/** e^690 is about 1e300. */
const LARGEST_LOG_E = 690;

/** How many codes take part in the multiple testing, and how many of them are confirmed. */
export interface Competition {
  readonly taking: number;
  readonly confirmed: number;
}

interface Sides {
  readonly n: number;
  readonly y: number;
  readonly nOther: number;
  readonly yOther: number;
}

/** Messages and replies on both sides; fortnights without any are those before the first. */
function sidesOf({ design, basis }: EvidenceGrounds, feature: Feature, since: number): Sides {
  const { totals, asOf } = basis;
  const own = levelTotals(design, totals, [feature.level], since, asOf);
  const others = design.contrasts[feature.contrast]?.others ?? [];
  const rest = levelTotals(design, totals, others, since, asOf);
  return { n: own.n, y: own.y, nOther: rest.n, yOther: rest.y };
}

function reasonFor(
  kind: DimensionKind,
  { n, nOther }: Sides,
  { compared }: FeatureTotals,
  { eligible, goesWith }: JudgedCode,
  { change, logE }: FeatureEvidence,
): NoClaimReason {
  if (n === 0) return 'no_data';
  // Also of first messages alone: no others would make it a claim.
  if (kind === 'step') return 'survivors';
  if (nOther === 0) return 'no_data';
  if (compared === 0) return 'varies_between_campaigns';
  if (!eligible) return 'few_texts';
  // Without the stronger code there would be evidence.
  if (goesWith !== null && logE >= log(1 / FALSE_SHARE.likely)) return 'goes_with';
  return change ? 'changed' : 'undecided';
}

/**
 * Where there is nothing to go on from yet, a trial would tell; a code that has no part would then take part. Of channels
 * none inside one campaign does, which is one comparison however many messages it sends.
 */
function trialOf(
  kind: DimensionKind,
  reason: NoClaimReason | null,
  { n, y, nOther, yOther }: Sides,
  { taking, confirmed }: Competition,
): number | null {
  if (kind === 'channel') return null;
  if (reason !== 'no_data' && reason !== 'varies_between_campaigns' && reason !== 'few_texts') return null;
  const messages = n + nOther;
  return messages > 0
    ? sendsOfTrial((y + yOther) / messages, confirmedAtLogE(taking + 1, confirmed, false))
    : null;
}

/** Further messages until confirmed, from the served start with its part of the bet. */
function decidedAfter(
  tier: ClaimTier | null,
  reason: NoClaimReason | null,
  { sums, logWeight }: ServedEvidence,
  compared: number,
  { taking, confirmed }: Competition,
): number | null {
  if (tier === 'confirmed') return 0;
  if (reason !== null && reason !== 'undecided' && reason !== 'changed') return null;
  const sends = sendsToConfirm(sums, compared, confirmedAtLogE(taking, confirmed, false) - logWeight);
  // With evidence enough, what is missing are not messages.
  return sends === 0 ? null : sends;
}

/** One code's assessment, from what the rules made of it. */
export function describeCode(
  grounds: EvidenceGrounds,
  index: number,
  judged: JudgedCode,
  competition: Competition,
): EvidenceAssessment {
  const { design, basis } = grounds;
  const { totals, asOf } = basis;
  const { code, dimension } = design.codes[index] as EvidenceCode;
  const f = design.featureOf[index] as number;
  const feature = design.features[f] as Feature;
  const { kind } = design.dimensions[feature.dimension] as EvidenceDesign['dimensions'][number];
  const evidence = grounds.evidence[f] as FeatureEvidence;
  const served = servedEvidence(evidence);
  const since = Math.max(served.since, totals.first);
  const sides = sidesOf(grounds, feature, since);
  const { textsWith, textsWithout } = basis.of(feature).support(since) ?? NO_SUPPORT;
  const compared = featureTotals(design, totals, f, since, asOf);
  const estimate: EffectEstimate = estimateEffect(served.sums, compared, LOG_20 - served.logWeight);
  const tier = tierBorneOut(judged.tier, estimate);
  const messages = sides.n + sides.nOther;
  const rate = sides.nOther > 0 ? sides.yOther / sides.nOther : 0;
  const reason = tier === null ? reasonFor(kind, sides, compared, judged, evidence) : null;
  return {
    code,
    dimension,
    tier,
    eValue: exp(Math.min(LARGEST_LOG_E, judged.logE)),
    ...estimate,
    lift: liftOf(estimate.logOr, rate),
    liftLow: liftOf(estimate.low, rate),
    liftHigh: liftOf(estimate.high, rate),
    ...sides,
    ...(basis.sides(feature, since) ?? NO_SIDES),
    textsWith,
    textsWithout,
    comparedShare: messages > 0 ? compared.compared / messages : 0,
    eligible: judged.eligible,
    countedSince: totals.length > 0 ? since : null,
    change: evidence.change,
    sendsToDecide: decidedAfter(tier, reason, served, compared.compared, competition),
    trialSends: trialOf(kind, reason, sides, competition),
    reason,
    goesWith: reason === 'goes_with' ? judged.goesWith : null,
  };
}
