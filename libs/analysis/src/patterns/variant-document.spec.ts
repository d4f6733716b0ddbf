import type { VariantFinding } from '../evidence/analyse-variants';
import { variantDocument } from './variant-document';

const finding = (
  campaignId: string | null,
  variant: string,
  own: Partial<VariantFinding> = {},
): VariantFinding => ({
  ...{ campaignId, variant, n: 400, y: 30, rate: 0.075, logOr: Math.log(1.5), low: Math.log(1.1) },
  ...{ high: Math.log(2), probabilityPositive: 0.987_654_32, eValue: 40, tier: 'confirmed', ...own },
});
const documentOf = (findings: readonly VariantFinding[], randomized: readonly (string | null)[] = []) =>
  variantDocument(findings, new Set(randomized), '2026-06-01T02:00:00.000Z');

describe('the document of variants', () => {
  it('says of each how it did against the others of its campaign, rounded', () => {
    expect(documentOf([finding('spring', 'b')])).toEqual({
      data_as_of: '2026-06-01T02:00:00.000Z',
      variants: [
        {
          ...{ campaign_id: 'spring', variant_id: 'b', n: 400, y: 30, rate: 0.075, odds_ratio: 1.5 },
          ...{ odds_ratio_low: 1.1, odds_ratio_high: 2, probability_positive: 0.987654, e_value: 40 },
          ...{ evidence_tier: 'confirmed', basis: 'observational' },
        },
      ],
    });
  });

  it('tells campaigns whose variants were drawn by lot', () => {
    const findings = [finding('spring', 'a'), finding('autumn', 'a'), finding(null, 'a')];
    const basis = (randomized: readonly (string | null)[]) =>
      documentOf(findings, randomized).variants.map((own) => own.basis);
    expect(basis(['autumn'])).toEqual(['observational', 'randomized', 'observational']);
    expect(basis([])).toEqual(['observational', 'observational', 'observational']);
  });

  it('has no rate of a variant that was never sent, nor a tier of one that is not told apart', () => {
    const [own] = documentOf([finding('spring', 'a', { n: 0, y: 0, rate: 0, tier: null })]).variants;
    expect(own).toMatchObject({ n: 0, rate: null, evidence_tier: null });
  });

  it('keeps the hundred of a campaign that were sent most, in their order', () => {
    const many = Array.from({ length: 103 }, (_, i) =>
      finding('spring', `v${i}`, { n: i === 7 ? 1 : 200 - i }),
    );
    const kept = documentOf([...many, finding('autumn', 'a', { n: 1 })]).variants;
    expect(kept.map(({ variant_id }) => variant_id)).toEqual([
      ...many.slice(0, 101).flatMap(({ variant }) => (variant === 'v7' ? [] : [variant])),
      'a',
    ]);
    expect(documentOf(many.slice(0, 100)).variants).toHaveLength(100);
  });
});
