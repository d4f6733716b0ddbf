import { assessEvidence, type EvidenceAssessment } from '@outcomes/statistics';
import { EVIDENCE_DESIGN } from '../src/evidence/evidence-design';

const NOTHING = assessEvidence(EVIDENCE_DESIGN, []).assessments;

/** 2026-01-15, the first day of a fortnight. */
export const COUNTED_SINCE = 1_462;

/** Both sides of a code inside fourteen campaigns, and nothing claimed. */
const COMPARED: Partial<EvidenceAssessment> = {
  ...{ n: 1_204, y: 75, nOther: 53_001, yOther: 2_067, campaigns: 14, textsWith: 62.3, textsWithout: 91 },
  ...{ campaignsWith: 14, campaignsWithout: 14, campaignsWithBoth: 14, comparedShare: 0.9, eligible: true },
  ...{
    eValue: 1,
    logOr: 0.1,
    low: -0.4,
    high: 0.6,
    expectedLogOr: 0.05,
    lift: 0.1,
    liftLow: -0.3,
    liftHigh: 0.75,
  },
  ...{ probabilityPositive: 0.6, countedSince: COUNTED_SINCE, sendsToDecide: 4_567, reason: 'undecided' },
};

/** What the statistics could say of one code. */
export function assessmentOf(code: string, parts: Partial<EvidenceAssessment> = {}): EvidenceAssessment {
  const own = NOTHING.find((assessment) => assessment.code === code);
  if (own === undefined) throw new Error(code);
  return { ...own, ...COMPARED, ...parts };
}

/** A claim of one code; its odds ratio is 1.6 or, downwards, 0.6. */
export function claimOf(
  code: string,
  tier: NonNullable<EvidenceAssessment['tier']>,
  parts: Partial<EvidenceAssessment> = {},
): EvidenceAssessment {
  return assessmentOf(code, {
    ...{ tier, eValue: 1_000, logOr: Math.log(1.6), low: Math.log(1.2), high: Math.log(2), reason: null },
    expectedLogOr: Math.log(1.5),
    ...{ lift: 0.45, liftLow: 0.2, liftHigh: 0.75, probabilityPositive: 0.99 },
    ...(tier === 'confirmed' && { sendsToDecide: 0 }),
    ...parts,
  });
}

/** Downwards. */
export const DOWN: Partial<EvidenceAssessment> = {
  ...{ logOr: Math.log(0.6), low: Math.log(0.4), high: Math.log(0.8), expectedLogOr: Math.log(0.65) },
  ...{ lift: -0.4, liftLow: -0.6, liftHigh: -0.2, probabilityPositive: 0.01 },
};

/** All codes; those that are not given have no message. */
export function assessmentsWith(given: readonly EvidenceAssessment[]): EvidenceAssessment[] {
  return NOTHING.map((none) => given.find(({ code }) => code === none.code) ?? none);
}
