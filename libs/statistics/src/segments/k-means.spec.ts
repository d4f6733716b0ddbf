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
  it('begins far apart, so that one start finds all groups of a wide ring', () => {
    const ring = Array.from({ length: 5 }, (_, i) => [
      1_000 * Math.cos(2 * Math.PI * (i / 5)),
      1_000 * Math.sin(2 * Math.PI * (i / 5)),
    ]);
    const rows = points(
      ...ring.flatMap(([x, y]) => [-1, 0, 1].map((by) => [x as number, (y as number) + by])),
    );
    for (let seed = 0; seed < 20; seed++)
      expect(kMeans(rows, 5, 1, seededRng(seed)).inertia).toBeCloseTo(10, 6);
  });
  it('ends where each row is with its nearest centre, and each centre is the mean of its rows', () => {
    const rng = seededRng(4);
    const cloud = Array.from({ length: 80 }, () => Float64Array.of(rng.next(), rng.next()));
    for (let seed = 0; seed < 5; seed++) {
      const { assignment, centres, inertia } = kMeans(cloud, 5, 1, seededRng(seed));
      expect([...assignment]).toEqual([...assign(cloud, centres)]);
      let sum = 0;
      centres.forEach((centre, c) => {
        const own = cloud.filter((_, i) => assignment[i] === c);
        for (const axis of [0, 1]) {
          const mean = own.reduce((total, row) => total + (row[axis] as number), 0) / own.length;
          expect(centre[axis]).toBeCloseTo(mean, 12);
          sum += own.reduce((total, row) => total + ((row[axis] as number) - mean) ** 2, 0);
        }
      });
      expect(inertia).toBeCloseTo(sum, 10);
    }
    // The best of several starts is the best of as many single ones.
    const [together, one] = [seededRng(9), seededRng(9)];
    const single = Array.from({ length: 6 }, () => kMeans(cloud, 5, 1, one).inertia);
    expect(new Set(single).size).toBeGreaterThan(1);
    expect(kMeans(cloud, 5, 6, together).inertia).toBe(Math.min(...single));
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
