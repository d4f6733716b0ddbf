import { calibrate, drawBeta, drawBinomial, intervalCoverage, logScore, observedOverExpected } from '..';
import { betaInterval } from '../numerics';
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
  it.each([
    [[cell(0, 1, 0)], 'mass'],
    [[cell(0.1, 1, 2)], 'count'],
  ])('refuse %j', (cells, code) => {
    expect(() => logScore(cells)).toThrow(expect.objectContaining({ code }));
  });
});

describe('intervalCoverage', () => {
  const rng = seededRng(5);
  // Truths drawn from the posteriors that the intervals state: sound by construction.
  const sound = Array.from({ length: 2_000 }, (): PredictionCell => {
    const [alpha, beta] = [5 + 20 * rng.next(), 100 + 300 * rng.next()];
    const n = 200 + Math.floor(400 * rng.next());
    return {
      probability: alpha / (alpha + beta),
      ...betaInterval(alpha, beta, 0.95),
      n,
      y: drawBinomial(rng, n, drawBeta(rng, alpha, beta)),
    };
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
    const ratio = calibrate(predictions, [0, 0, 1, 0]).observedOverExpected ?? 0;
    expect(observedOverExpected(1, 0.8).ratio).toBeCloseTo(ratio, 12);
  });
});
