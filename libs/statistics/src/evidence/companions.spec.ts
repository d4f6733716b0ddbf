import { generateEvidence } from '../testing';
import {
  assessEvidence,
  type CompanionCounts,
  companionPairs,
  type EvidenceAssessment,
  type EvidenceCounts,
  StatsDomainError,
} from '..';

let company: ReturnType<typeof generateEvidence>;
let campaigns: EvidenceCounts[];
let first: ReturnType<typeof assessEvidence>;
let companions: CompanionCounts[];
beforeAll(() => {
  company = generateEvidence(
    {
      campaignSd: 0.4,
      effects: { 'tone.4': 0.9 },
      companion: 0.6,
      days: 112,
      sendsPerDay: 200,
      campaigns: 12,
    },
    5,
  );
  campaigns = company.counts();
  first = assessEvidence(company.design, campaigns);
  companions = first.pairs.map((pair) => ({ ...pair, strata: company.companionStrata(pair) }));
});
const find = (assessments: readonly EvidenceAssessment[], wanted: string): EvidenceAssessment =>
  assessments.find(({ code }) => code === wanted) as EvidenceAssessment;

describe('a feature that keeps company with the one that works', () => {
  it('is claimed until its strata are counted, and then goes with the stronger', () => {
    expect(find(first.assessments, 'question.0').tier).not.toBeNull();
    expect(first.pairs).toContainEqual({ code: 'question.0', within: 'tone' });
    const { assessments, pairs } = assessEvidence(company.design, campaigns, { companions });
    const { tier, reason, goesWith, sendsToDecide } = find(assessments, 'question.0');
    expect({ tier, reason, goesWith, sendsToDecide }).toEqual({
      tier: null,
      reason: 'goes_with',
      goesWith: 'tone.4',
      sendsToDecide: null,
    });
    expect(find(assessments, 'tone.4').tier).toBe('confirmed');
    expect(pairs).toEqual(first.pairs);
  });
  it('the order of strata changes nothing, and impossible ones are refused', () => {
    const turned = companions.map((own) => ({ ...own, strata: [...own.strata].reverse() }));
    expect(JSON.stringify(assessEvidence(company.design, campaigns, { companions: turned }))).toBe(
      JSON.stringify(assessEvidence(company.design, campaigns, { companions })),
    );
    const impossible = companions.map((own) => ({
      ...own,
      strata: [{ campaign: 0, fortnight: 0, na: 1, ya: 2, nb: 1, yb: 0 }],
    }));
    expect(() => assessEvidence(company.design, campaigns, { companions: impossible })).toThrow(
      StatsDomainError,
    );
  });
  it('the levels beside the one that works are no claims', () => {
    for (const { code, dimension, tier } of first.assessments) {
      if (dimension === 'tone' && code !== 'tone.4') expect(['confirmed', 'likely']).not.toContain(tier);
    }
  });
});

describe('pairs of claims', () => {
  it('are each claim with the dimensions of all stronger ones, but its own', () => {
    const claim = (code: string, dimension: string, logE: number) =>
      ({ code, dimension, tier: 'likely', logE }) as const;
    expect(
      companionPairs([
        claim('a1', 'a', 5),
        claim('a2', 'a', 9),
        claim('b', 'b', 7),
        claim('c', 'c', 7),
        { ...claim('d', 'd', 99), tier: 'directional' },
      ]),
    ).toEqual([
      { code: 'b', within: 'a' },
      { code: 'c', within: 'a' },
      { code: 'c', within: 'b' },
      { code: 'a1', within: 'b' },
      { code: 'a1', within: 'c' },
    ]);
  });
});
