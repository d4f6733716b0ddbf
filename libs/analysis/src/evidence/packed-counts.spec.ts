import { NumberReader, NumberWriter } from '@outcomes/persistence';
import type { VariantCounts } from '@outcomes/statistics';
import fc from 'fast-check';
import { OwnTextSearch } from './own-texts';
import { packStrata, unpackStrata, type PairStrata } from './pair-strata';
import { readSparseDoubles, writeSparseDoubles } from './sparse-doubles';
import { packVariants, unpackVariants } from './variant-cells';

const count = fc.nat(100_000);

describe('the variants of a campaign', () => {
  const variant = fc.record({
    campaign: fc.constant(3),
    variant: fc.constantFrom('', 'b', 'a', 'ü – 10 %', 'variant of a long name'),
    fortnight: fc.integer({ min: -5, max: 2_000 }),
    ...{ step: fc.nat(2), position: fc.nat(10), channel: fc.nat(1), n: count, y: count },
  }) satisfies fc.Arbitrary<VariantCounts>;

  it('come back as they were packed, in their order, under the number that is given', () => {
    fc.assert(
      fc.property(fc.array(variant, { maxLength: 40 }), (variants) => {
        expect(unpackVariants(packVariants(variants), 3)).toEqual(variants);
      }),
    );
    const [own] = unpackVariants(packVariants([{ ...({} as VariantCounts), ...VARIANT }]), 8);
    expect(own).toEqual({ ...VARIANT, campaign: 8 });
  });

  it('are the same bytes whichever variant comes first', () => {
    const [a, b] = [
      { ...VARIANT, variant: 'a' },
      { ...VARIANT, variant: 'b' },
    ] as const;
    const names = (bytes: Buffer) => {
      const reader = new NumberReader(bytes);
      return Array.from({ length: reader.count() }, () => reader.bytes().toString());
    };
    expect(names(packVariants([b, a, b]))).toEqual(['a', 'b']);
  });
});

const VARIANT: VariantCounts = {
  ...{ campaign: 3, variant: 'v', fortnight: 1_461, step: 1, position: 4, channel: 1, n: 300, y: 12 },
};

describe('strata of pairs of claims', () => {
  const stratum = fc.record({
    fortnight: fc.integer({ min: 0, max: 3 }),
    ...{ na: fc.nat(2), ya: fc.nat(2), nb: fc.nat(2), yb: fc.nat(2) },
  });
  const pairs = fc.uniqueArray(
    fc.record({
      code: fc.constantFrom('TA-1', 'TA-5', 'SF-1'),
      within: fc.constantFrom('tone', 'weekday', 'daypart'),
      strata: fc.array(stratum, { maxLength: 12 }),
    }),
    { selector: ({ code, within }) => `${code} ${within}` },
  );
  const sorted = (all: readonly PairStrata[]) =>
    all
      .map(({ code, within, strata }) => [code, within, strata.map((own) => JSON.stringify(own)).sort()])
      .sort();

  it('come back as they were packed', () => {
    fc.assert(
      fc.property(pairs, (all) => {
        expect(sorted(unpackStrata(packStrata(all)))).toEqual(sorted(all));
      }),
    );
  });

  it('are the same bytes whatever order they were counted in', () => {
    fc.assert(
      fc.property(pairs, (all) => {
        const turned = all.toReversed().map((own) => ({ ...own, strata: own.strata.toReversed() }));
        expect(packStrata(turned)).toEqual(packStrata(all));
        const nearly = all.map((own) => ({
          ...own,
          strata: own.strata.toSorted((a, b) => b.yb - a.yb || b.nb - a.nb),
        }));
        expect(packStrata(nearly)).toEqual(packStrata(all));
      }),
    );
  });
});

describe('numbers of which many are zero', () => {
  const value = fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    fc.double({ noNaN: true }).filter((own) => own !== 0),
  );

  it('come back as they went, whatever was read with the same room before', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 40 }), fc.array(value, { maxLength: 3_000 }), (few, many) => {
        const writer = new NumberWriter();
        const all = [few, many, few].map((own) => Float64Array.from(own));
        for (const own of all) writeSparseDoubles(writer, own);
        const reader = new NumberReader(writer.finish());
        expect(all.map(({ length }) => readSparseDoubles(reader, length))).toEqual(all);
      }),
      { numRuns: 30 },
    );
  });

  it('take no more room than those that are not', () => {
    const bytesOf = (values: Float64Array) => {
      const writer = new NumberWriter();
      writeSparseDoubles(writer, values);
      return writer.finish().length;
    };
    const empty = bytesOf(new Float64Array(800));
    expect(empty).toBeLessThan(110);
    expect(bytesOf(new Float64Array(800).fill(1, 8, 11))).toBe(empty + 3 * 8);
  });
});

describe('the texts of a campaign', () => {
  const found = (...texts: readonly (readonly [number, number])[]) => {
    const own = new OwnTextSearch();
    for (const [textId, touches] of texts) own.add(textId, touches);
    const { ids, n } = own.finish();
    return ids.map((id, at) => [id, n[at]]);
  };

  it('are its own from a twentieth of its messages on, whatever order they come in', () => {
    const texts = [
      [9, 950],
      [5, 50],
      [2, 49],
      [7, 0],
    ] as const;
    // 50 of 1,049 are less than a twentieth, 50 of 1,000 are one.
    expect(found(...texts)).toEqual([[9, 950]]);
    expect(found([9, 950], [5, 50])).toEqual([
      [5, 50],
      [9, 950],
    ]);
    expect(found([5, 50], [9, 950])).toEqual([
      [5, 50],
      [9, 950],
    ]);
    expect(found([5, 50], [2, 49], [9, 950])).toEqual([[9, 950]]);
  });

  it('are none where it has no messages', () => {
    expect(found()).toEqual([]);
    expect(found([3, 0])).toEqual([]);
  });
});
