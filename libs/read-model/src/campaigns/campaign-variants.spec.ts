import type { EvidenceTier, VariantDocument, VariantRecord } from '@outcomes/contracts';
import { variantClaims, variantsOf } from './campaign-variants';

const HIDDEN = '\u200b';
const variant = (variant_id: string, fields: Partial<VariantRecord> = {}): VariantRecord => ({
  ...{ campaign_id: 'spring', variant_id, n: 100, y: 5, rate: 0.05 },
  ...{ odds_ratio: 1, odds_ratio_low: 0.5, odds_ratio_high: 2, probability_positive: 0.5, e_value: 1 },
  ...{ evidence_tier: null, basis: 'observational' },
  ...fields,
});
const documentOf = (...variants: VariantRecord[]): VariantDocument => ({ data_as_of: 'then', variants });
const ROOM = 100_000;
const idsOf = (variants: readonly { readonly variant_id: string }[]) =>
  variants.map(({ variant_id }) => variant_id);

describe('variants of a campaign', () => {
  it('are its own, in their order and without hidden characters', () => {
    const document = documentOf(
      variant('b'),
      variant('other', { campaign_id: 'autumn' }),
      variant(`a${HIDDEN}`),
    );
    const { variants, truncated } = variantsOf(document, 'spring', ROOM);
    expect([idsOf(variants), truncated]).toEqual([['b', 'a'], false]);
    expect(variants[0]).not.toHaveProperty('campaign_id');
    expect(variantsOf(undefined, 'spring', ROOM)).toEqual({ variants: [], truncated: false });
  });

  it.each([
    [20, 20, false],
    [21, 20, true],
  ])('of %d are %d, those with most messages', (count, listed, truncated) => {
    // The first has fewest messages.
    const all = Array.from({ length: count }, (_, i) => variant(`v${i}`, { n: i }));
    const found = variantsOf(documentOf(...all), 'spring', ROOM);
    expect(idsOf(found.variants)).toEqual(idsOf(all.slice(count - listed)));
    expect(found.truncated).toBe(truncated);
  });

  it('are as many as there is room for', () => {
    const all = [variant('few', { n: 1 }), variant('many', { n: 9 })];
    const { campaign_id: _campaign, ...wire } = variant('many', { n: 9 });
    const room = JSON.stringify(wire).length;
    expect(variantsOf(documentOf(...all), 'spring', room)).toEqual({ variants: [wire], truncated: true });
  });
});

describe('claims about variants', () => {
  const claim = (
    id: string,
    evidence_tier: EvidenceTier | null,
    e_value = 1,
    campaign_id: string | null = 'spring',
  ) => variant(id, { evidence_tier, e_value, campaign_id });
  // Made anew for each test: whoever sorted it in place would find it sorted ever after.
  const claimed = () =>
    documentOf(
      claim('weak', 'directional', 900),
      claim('none', null, 5_000),
      claim('likely', 'likely', 50),
      claim('confirmed', 'confirmed', 100),
      claim(`more${HIDDEN}`, 'confirmed', 200, `autumn${HIDDEN}`),
      claim('unnamed', 'likely', 60, null),
    );

  it('come by tier, then by evidence; what nothing is claimed of is none', () => {
    const claims = variantClaims(claimed(), null, 10);
    expect(idsOf(claims)).toEqual(['more', 'confirmed', 'unnamed', 'likely', 'weak']);
    expect(claims.map(({ campaign_id }) => campaign_id).slice(0, 3)).toEqual(['autumn', 'spring', null]);
    expect(idsOf(variantClaims(claimed(), null, 2))).toEqual(['more', 'confirmed']);
  });

  it('are those of one campaign where it is named', () => {
    expect(idsOf(variantClaims(claimed(), 'spring', 10))).toEqual(['confirmed', 'likely', 'weak']);
    expect(variantClaims(undefined, null, 10)).toEqual([]);
  });
});
