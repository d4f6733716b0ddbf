import { seededRng } from '../random';
import { assign, kMeans, silhouette } from './k-means';

const points = (...values: readonly (readonly number[])[]): Float64Array[] =>
  values.map((value) => Float64Array.from(value));

describe('k-means', () => {
  const line = points([0, 3], [1, 3], [10, 3], [11, 3]);

  it('finds the centres and the inertia of two pairs, from any start', () => {
    for (let seed = 0; seed < 12; seed++) {
      const { assignment, centres, inertia } = kMeans(line, 2, 1, seededRng(seed));
      expect(centres.map((centre) => [...centre]).sort(([a], [b]) => (a as number) - (b as number))).toEqual([
        [0.5, 3],
        [10.5, 3],
      ]);
      expect(inertia).toBeCloseTo(1, 12);
      expect([assignment[0] === assignment[1], assignment[2] === assignment[3]]).toEqual([true, true]);
    }
  });
  it('keeps the best of several starts', () => {
    const three = points([0], [1], [4], [5], [20], [21]);
    for (let seed = 0; seed < 6; seed++)
      expect(kMeans(three, 3, 8, seededRng(seed)).inertia).toBeCloseTo(1.5, 12);
  });
  it('gives each row to its nearest centre, of two as near to the first', () => {
    expect([...assign(points([0, 0], [2, 0], [3, 4], [1, 0]), points([0, 0], [2, 0]))]).toEqual([0, 1, 1, 0]);
  });
  it('survives fewer distinct rows than centres', () => {
    const { centres, inertia } = kMeans(points([1], [1], [1]), 2, 2, seededRng(1));
    expect(centres.map((centre) => [...centre])).toEqual([[1], [1]]);
    expect(inertia).toBe(0);
  });
  it('has the silhouette of its distances to the centres', () => {
    const clustering = {
      assignment: Int32Array.of(0, 0, 1, 1),
      centres: points([0.5, 3], [10.5, 3]),
      inertia: 1,
    };
    // Own distance .5 everywhere; to the other centre 10.5 and 9.5.
    expect(silhouette(line, clustering)).toBeCloseTo((10 / 10.5 + 9 / 9.5) / 2, 12);
    const wrong = { ...clustering, assignment: Int32Array.of(1, 0, 1, 1) };
    expect(silhouette(line, wrong)).toBeCloseTo((-10 / 10.5 + 9 / 9.5 + 9 / 9.5 + 10 / 10.5) / 4, 12);
    expect(
      silhouette(points([1]), { assignment: Int32Array.of(0), centres: points([1], [1]), inertia: 0 }),
    ).toBe(0);
  });
});
