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
  it('says where they lie, and makes no more of them than allowed', () => {
    const pairs = Array.from({ length: 12 }, (_, i) => ({
      id: `p${i}`,
      features: [i < 3 ? 7 : i < 7 ? 100 : 200, 4 + (i % 2) / 100],
    }));
    const segments = findSegments(pairs, { seed: 1, maxSegments: 3 });
    expect(segments.map(({ size, confidence }) => [size, confidence])).toEqual([
      [5, 'medium'],
      [4, 'medium'],
      [3, 'medium'],
    ]);
    expect(segments.map(({ centre }) => centre[0])).toEqual([200, 100, 7]);
    expect(segments[2]?.centre[1]).toBeCloseTo(4 + 1 / 300, 12);
    expect(segments[2]?.members).toEqual(['p0', 'p1', 'p2']);
    expect(findSegments(pairs, { seed: 1, maxSegments: 2 }).length).toBeLessThanOrEqual(2);
    expect(() => findSegments(pairs, { seed: 1, maxSegments: 1 })).toThrow(
      expect.objectContaining({ code: 'range' }),
    );
    expect(() => findSegments([{ id: 'a', features: [NaN] }], { seed: 1 })).toThrow(
      expect.objectContaining({ code: 'size' }),
    );
    expect(
      findSegments(
        pairs.map(({ id }) => ({ id, features: [] })),
        { seed: 1 },
      ),
    ).toEqual([]);
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
