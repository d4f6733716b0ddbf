import { type ComparedRow, GroupLeans } from './group-leans';

const compared = (rows: readonly ComparedRow[], groups: number, levels: number): GroupLeans => {
  const leans = new GroupLeans(groups, levels);
  leans.add(rows);
  return leans;
};
const sumsOf = ({ score, slope, variance }: GroupLeans) => ({ score, slope, variance });
const factorial = (k: number): number => (k <= 1 ? 1 : k * factorial(k - 1));

interface Table {
  readonly y: readonly (readonly number[])[];
  readonly weight: number;
}

/** All tables with the sums of one, each as likely as its messages make it where no row prefers a level. */
function tablesLike(
  n: readonly number[][],
  rowSums: readonly number[],
  levelSums: readonly number[],
): Table[] {
  const tables: Table[] = [];
  const extend = (rows: number[][], left: readonly number[]): void => {
    const r = rows.length;
    if (r === n.length) {
      if (left.some((rest) => rest !== 0)) return;
      const weight = rows.flatMap((row, i) => row.map((k, l) => (n[i]?.[l] as number) ** k / factorial(k)));
      tables.push({ y: rows, weight: weight.reduce((a, b) => a * b, 1) });
      return;
    }
    const fill = (row: number[], open: number): void => {
      const l = row.length;
      if (l === left.length) {
        if (open === 0)
          extend(
            [...rows, row],
            left.map((rest, m) => rest - (row[m] as number)),
          );
        return;
      }
      for (let k = 0; k <= Math.min(open, left[l] as number); k++) fill([...row, k], open - k);
    };
    fill([], rowSums[r] as number);
  };
  extend([], levelSums);
  const total = tables.reduce((sum, { weight }) => sum + weight, 0);
  return tables.map(({ y, weight }) => ({ y, weight: weight / total }));
}

describe('GroupLeans', () => {
  // So many messages that hardly any is answered, and levels as uneven as can be: 40 : 1 here, 1 : 8 there.
  const n = [
    [4e12, 1e12, 1e11],
    [1e12, 5e12, 8e12],
    [3e12, 2e12, 2e12],
  ];
  const groups = [0, 1, 1];
  const moments = (rowSums: readonly number[], levelSums: readonly number[]) => {
    const [mean, squares, variance] = [new Float64Array(6), new Float64Array(36), new Float64Array(36)];
    for (const { y, weight } of tablesLike(n, rowSums, levelSums)) {
      const rows = y.map((replies, r) => ({ group: groups[r] as number, n: n[r] as number[], y: replies }));
      const leans = compared(rows, 2, 3);
      for (let i = 0; i < 6; i++) {
        mean[i] = (mean[i] as number) + weight * (leans.score[i] as number);
        for (let j = 0; j <= i; j++) {
          const at = 6 * i + j;
          const product = (leans.score[i] as number) * (leans.score[j] as number);
          squares[at] = (squares[at] as number) + weight * product;
          variance[at] = (variance[at] as number) + weight * (leans.variance[at] as number);
        }
      }
    }
    return { mean, squares, variance };
  };

  it.each([
    [
      [1, 1, 1],
      [1, 1, 1],
    ],
    [
      [2, 1, 0],
      [1, 1, 1],
    ],
    [
      [3, 2, 2],
      [4, 1, 2],
    ],
    [
      [4, 4, 3],
      [2, 5, 4],
    ],
  ])(
    'expects nothing of any group, however few replies there are: rows of %j, levels of %j',
    (rowSums, levelSums) => {
      const { mean, squares } = moments(rowSums, levelSums);
      expect(Math.max(...squares)).toBeGreaterThan(0.01);
      expect(Math.max(...mean.map(Math.abs))).toBeLessThan(1e-9);
    },
  );

  it('knows how far scores are from nothing by chance, on average', () => {
    for (const [rowSums, levelSums] of [
      [
        [2, 1, 2],
        [2, 2, 1],
      ],
      [
        [4, 4, 3],
        [2, 5, 4],
      ],
    ] as const) {
      const { squares, variance } = moments(rowSums, levelSums);
      const largest = Math.max(...squares);
      squares.forEach((square, at) => {
        // Where one coordinate hardly varies, so that no test uses it, a part of the whole is near enough.
        expect(Math.abs((variance[at] as number) - square)).toBeLessThan(
          0.12 * Math.abs(square) + 0.03 * largest,
        );
      });
    }
  });

  it('says rather too far than not far enough where every second of a dozen messages is answered', () => {
    const n = 12;
    const chances = Array.from(
      { length: n + 1 },
      (_, k) => factorial(n) / (factorial(k) * factorial(n - k)) / 2 ** n,
    );
    let [squares, variance] = [0, 0];
    // Numbers of replies that hardly ever come about are left out.
    const likely = chances.flatMap((chance, k) => (chance > 0.003 ? [[k, chance] as const] : []));
    for (const [a, first] of likely)
      for (const [b, second] of likely)
        for (const [c, third] of likely)
          for (const [d, fourth] of likely) {
            const leans = compared(
              [
                { group: 0, n: [n, n], y: [a, b] },
                { group: 1, n: [n, n], y: [c, d] },
              ],
              2,
              2,
            );
            const chance = first * second * third * fourth;
            squares += chance * (leans.score[0] as number) ** 2;
            variance += chance * (leans.variance[0] as number);
          }
    // 1.38; of replies that were as few as among many messages, .63.
    expect(variance / squares).toBeGreaterThan(1);
    expect(variance / squares).toBeLessThan(1.45);
  });

  it("is a pair's worth in two by two replies: half a reply each, and the slope of half of that", () => {
    const rows = [
      { group: 0, n: [1e9, 1e9], y: [1, 0] },
      { group: 1, n: [1e9, 1e9], y: [0, 1] },
    ];
    const { score, slope, variance } = compared(rows, 2, 2);
    expect([...score].map((value) => value.toFixed(6))).toEqual([
      '0.500000',
      '-0.500000',
      '-0.500000',
      '0.500000',
    ]);
    expect([...slope].every((value) => Math.abs(value - 0.25) < 1e-6)).toBe(true);
    // Lower half: the other way round would have been as likely, so that the variance is (1/2)^2.
    expect([0, 5, 10, 15].map((at) => (variance[at] as number).toFixed(6))).toEqual(
      Array(4).fill('0.250000'),
    );
    expect([4, 8, 12].map((at) => (variance[at] as number).toFixed(6))).toEqual([
      '-0.250000',
      '-0.250000',
      '0.250000',
    ]);
  });

  it('adds nothing for one group, one level, or what only one group was sent', () => {
    const nothing = sumsOf(new GroupLeans(2, 2));
    expect(sumsOf(compared([], 2, 2))).toEqual(nothing);
    const one = { group: 0, n: [10, 10], y: [3, 5] };
    expect(sumsOf(compared([one, { ...one, y: [1, 2] }], 2, 2))).toEqual(nothing);
    expect(sumsOf(compared([one, { group: 1, n: [10, 10], y: [0, 0] }], 2, 2))).toEqual(nothing);
    expect(
      sumsOf(
        compared(
          [
            { group: 0, n: [10, 0], y: [3, 0] },
            { group: 1, n: [0, 10], y: [0, 4] },
          ],
          2,
          2,
        ),
      ),
    ).toEqual(nothing);
  });

  it('adds to what is there', () => {
    const rows = [
      { group: 0, n: [20, 30], y: [3, 5] },
      { group: 1, n: [25, 10], y: [6, 1] },
    ];
    const once = compared(rows, 2, 2);
    // What one comparison has left behind is no part of the next, whichever has more cells.
    const few = [
      { group: 0, n: [20, 30], y: [0, 1] },
      { group: 1, n: [25, 10], y: [1, 0] },
    ];
    const twice = compared(rows, 2, 2);
    twice.add(few);
    twice.add(rows);
    const between = compared(few, 2, 2);
    for (const part of ['score', 'slope'] as const)
      twice[part].forEach((sum, i) => {
        expect(sum).toBeCloseTo(2 * (once[part][i] as number) + (between[part][i] as number), 12);
      });
    expect(twice.variance[0]).toBeCloseTo(
      2 * (once.variance[0] as number) + (between.variance[0] as number),
      12,
    );
  });
});
