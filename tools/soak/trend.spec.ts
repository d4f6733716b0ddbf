import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blocks, ratioOf, trendOf, type Point } from './trend.ts';

/** mulberry32 */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Forty half minutes of a series with noise that keeps a part of itself from point to point. */
function series(seed: number, slopePerHour: number, memory: number): Point[] {
  const chance = seeded(seed);
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
  let noise = gaussian();
  return Array.from({ length: 40 }, (_, at) => {
    noise = memory * noise + Math.sqrt(1 - memory ** 2) * gaussian();
    return { at: 30 * at, value: 100 + (slopePerHour * 30 * at) / 3_600 + noise };
  });
}

describe('a trend', () => {
  it('is exact where there is no noise', () => {
    const trend = trendOf(Array.from({ length: 20 }, (_, at) => ({ at, value: 2 * at })));
    assert.deepEqual([trend.slope, trend.low, trend.high], [7_200, 7_200, 7_200]);
  });

  it('is not moved by single points', () => {
    const points = Array.from({ length: 40 }, (_, at) => ({ at, value: at % 13 === 5 ? 1_000 : 10 }));
    assert.equal(trendOf(points).slope, 0);
  });

  it('says nothing about few points', () => {
    const { low, high } = trendOf([1, 2, 3].map((at) => ({ at, value: at })));
    assert.deepEqual([low, high], [-Infinity, Infinity]);
  });

  for (const memory of [0, 0.5]) {
    it(`holds the truth in its interval, with noise of memory ${memory}`, () => {
      let [held, excluded] = [0, 0];
      for (let seed = 0; seed < 400; seed += 1) {
        const { low, high } = trendOf(series(seed, 12, memory));
        if (low <= 12 && high >= 12) held += 1;
        if (low > 0) excluded += 1;
      }
      assert.ok(held >= 0.96 * 400, `${held} of 400`);
      // Twelve per hour are four times the noise within the twenty minutes: a leak that is seen.
      assert.ok(excluded >= 0.8 * 400, `${excluded} of 400`);
    });
  }

  it('takes a saw tooth for no trend', () => {
    const teeth = Array.from({ length: 240 }, (_, at) => ({ at: 5 * at, value: 80 + ((5 * at) % 97) }));
    const { low, high } = trendOf(blocks(teeth, 30));
    assert.ok(low < 0 && high > 0);
  });
});

describe('a ratio', () => {
  it('is that of the medians, with an interval that leaves out one where samples do not overlap', () => {
    const earlier = [10, 11, 9, 10, 12, 10, 11, 9, 10, 10];
    const { ratio, low } = ratioOf(
      earlier.map((value) => 3 * value),
      earlier,
    );
    assert.ok(ratio > 2.8 && ratio < 3.2);
    assert.ok(low > 2);
  });

  it('is not moved by one bad minute', () => {
    const { ratio, low } = ratioOf([10, 10, 11, 9, 500, 10], [10, 9, 10, 11, 10, 10]);
    assert.ok(ratio < 1.1 && low < 1.1);
  });
});
