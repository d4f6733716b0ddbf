import { createHash } from 'node:crypto';
import fc from 'fast-check';
import golden from '../../fixtures/elementary.json';
import { exp, expm1, log, log1p } from '.';

/** The largest error over a golden table, in units of the last place of the true value. */
function worst(rows: readonly (readonly number[])[], compute: (x: number) => number): number {
  let largest = 0;
  for (const [x, nearest, left] of rows as readonly (readonly [number, number, number])[]) {
    const error = Math.abs(compute(x) - nearest - left) / unitInTheLastPlace(nearest);
    if (!(error <= largest)) largest = error;
  }
  return largest;
}

function unitInTheLastPlace(x: number): number {
  return 2 ** (Math.max(-1022, Math.floor(Math.log2(Math.abs(x)))) - 52);
}

const anyNumber = fc.double({ noNaN: false });

describe('elementary functions are less than one unit in the last place from mpmath at 50 digits', () => {
  it.each([
    ['exp', golden.exp, exp],
    ['expm1', golden.expm1, expm1],
    ['log', golden.log, log],
    ['log1p', golden.log1p, log1p],
  ] as const)('%s', (_name, rows, compute) => {
    expect(rows.length).toBeGreaterThan(400);
    expect(worst(rows, compute)).toBeLessThan(1);
    // Mutation: one part in 2^51 more.
    expect(worst(rows, (x) => compute(x) * (1 + 2 ** -51))).toBeGreaterThan(1);
  });
});

/** Arguments of every size and both signs, dense around one and around powers of two, where the methods change. */
function everySize(): number[] {
  const values: number[] = [];
  let state = 1;
  const uniform = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  for (let exponent = -60; exponent <= 10; exponent++)
    for (let i = 0; i < 40; i++) values.push((1 + uniform() + uniform() / 2 ** 32) * 2 ** exponent);
  for (const exponent of [-1074, -1030, -1022, -300, -2, -1, 0, 1, 2, 30, 52, 53, 54, 900, 1023])
    for (let i = 1; i <= 52; i++) values.push((1 + 2 ** -i) * 2 ** exponent, (1 - 2 ** -i) * 2 ** exponent);
  for (let i = 0; i < 1_500; i++) values.push(750 * uniform());
  return values.flatMap((value) => [value, -value, value - 1]);
}

describe('elementary functions keep every bit, on which stored decisions rest', () => {
  const values = everySize();
  // The digests are those of the functions of V8 on x64, which follow fdlibm too (Node 24).
  it.each([
    ['exp', exp, '8ed67b784a7e6612'],
    ['expm1', expm1, 'a548c5a81dbeec04'],
    ['log', log, '23e57e87d84f3e21'],
    ['log1p', log1p, 'd75e752a6ae3a671'],
  ] as const)('%s', (_name, compute, digest) => {
    const results = Float64Array.from(values.map(compute).filter((result) => !Number.isNaN(result)));
    expect(createHash('sha256').update(results).digest('hex').slice(0, 16)).toBe(digest);
  });
});

describe('elementary functions', () => {
  it('end where numbers end', () => {
    expect([-Infinity, -746, -745.2, 0, -0, 709.79, Infinity, NaN].map(exp)).toEqual([
      ...[0, 0, 0, 1, 1, Infinity, Infinity, NaN],
    ]);
    expect(exp(-745.1)).toBe(Number.MIN_VALUE);
    expect(exp(709.78)).toBeLessThan(Infinity);
    expect([-Infinity, -50, 0, 709.79, Infinity, NaN].map(expm1)).toEqual([
      -1,
      -1,
      0,
      Infinity,
      Infinity,
      NaN,
    ]);
    expect([-1, 0, -0, 1, Infinity, -Infinity, NaN].map(log)).toEqual([
      ...[NaN, -Infinity, -Infinity, 0, Infinity, NaN, NaN],
    ]);
    expect(log(Number.MIN_VALUE)).toBeCloseTo(-744.4400719213812, 12);
    expect([-2, -1, 0, Infinity, -Infinity, NaN].map(log1p)).toEqual([NaN, -Infinity, 0, Infinity, NaN, NaN]);
    expect([expm1, log1p].map((f) => Object.is(f(-0), -0))).toEqual([true, true]);
  });

  it('never fall where the argument rises', () => {
    fc.assert(
      fc.property(anyNumber, anyNumber, (a, b) => {
        const [low, high] = a <= b ? [a, b] : [b, a];
        return [exp, expm1, log, log1p].every((f) => !(f(low) > f(high)));
      }),
    );
  });

  it('undo each other', () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 700, noNaN: true }), (x) => {
        expect(Math.abs(log(exp(x)) - x)).toBeLessThanOrEqual(4e-16 * Math.max(1, Math.abs(x)));
        expect(Math.abs(log1p(expm1(x)) - x)).toBeLessThanOrEqual(
          x < -1 ? Infinity : 4e-16 * Math.max(1, Math.abs(x)),
        );
      }),
    );
  });

  it("ask nothing of the engine's own", () => {
    const spies = (['exp', 'expm1', 'log', 'log1p', 'pow'] as const).map((name) => jest.spyOn(Math, name));
    for (const x of [-800, -3, -0.5, -1e-9, 0, 1e-30, 0.2, 1, 1.5, 40, 800])
      [exp, expm1, log, log1p].forEach((f) => f(x));
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });
});
