import type { ClaimTier, EvidenceAssessment, NoClaimReason } from '@outcomes/statistics';

/**
 * Why a code's tier is what it is from a day on:
 * - found: claimed, and was not before
 * - stronger, weaker: claimed as before, more or less surely
 * - reversed: claimed the other way round
 * - erased: messages were erased, and without them there is no claim
 * - else why it is not claimed any more, as the statistics say
 */
export type ClaimReason = 'found' | 'stronger' | 'weaker' | 'reversed' | 'erased' | NoClaimReason;

/** A row of the record: what is claimed of a code from a day of the data on, until its next row. */
export interface ClaimRow {
  readonly code: string;
  /** Counts a code's rows, from 1 on. */
  readonly number: number;
  readonly tier: ClaimTier | 'none';
  /** Whether replies are more with it than without; null where nothing is claimed. */
  readonly isUp: boolean | null;
  /** State of the data that it was found in. */
  readonly since: Date;
  readonly reason: ClaimReason;
  /** The stronger code for `goes_with`, else null. */
  readonly goesWith: string | null;
  readonly eValue: number;
  readonly oddsRatio: number;
  readonly oddsRatioLow: number;
  readonly oddsRatioHigh: number;
  /** Messages with the level that the odds ratio rests on. */
  readonly messages: number;
}

/** What a row of the record is compared by. */
export type StandingClaim = Pick<ClaimRow, 'code' | 'number' | 'tier' | 'isUp'>;

/** What a run found, and in what. */
export interface ClaimsFound {
  readonly assessments: readonly EvidenceAssessment[];
  readonly dataAsOf: Date;
  /** Whether the run was asked for by an erasure. */
  readonly afterErasure: boolean;
}

const STRENGTH: Readonly<Record<ClaimRow['tier'], number>> = {
  none: 0,
  directional: 1,
  likely: 2,
  confirmed: 3,
};

/** What messages that are gone can explain; an end that the statistics tell by name is not theirs. */
const BY_ERASURE: ReadonlySet<NoClaimReason> = new Set<NoClaimReason>([
  'no_data',
  'varies_between_campaigns',
  'few_texts',
  'undecided',
]);

/**
 * Rows to append to the record: one for each code of which something else is claimed than its newest row says. What
 * was claimed has no weight of its own; a claim ends as soon as the evidence does not bear it.
 * @param standing - newest row of each code that has any
 */
export function claimsToAppend(standing: readonly StandingClaim[], found: ClaimsFound): ClaimRow[] {
  const newest = new Map(standing.map((row) => [row.code, row]));
  return found.assessments.flatMap((assessment) => {
    const { code } = assessment;
    const before = newest.get(code) ?? { code, number: 0, tier: 'none' as const, isUp: null };
    const tier = assessment.tier ?? 'none';
    const isUp = tier === 'none' ? null : assessment.logOr > 0;
    if (before.tier === tier && before.isUp === isUp) return [];
    const reason = reasonOf(before, tier, isUp, assessment, found.afterErasure);
    return [
      {
        code,
        number: before.number + 1,
        tier,
        isUp,
        since: found.dataAsOf,
        reason,
        goesWith: reason === 'goes_with' ? assessment.goesWith : null,
        eValue: assessment.eValue,
        oddsRatio: Math.exp(assessment.logOr),
        oddsRatioLow: Math.exp(assessment.low),
        oddsRatioHigh: Math.exp(assessment.high),
        messages: assessment.n,
      },
    ];
  });
}

function reasonOf(
  before: StandingClaim,
  tier: ClaimRow['tier'],
  isUp: boolean | null,
  { reason }: EvidenceAssessment,
  afterErasure: boolean,
): ClaimReason {
  if (tier === 'none') {
    const why = reason ?? 'undecided';
    return afterErasure && BY_ERASURE.has(why) ? 'erased' : why;
  }
  if (before.tier === 'none') return 'found';
  if (before.isUp !== isUp) return 'reversed';
  return STRENGTH[tier] > STRENGTH[before.tier] ? 'stronger' : 'weaker';
}
