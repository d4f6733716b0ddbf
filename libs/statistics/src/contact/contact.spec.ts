import fc from 'fast-check';
import { betaInterval } from '../numerics';
import {
  calibrate,
  type ContactModel,
  type ContactSnapshot,
  decideContact,
  fitContactModel,
  type LogisticInput,
  penalisedLogistic,
  predictContact,
} from '.';

const expit = (x: number): number => 1 / (1 + Math.exp(-x));
const logOdds = (p: number): number => Math.log(p / (1 - p));
const refused = (code: string) => expect.objectContaining({ code });

const arm = { alpha: 5, beta: 95 };
const rows = [
  { armMean: 0.05, x: [1, 0], n: 2000, y: 60 },
  { armMean: 0.05, x: [0, 1], n: 300, y: 40 },
];

describe('penalisedLogistic', () => {
  it('is where the gradient vanishes, with the inverse of the information as covariance', () => {
    const row = fc.record({
      x: fc.tuple(fc.double({ min: -2, max: 2, noNaN: true }), fc.constantFrom(0, 1), fc.constantFrom(-1, 1)),
      n: fc.integer({ min: 1, max: 500 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      offset: fc.double({ min: -4, max: 2, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: 4, maxLength: 8 }), (all) => {
        // An unpenalised column needs replies and none on both sides to have an estimate.
        const sides = [-1, 1].map((side) => ({ x: [0.5, 0, side] as const, n: 40, share: 0.3, offset: -1 }));
        const used = [...all, ...sides];
        const y = used.map(({ n, share }) => n * share);
        const { coefficients, covariance, standardErrors, converged } = penalisedLogistic({
          ...{ x: used.map(({ x }) => x), n: used.map(({ n }) => n), y },
          ...{ offset: used.map(({ offset }) => offset), penalties: [0.4, 'logF', 'none'] },
        });
        const [b0, b1] = coefficients as [number, number, number];
        const rates = used.map(({ x, offset }) =>
          expit(offset + x.reduce((sum, value, j) => sum + value * (coefficients[j] as number), 0)),
        );
        const total = (part: (i: number) => number): number => used.reduce((sum, _, i) => sum + part(i), 0);
        const x = (i: number, j: number): number => (used[i] as (typeof used)[number]).x[j] as number;
        const n = (i: number): number => (used[i] as (typeof used)[number]).n;
        const rate = (i: number): number => rates[i] as number;
        const slopes = [-b0 / 0.16, 0.5 - expit(b1), 0];
        const curvatures = [1 / 0.16, expit(b1) * expit(-b1), 0];
        expect(converged).toBe(true);
        for (const j of [0, 1, 2]) {
          const gradient =
            total((i) => x(i, j) * ((y[i] as number) - n(i) * rate(i))) + (slopes[j] as number);
          expect(Math.abs(gradient)).toBeLessThan(1e-5);
          for (const k of [0, 1, 2]) {
            const product = [0, 1, 2].reduce((sum, l) => {
              const information =
                total((i) => n(i) * rate(i) * (1 - rate(i)) * x(i, j) * x(i, l)) +
                (l === j ? (curvatures[j] as number) : 0);
              return sum + information * ((covariance[l] as readonly number[])[k] as number);
            }, 0);
            expect(product).toBeCloseTo(j === k ? 1 : 0, 5);
          }
          const variance = (covariance[j] as readonly number[])[j] as number;
          expect(standardErrors[j]).toBe(Math.sqrt(variance));
        }
      }),
      { seed: 6, numRuns: 40 },
    );
  });
  it('log-F adds half a reply and half none, so that it is finite where all replied', () => {
    for (const [n, y] of [
      [10, 10],
      [10, 0],
      [5_000, 1],
      [3, 2],
    ] as const) {
      const { coefficients } = penalisedLogistic({ x: [[1]], n: [n], y: [y] });
      expect(coefficients[0]).toBeCloseTo(logOdds((y + 0.5) / (n + 1)), 9);
    }
  });
  const fine: LogisticInput = { x: [[1], [2]], n: [10, 10], y: [1, 2] };
  it.each<[string, string, Partial<LogisticInput>]>([
    ['no rows', 'size', { x: [], n: [], y: [] }],
    ['no columns', 'size', { x: [[], []] }],
    ['too few sends', 'size', { n: [10] }],
    ['too few replies', 'size', { y: [1] }],
    ['too few offsets', 'size', { offset: [1] }],
    ['ragged rows', 'size', { x: [[1], [1, 2]] }],
    ['rows that are not finite', 'size', { x: [[1], [Infinity]] }],
    ['negative replies', 'count', { y: [1, -1] }],
    ['more replies than sends', 'count', { y: [11, 1] }],
    ['endless sends', 'count', { n: [Infinity, 10] }],
    ['offsets that are not finite', 'range', { offset: [NaN, 1] }],
    ['a ridge of no width', 'range', { penalties: [0] }],
    ['an endless ridge', 'range', { penalties: [Infinity] }],
  ])('refuses %s: %s', (_name, code, change) => {
    expect(() => penalisedLogistic({ ...fine, ...change })).toThrow(refused(code));
  });
});

describe('fitContactModel', () => {
  it('is a ridge of .5 around the arm, by rows with a history alone', () => {
    const fitted = fitContactModel([{ armMean: 0.05, x: [1], n: 1000, y: 100 }]) as ContactModel;
    const [b] = fitted.coefficients as [number];
    expect(100 - 1000 * expit(logOdds(0.05) + b) - b / 0.25).toBeCloseTo(0, 6);
    const silent = [
      { armMean: 0.3, x: [0, 0], n: 900, y: 400 },
      { armMean: 0.3, x: [1, 1], n: 0, y: 0 },
    ];
    expect(fitContactModel([...rows, ...silent])).toEqual(fitContactModel(rows));
    expect(fitContactModel(rows)?.sends).toBe(2_300);
  });
});

describe('predictContact', () => {
  let model: ContactModel | null;
  beforeAll(() => {
    model = fitContactModel(rows);
  });
  it('adds the shift to the log odds, and its variance to the spread on each side', () => {
    const known = {
      coefficients: [0.4, -0.2],
      covariance: [
        [0.04, 0.01],
        [0.01, 0.09],
      ],
      sends: 1,
    };
    const { probability, low, high, basis } = predictContact(known, arm, [1, 0.5]);
    const centre = logOdds(0.05) + 0.4 - 0.1;
    expect(basis).toBe('contact');
    expect(probability).toBeCloseTo(expit(centre), 12);
    const own = betaInterval(5, 95, 0.95);
    const variance = 0.04 + 0.01 + 0.25 * 0.09;
    const half = (end: number): number =>
      Math.hypot(logOdds(end) - logOdds(0.05), 1.959963985 * Math.sqrt(variance));
    expect(logOdds(low)).toBeCloseTo(centre - half(own.low), 7);
    expect(logOdds(high)).toBeCloseTo(centre + half(own.high), 7);
  });
  it('stays finite for an arm that all but nobody or all but everybody answers', () => {
    for (const extreme of [
      { alpha: 0.001, beta: 50 },
      { alpha: 50, beta: 0.001 },
    ]) {
      const { low, probability, high } = predictContact(model, extreme, [1, 0]);
      expect([low > 0, low <= probability, probability <= high, high < 1]).toEqual([true, true, true, true]);
    }
  });
  it.each<[string, string, (bad: number) => unknown, number[]]>([
    ['an alpha', 'shape', (alpha) => predictContact(model, { ...arm, alpha }, [1, 0]), [0, Infinity]],
    ['a beta', 'shape', (beta) => predictContact(model, { ...arm, beta }, [1, 0]), [0, Infinity]],
    ['a feature', 'size', (value) => predictContact(model, arm, [1, value]), [NaN, Infinity]],
  ])('refuses %s: %s', (_name, code, run, bad) => {
    for (const value of bad) expect(() => run(value)).toThrow(refused(code));
  });
  it('gives a contact without history the arm posterior, exactly', () => {
    expect(predictContact(model, arm, [0, 0])).toEqual({
      probability: 0.05,
      ...betaInterval(5, 95, 0.95),
      basis: 'arm',
    });
  });
  it('moves with the history, inside a wider interval', () => {
    const worse = predictContact(model, arm, [1, 0]);
    const better = predictContact(model, arm, [0, 1]);
    expect(worse.probability).toBeLessThan(0.05);
    expect(better.probability).toBeGreaterThan(0.09);
    for (const { low, probability, high } of [worse, better]) {
      expect(low).toBeLessThan(probability);
      expect(probability).toBeLessThan(high);
    }
  });
  it('knows no model without history, and refuses features that do not match', () => {
    expect(fitContactModel([{ armMean: 0.05, x: [0], n: 100, y: 5 }])).toBeNull();
    expect(() => predictContact(model, arm, [1])).toThrow(expect.objectContaining({ code: 'size' }));
  });
});

describe('decideContact', () => {
  const promise = (probability: number) => ({
    probability,
    low: probability / 2,
    high: probability * 2,
    basis: 'contact' as const,
  });
  const snapshot: ContactSnapshot = {
    ended: null,
    currentChannel: 'email',
    nextStep: 1,
    maxSteps: 4,
    daysSinceLastTouch: 5,
    minGapDays: 3,
    options: [
      { channel: 'email', prediction: promise(0.04) },
      { channel: 'linkedin', prediction: promise(0.045) },
    ],
  };
  it.each([
    [{ ended: 'replied' as const }, 'stop', null],
    [{ ended: 'bounced' as const }, 'stop', null],
    [{ nextStep: 4 }, 'stop', null],
    [{ daysSinceLastTouch: 1 }, 'wait', 'email'],
    [{}, 'send', 'email'],
    [
      { options: [...snapshot.options.slice(0, 1), { channel: 'linkedin', prediction: promise(0.06) }] },
      'switch_channel',
      'linkedin',
    ],
    [{ currentChannel: null, daysSinceLastTouch: null, nextStep: 0 }, 'send', 'linkedin'],
  ])('%j: %s', (change, action, channel) => {
    expect(decideContact({ ...snapshot, ...change })).toMatchObject({ action, channel });
  });
  it('says all that a stop is, and how long to wait', () => {
    const nothing = { channel: null, step: null, probability: null, low: null, high: null, waitDays: 0 };
    expect(decideContact({ ...snapshot, nextStep: 4, options: [] })).toEqual({
      ...{ action: 'stop', stopReason: 'sequence_exhausted' },
      ...nothing,
    });
    expect(decideContact({ ...snapshot, ended: 'unsubscribed' })).toEqual({
      ...{ action: 'stop', stopReason: 'unsubscribed' },
      ...nothing,
    });
    const { basis: _basis, ...promised } = promise(0.04);
    expect(decideContact({ ...snapshot, daysSinceLastTouch: 1 })).toEqual({
      ...{ action: 'wait', channel: 'email', step: 1, waitDays: 2, stopReason: null },
      ...promised,
    });
    expect(decideContact({ ...snapshot, daysSinceLastTouch: 3 }).waitDays).toBe(0);
  });
  it.each([
    ['a quarter more moves a contact', 'email', { email: 0.04, linkedin: 0.05 }, 'linkedin'],
    ['less does not', 'email', { email: 0.04, linkedin: 0.0499 }, 'email'],
    ['of equals the first by name', null, { sms: 0.04, email: 0.04, linkedin: 0.04 }, 'email'],
    ['a channel that is no more is left', 'fax', { email: 0.04, linkedin: 0.041 }, 'linkedin'],
  ])('%s', (_name, currentChannel, promises, channel) => {
    const options = Object.entries(promises).map(([name, p]) => ({ channel: name, prediction: promise(p) }));
    for (const some of [options, options.toReversed()])
      expect(decideContact({ ...snapshot, currentChannel, options: some }).channel).toBe(channel);
  });
  it.each<[string, Partial<ContactSnapshot>]>([
    ['range', { nextStep: -1 }],
    ['range', { minGapDays: -1 }],
    ['range', { daysSinceLastTouch: -1 }],
    ['size', { options: [] }],
  ])('refuses with %s: %j', (code, change) => {
    expect(() => decideContact({ ...snapshot, ...change })).toThrow(refused(code));
    expect(() =>
      decideContact({ ...snapshot, nextStep: 0, minGapDays: 0, daysSinceLastTouch: 0 }),
    ).not.toThrow();
  });
  it('gives the same bytes from a copy of the snapshot', () => {
    expect(JSON.stringify(decideContact(structuredClone(snapshot)))).toBe(
      JSON.stringify(decideContact(snapshot)),
    );
  });
});

describe('calibrate', () => {
  it('counts by hand: expected .8, observed 1', () => {
    const { observedOverExpected, brier, baseRate } = calibrate([0.1, 0.1, 0.3, 0.3], [0, 0, 1, 0]);
    expect(observedOverExpected).toBeCloseTo(1 / 0.8, 12);
    expect(baseRate).toBe(0.25);
    // (.01 + .01 + .49 + .09) / 4
    expect(brier).toBeCloseTo(0.15, 12);
  });
  it('a constant has no slope, and the order of equal predictions does not matter', () => {
    expect(calibrate([0.1, 0.1, 0.1], [0, 1, 0]).slope).toBeNull();
    expect(calibrate([0.1, 0.1, 0.2], [0, 1, 0]).ece).toBe(calibrate([0.1, 0.1, 0.2], [1, 0, 0]).ece);
  });
  it('measures the gap in ten bins of equal mass, with the predictions in any order', () => {
    const pairs = Array.from({ length: 20 }, (_, i): [number, number] => [
      0.02 + 0.04 * i,
      i % 3 === 0 ? 1 : 0,
    ]);
    let gaps = 0;
    for (let i = 0; i < 20; i += 2)
      gaps += Math.abs(pairs.slice(i, i + 2).reduce((sum, [p, y]) => sum + p - y, 0));
    const of = (order: readonly (readonly [number, number])[]) =>
      calibrate(
        order.map(([p]) => p),
        order.map(([, y]) => y),
      ).ece;
    expect(of(pairs)).toBeCloseTo(gaps / 20, 12);
    expect(of([...pairs.slice(7), ...pairs.slice(0, 7).reverse()])).toBeCloseTo(gaps / 20, 12);
    // Fewer predictions than bins: each is parted between two.
    expect(calibrate([0.1, 0.2, 0.3, 0.4, 0.9], [0, 1, 0, 0, 1]).ece).toBeCloseTo(1.7 / 5, 12);
    // Seven alike of ten and three others: seven bins hold .1 and two sevenths of a reply, three hold the rest.
    expect(
      calibrate([...Array(7).fill(0.1), 0.5, 0.5, 0.5] as number[], [1, 1, 0, 0, 0, 0, 0, 1, 0, 0]).ece,
    ).toBeCloseTo((7 * (2 / 7 - 0.1) + 3 * (0.5 - 1 / 3)) / 10, 12);
  });
  it('compares with the base rate, where there is one', () => {
    // A Brier score of .15 beside .25 x .75.
    expect(calibrate([0.1, 0.1, 0.3, 0.3], [0, 0, 1, 0]).brierSkill).toBeCloseTo(1 - 0.15 / 0.1875, 12);
    for (const all of [0, 1])
      expect(calibrate([0.1, 0.6], [all, all])).toMatchObject({
        brierSkill: null,
        slope: null,
        slopeSe: null,
      });
  });
  it.each<[string, number[], number[]]>([
    ['size', [], []],
    ['size', [0.5], [0, 1]],
    ['mass', [0, 0.5], [0, 1]],
    ['mass', [1, 0.5], [0, 1]],
    ['mass', [NaN, 0.5], [0, 1]],
    ['count', [0.5, 0.5], [0, 0.5]],
    ['count', [0.5, 0.5], [0, NaN]],
  ])('refuses with %s: %j of %j', (code, predictions, outcomes) => {
    expect(() => calibrate(predictions, outcomes)).toThrow(refused(code));
  });
});
