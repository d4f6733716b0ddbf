import oracle from '../../fixtures/coverage.json';
import {
  armInCampaign,
  calibrate,
  drawBeta,
  drawBinomial,
  intervalCoverage,
  logScore,
  observedOverExpected,
  predictContact,
} from '..';
import { betaInterval, incompleteBeta } from '../numerics';
import { seededRng } from '../random';
import { type PredictionCell, reliabilityBins } from '.';

const cell = (probability: number, n: number, y: number): PredictionCell => ({
  probability,
  low: probability * 0.8,
  high: probability * 1.2,
  n,
  y,
});

describe('reliabilityBins', () => {
  it('orders by prediction, loses nobody and parts no equal predictions', () => {
    const cells = [cell(0.3, 40, 12), cell(0.1, 900, 80), cell(0.2, 60, 11)];
    const bins = reliabilityBins(cells, 10);
    expect(bins.map(({ n, predicted }) => [n, predicted])).toEqual([
      [900, 0.1],
      [60, expect.closeTo(0.2, 12) as number],
      [40, expect.closeTo(0.3, 12) as number],
    ]);
    for (const { low, observed, high } of bins)
      expect([low < observed, observed < high]).toEqual([true, true]);
  });
  it('makes bins of about equal mass, weighs their predictions and ends at Jeffreys limits', () => {
    const tenths = [0.1, 0.2, 0.3, 0.4].map((p) => cell(p, 10, 2));
    expect(reliabilityBins(tenths, 2).map(({ n, y }) => [n, y])).toEqual([
      [20, 4],
      [20, 4],
    ]);
    expect(reliabilityBins(tenths, 3).map(({ n }) => n)).toEqual([20, 10, 10]);
    const [only, ...more] = reliabilityBins([cell(0.1, 10, 1), cell(0.15, 0, 0), cell(0.2, 30, 7)], 1);
    expect(more).toEqual([]);
    expect(only?.predicted).toBeCloseTo((10 * 0.1 + 30 * 0.2) / 40, 12);
    expect(only).toMatchObject({ n: 40, y: 8, observed: 0.2 });
    expect(incompleteBeta(only?.low ?? 0, 8.5, 32.5)).toBeCloseTo(0.025, 10);
    expect(incompleteBeta(only?.high ?? 0, 8.5, 32.5)).toBeCloseTo(0.975, 10);
    expect(reliabilityBins([cell(0.1, 0, 0), cell(0.2, 5, 1)], 2).map(({ n }) => n)).toEqual([5]);
  });
  it('is empty without predictions, and shows 0 and 1 with honest ends', () => {
    expect(reliabilityBins([], 10)).toEqual([]);
    expect(reliabilityBins([cell(0.1, 20, 0)], 1)[0]).toMatchObject({ observed: 0, low: 0 });
    expect(reliabilityBins([cell(0.1, 20, 20)], 1)[0]).toMatchObject({ observed: 1, high: 1 });
  });
});

describe('scores', () => {
  it('agree with their definitions', () => {
    expect(logScore([cell(0.25, 4, 1)])).toBeCloseTo((Math.log(0.25) + 3 * Math.log(0.75)) / 4, 12);
    expect(logScore([])).toBeNull();
    // Exact Poisson limits of 10 replies: 4.795 and 18.390 (Garwood).
    const { low, high } = observedOverExpected(10, 10);
    expect([low, high]).toEqual([expect.closeTo(0.4795, 3), expect.closeTo(1.839, 3)]);
    expect(observedOverExpected(0, 2)).toMatchObject({ ratio: 0, low: 0 });
  });
  const fine = cell(0.1, 1, 0);
  it.each<[PredictionCell, string]>([
    [{ ...fine, probability: 0 }, 'mass'],
    [{ ...fine, probability: 1 }, 'mass'],
    [{ ...fine, low: -0.1 }, 'mass'],
    [{ ...fine, high: 1.1 }, 'mass'],
    [{ ...fine, low: 0.2, high: 0.2 }, 'mass'],
    [cell(0.1, 1, 2), 'count'],
    [cell(0.1, 1, -1), 'count'],
  ])('refuse %j', (bad, code) => {
    const refused = expect.objectContaining({ code });
    expect(() => logScore([fine, bad])).toThrow(refused);
    expect(() => reliabilityBins([bad], 1)).toThrow(refused);
    expect(() => intervalCoverage([bad], 1)).toThrow(refused);
  });
  it.each<[string, string, () => unknown]>([
    ['no bins', 'range', () => reliabilityBins([], 0)],
    ['negative replies', 'count', () => observedOverExpected(-1, 1)],
    ['nothing expected', 'mass', () => observedOverExpected(1, 0)],
    ['cells that expect nothing', 'range', () => intervalCoverage([], 0)],
  ])('refuse %s: %s', (_name, code, run) => {
    expect(run).toThrow(expect.objectContaining({ code }));
  });
});

describe('intervalCoverage', () => {
  it('is exact where every number of replies is as likely: 2 to 97 of 99', () => {
    // Beta(1, 1) has the variance 1 / 12: on the logit at one half a standard deviation of 4 / sqrt(12).
    const end = (1.959963984540054 * 4) / Math.sqrt(12);
    const uniform = { probability: 0.5, low: 1 / (1 + Math.exp(end)), high: 1 / (1 + Math.exp(-end)), n: 99 };
    const covered = (y: number): number => intervalCoverage([{ ...uniform, y }], 49.5).covered;
    expect([0, 1, 2, 50, 97, 98, 99].map(covered)).toEqual([0, 0, 1, 1, 1, 0, 0]);
    expect(intervalCoverage([{ ...uniform, y: 50 }], 49.6).cells).toBe(0);
  });
  it.each(oracle.cases)(
    'is exact of $n predictions of $probability, $low to $high',
    ({ fewest, most, ...cell }) => {
      const covered = (y: number): number => intervalCoverage([{ ...cell, y }], 1e-9).covered;
      for (const y of [fewest, most, Math.round(cell.n * cell.probability)]) expect(covered(y)).toBe(1);
      for (const y of [fewest - 1, most + 1].filter((y) => y >= 0 && y <= cell.n)) expect(covered(y)).toBe(0);
    },
  );
  it('is said of the intervals of a new campaign, however much campaigns differ', () => {
    for (const variance of [0.1, 1, 2.2, 10, 1_000])
      for (const mean of [0.01, 0.2, 0.6, 0.9]) {
        const arm = { alpha: 40 * mean, beta: 40 * (1 - mean) };
        const { alpha, beta } = armInCampaign(arm, { replies: 0, expected: 0, variance });
        const { probability, low, high } = predictContact(null, { alpha, beta }, []);
        for (const n of [10, 5_000]) {
          const asPredicted = { probability, low, high, n, y: Math.round(n * probability) };
          const { cells, covered } = intervalCoverage([asPredicted], 1e-9);
          expect(cells).toBe(1);
          // Beyond that the mean itself may lie outside of the interval.
          if (variance <= 10) expect(covered).toBe(1);
        }
      }
  });
  let sound: PredictionCell[];
  beforeAll(() => {
    const rng = seededRng(5);
    // Truths drawn from the posteriors that the intervals state: sound by construction.
    sound = Array.from({ length: 2_000 }, (): PredictionCell => {
      const [alpha, beta] = [5 + 20 * rng.next(), 100 + 300 * rng.next()];
      const n = 200 + Math.floor(400 * rng.next());
      return {
        probability: alpha / (alpha + beta),
        ...betaInterval(alpha, beta, 0.95),
        n,
        y: drawBinomial(rng, n, drawBeta(rng, alpha, beta)),
      };
    });
  });
  it('is 95 % or a little more where the intervals are sound', () => {
    const { cells, covered } = intervalCoverage(sound, 2);
    expect(cells).toBe(2_000);
    expect(covered / cells).toBeGreaterThan(0.935);
    expect(covered / cells).toBeLessThan(0.985);
  });
  it('falls where the intervals are a third as wide as they should be', () => {
    const narrow = sound.map((one) => ({
      ...one,
      low: one.probability - (one.probability - one.low) / 3,
      high: one.probability + (one.high - one.probability) / 3,
    }));
    const { cells, covered } = intervalCoverage(narrow, 2);
    expect(covered / cells).toBeLessThan(0.85);
  });
  it('leaves out what announces nothing', () => {
    expect(intervalCoverage([cell(0.05, 20, 0)], 2)).toEqual({ cells: 0, covered: 0 });
  });
  it('and the ratio agree with calibrate', () => {
    const predictions = [0.1, 0.1, 0.3, 0.3];
    const ratio = calibrate(predictions, [0, 0, 1, 0]).observedOverExpected;
    expect(observedOverExpected(1, 0.8).ratio).toBeCloseTo(ratio, 12);
  });
});
