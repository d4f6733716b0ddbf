import {
  DIMENSIONS,
  levelIndex,
  type DimensionName,
  type PatternRecord,
  type RateEstimate,
} from '@outcomes/contracts';
import { observationCodeOf } from './level-label';
import { TIER_NAMES, type PatternFinding } from './pattern-finding';
import * as messages from './pattern-messages';

/** What earlier runs said of codes that were confirmed at some time, by code. */
export type Confirmations = ReadonlyMap<string, Pick<PatternRecord, 'first_confirmed_at' | 'retracted_at'>>;

export interface PatternInputs {
  readonly companyId: string;
  /** strongest evidence first */
  readonly findings: readonly PatternFinding[];
  /** Reply rates per level of LEVELS. */
  readonly levelRates: readonly RateEstimate[];
  readonly earlier: Confirmations;
  /** When the data was as it is: the time at which a code is first confirmed or retracted. */
  readonly dataAsOf: string;
  /** Time of writing. */
  readonly updated: string;
}

/**
 * All records of a company: recommendations, strongest first; then what was
 * retracted; then one observation for every dimension that has data and no recommendation.
 */
export function patternRecords(inputs: PatternInputs): PatternRecord[] {
  const recommended = inputs.findings.filter((finding) => finding.tier > 0);
  const retracted = inputs.findings.filter(
    ({ tier, pattern }) => tier === 0 && inputs.earlier.has(pattern.code),
  );
  return [
    ...recommended.map((finding) => recommendation(finding, inputs)),
    ...retracted.map((finding) => retraction(finding, inputs)),
    ...observations(new Set(recommended.map(({ pattern }) => pattern.dimension)), inputs),
  ];
}

/** Reads from the records of the previous run what the next must remember. */
export function confirmationsOf(records: readonly PatternRecord[]): Confirmations {
  return new Map(
    records
      .filter((record) => record.first_confirmed_at !== undefined)
      .map((record) => [
        record.code,
        {
          first_confirmed_at: record.first_confirmed_at,
          ...(record.retracted_at !== undefined && { retracted_at: record.retracted_at }),
        },
      ]),
  );
}

function recommendation(finding: PatternFinding, inputs: PatternInputs): PatternRecord {
  const { pattern, tier, evidence } = finding;
  return {
    companyId: inputs.companyId,
    code: pattern.code,
    title: messages.findingTitle(finding),
    message: messages.findingMessage(finding),
    type: 'recommendation',
    positive: evidence.odds_ratio > 1,
    tier,
    updated: inputs.updated,
    ...(tier > 0 && { evidence_tier: TIER_NAMES[tier as 1 | 2 | 3] }),
    metric: messages.rateSummary(evidence),
    evidence,
    ...confirmation(finding, inputs),
  };
}

function retraction(finding: PatternFinding, inputs: PatternInputs): PatternRecord {
  return {
    companyId: inputs.companyId,
    code: finding.pattern.code,
    title: messages.retractionTitle(finding),
    message: messages.retractionMessage(finding),
    type: 'retraction',
    tier: 0,
    updated: inputs.updated,
    metric: messages.rateSummary(finding.evidence),
    evidence: finding.evidence,
    ...confirmation(finding, inputs),
  };
}

/** Confirmed now: since when. Confirmed once and no longer: also since when not. */
function confirmation({ pattern, tier }: PatternFinding, { earlier, dataAsOf }: PatternInputs) {
  const before = earlier.get(pattern.code);
  if (tier === 3) return { first_confirmed_at: before?.first_confirmed_at ?? dataAsOf };
  if (before === undefined) return {};
  return { first_confirmed_at: before.first_confirmed_at, retracted_at: before.retracted_at ?? dataAsOf };
}

function observations(explained: ReadonlySet<DimensionName>, inputs: PatternInputs): PatternRecord[] {
  return DIMENSIONS.flatMap(({ name, levels }) => {
    const observed = levels.flatMap((level) => {
      const rate = inputs.levelRates[levelIndex(name, level)];
      return rate !== undefined && rate.n > 0 ? [{ level, rate }] : [];
    });
    if (explained.has(name) || observed.length === 0) return [];
    return [
      {
        companyId: inputs.companyId,
        code: observationCodeOf(name),
        title: messages.observationTitle(name),
        message: messages.observationMessage(name, observed),
        tier: 0,
        updated: inputs.updated,
      },
    ];
  });
}
