import { drawNormal, seededRng } from '../random';
import { findSegments, type SegmentRow } from '.';

function rows(count: number, centres: readonly (readonly number[])[], seed: number): SegmentRow[] {
  const rng = seededRng(seed);
  return Array.from({ length: count }, (_, i) => ({
    id: `r${String(i).padStart(3, '0')}`,
    features: (centres[i % centres.length] as readonly number[]).map((c) => c + drawNormal(rng)),
  }));
}

describe('findSegments', () => {
  let planted: SegmentRow[];
  beforeAll(() => {
    planted = rows(
      60,
      [
        [0, 0, 0],
        [5, 5, 0],
        [0, 5, 5],
      ],
      41,
    );
  });
  it('finds three planted groups, each with its members', () => {
    const segments = findSegments(planted, { seed: 1 });
    expect(segments.map(({ size, confidence }) => [size, confidence])).toEqual([
      [20, 'high'],
      [20, 'high'],
      [20, 'high'],
    ]);
    for (const { members, stability } of segments) {
      expect(new Set(members.map((id) => Number(id.slice(1)) % 3)).size).toBe(1);
      expect(stability).toBeGreaterThanOrEqual(0.75);
    }
  });
  it('says where they lie, largest first, and makes no more of them than allowed', () => {
    const [a, b, c] = [
      [0, 0, 0],
      [5, 5, 0],
      [0, 5, 5],
    ] as const;
    const uneven = rows(54, [a, a, a, b, b, c], 41);
    const segments = findSegments(uneven, { seed: 1 });
    expect(segments.map(({ size, confidence }) => [size, confidence])).toEqual([
      [27, 'high'],
      [18, 'high'],
      [9, 'medium'],
    ]);
    const last = uneven.filter((_, i) => i % 6 === 5);
    expect(segments[2]?.members).toEqual(last.map(({ id }) => id));
    segments[2]?.centre.forEach((value, axis) =>
      expect(value).toBeCloseTo(
        last.reduce((sum, { features }) => sum + (features[axis] as number), 0) / 9,
        10,
      ),
    );
    expect(findSegments(uneven, { seed: 1, maxSegments: 2 }).length).toBeLessThanOrEqual(2);
  });
  it('refuses fewer than two segments and features that are not finite, and finds none in no features', () => {
    const few = [{ id: 'a', features: [NaN] }];
    expect(() => findSegments([], { seed: 1, maxSegments: 1 })).toThrow(
      expect.objectContaining({ code: 'range' }),
    );
    expect(() => findSegments(few, { seed: 1 })).toThrow(expect.objectContaining({ code: 'size' }));
    const empty = planted.map(({ id }) => ({ id, features: [] }));
    expect(findSegments(empty, { seed: 1 })).toEqual([]);
  });
  it('is the same in any order, and again', () => {
    expect(findSegments([...planted].reverse(), { seed: 1 })).toEqual(findSegments(planted, { seed: 1 }));
  });
  it('finds nothing in noise, in too few rows, or where all rows are alike', () => {
    expect(findSegments(rows(60, [[0, 0, 0]], 42), { seed: 1 })).toEqual([]);
    expect(findSegments(planted.slice(0, 11), { seed: 1 })).toEqual([]);
    expect(
      findSegments(
        planted.map(({ id }) => ({ id, features: [1, 2, 3] })),
        { seed: 1 },
      ),
    ).toEqual([]);
  });
  it('refuses ragged rows', () => {
    expect(() =>
      findSegments(
        [
          { id: 'a', features: [1] },
          { id: 'b', features: [1, 2] },
        ],
        { seed: 1 },
      ),
    ).toThrow(expect.objectContaining({ code: 'size' }));
  });
});
