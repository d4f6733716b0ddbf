import { incompleteBeta, incompleteGamma, normalCdf } from '../numerics';
import {
  drawBeta,
  drawBinomial,
  drawGamma,
  drawIndex,
  drawNormal,
  drawPoisson,
  type Rng,
  seededRng,
} from '.';

const DRAWS = 2_000;
const code = (name: string) => expect.objectContaining({ code: name });
const draws = (draw: (rng: Rng) => number, seed = 3): number[] => {
  const rng = seededRng(seed);
  return Array.from({ length: DRAWS }, () => draw(rng));
};

describe('continuous draws follow their distribution function', () => {
  it.each<[string, (rng: Rng) => number, (x: number) => number]>([
    ['uniform', (rng) => rng.next(), (x) => x],
    ['normal', drawNormal, normalCdf],
    ...[0.2, 1, 1.4, 40].map((shape): [string, (rng: Rng) => number, (x: number) => number] => [
      `Gamma(${shape})`,
      (rng) => drawGamma(rng, shape),
      (x) => incompleteGamma(shape, x).lower,
    ]),
    ['Beta(0.3, 2)', (rng) => drawBeta(rng, 0.3, 2), (x) => incompleteBeta(x, 0.3, 2)],
    ['Beta(30, 7)', (rng) => drawBeta(rng, 30, 7), (x) => incompleteBeta(x, 30, 7)],
  ])('%s', (_name, draw, distribution) => {
    const sorted = draws(draw).sort((a, b) => a - b);
    const furthest = Math.max(
      ...sorted.map((x, i) => Math.max(distribution(x) - i / DRAWS, (i + 1) / DRAWS - distribution(x))),
    );
    // Kolmogorov and Smirnov's limit that one sample in a thousand exceeds.
    expect(furthest).toBeLessThan(1.95 / Math.sqrt(DRAWS));
  });
});

/** Probabilities of 0, 1, ... from that of 0 and the ratio of each to the one before. */
function probabilities(zero: number, ratio: (k: number) => number, length: number): number[] {
  const all = [zero];
  while (all.length < length) all.push((all.at(-1) as number) * ratio(all.length));
  return all;
}
const poisson = (mean: number, length: number): number[] =>
  probabilities(Math.exp(-mean), (k) => mean / k, length);
const binomial = (n: number, p: number): number[] =>
  probabilities((1 - p) ** n, (k) => ((n + 1 - k) / k) * (p / (1 - p)), n + 1);

describe('counts follow their probabilities', () => {
  it.each<[string, (rng: Rng) => number, number[]]>([
    ['Poisson(0.7)', (rng) => drawPoisson(rng, 0.7), poisson(0.7, 12)],
    ['Poisson(30)', (rng) => drawPoisson(rng, 30), poisson(30, 90)],
    ['Poisson(75)', (rng) => drawPoisson(rng, 75), poisson(75, 160)],
    ['Binomial(1, 0.4)', (rng) => drawBinomial(rng, 1, 0.4), binomial(1, 0.4)],
    ['Binomial(12, 0.3)', (rng) => drawBinomial(rng, 12, 0.3), binomial(12, 0.3)],
    ['Binomial(12, 0.9)', (rng) => drawBinomial(rng, 12, 0.9), binomial(12, 0.9)],
    ['Binomial(100, 0.4)', (rng) => drawBinomial(rng, 100, 0.4), binomial(100, 0.4)],
    ['Binomial(301, 0.45)', (rng) => drawBinomial(rng, 301, 0.45), binomial(301, 0.45)],
    ['an index of 1 : 3 : 0 : 4', (rng) => drawIndex(rng, [1, 3, 0, 4]), [1 / 8, 3 / 8, 0, 1 / 2]],
  ])('%s', (_name, draw, expected) => {
    const seen = draws(draw);
    expect(seen.every((count) => Number.isInteger(count) && count >= 0 && count < expected.length)).toBe(
      true,
    );
    // The counts' distribution function, at every count; discrete steps only make the limit safer.
    const tally = expected.map(() => 0);
    for (const count of seen) tally[count] = (tally[count] as number) + 1;
    let [below, share, furthest] = [0, 0, 0];
    expected.forEach((probability, count) => {
      below += probability;
      share += (tally[count] as number) / DRAWS;
      furthest = Math.max(furthest, Math.abs(share - below));
    });
    expect(furthest).toBeLessThan(1.95 / Math.sqrt(DRAWS));
    const mean = expected.reduce((sum, probability, count) => sum + probability * count, 0);
    const variance = expected.reduce((sum, probability, count) => sum + probability * (count - mean) ** 2, 0);
    const average = seen.reduce((a, b) => a + b) / DRAWS;
    expect(Math.abs(average - mean)).toBeLessThan(4 * Math.sqrt(variance / DRAWS));
  });

  it('what is certain is drawn', () => {
    const rng = seededRng(1);
    expect([drawPoisson(rng, 0), drawBinomial(rng, 9, 0), drawBinomial(rng, 9, 1)]).toEqual([0, 0, 9]);
    expect([drawBinomial(rng, 0, 0.5), drawIndex(rng, [0, 0, 2])]).toEqual([0, 2]);
  });
});

describe('seeds', () => {
  it('give one stream each, unlike that of the next seed', () => {
    const stream = (seed: number) => {
      const rng = seededRng(seed);
      return Array.from({ length: 400 }, () => rng.next());
    };
    expect(stream(7)).toEqual(stream(7));
    expect(stream(7 + 2 ** 32)).toEqual(stream(7));
    const firsts = Array.from({ length: DRAWS }, (_, seed) => seededRng(seed).next()).sort((a, b) => a - b);
    expect(Math.max(...firsts.map((x, i) => Math.abs(x - i / DRAWS)))).toBeLessThan(1.95 / Math.sqrt(DRAWS));
    const [one, next] = [stream(7), stream(8)];
    const product = one.reduce((sum, x, i) => sum + (x - 0.5) * ((next[i] as number) - 0.5), 0);
    // A correlation of twelve times this mean, four standard deviations of 1 / sqrt(400) at most.
    expect(Math.abs((12 * product) / 400)).toBeLessThan(4 / 20);
  });
});

describe('arguments outside the domain are refused', () => {
  const rng = seededRng(1);
  it.each<[string, string, (bad: number) => unknown, number[]]>([
    ['a seed', 'range', seededRng, [0.5, NaN, 2 ** 53]],
    ['weights', 'size', (weight) => drawIndex(rng, [weight, 0]), [0, NaN]],
    ['a gamma shape', 'shape', (shape) => drawGamma(rng, shape), [0, -1, NaN, Infinity]],
    ['a Poisson mean', 'range', (mean) => drawPoisson(rng, mean), [-1, NaN, Infinity]],
    ['trials', 'count', (n) => drawBinomial(rng, n, 0.5), [-1, 1.5, NaN]],
    ['a chance', 'probability', (p) => drawBinomial(rng, 3, p), [-0.1, 1.1, NaN]],
  ])('%s: %s', (_name, expected, run, bad) => {
    for (const value of bad) expect(() => run(value)).toThrow(code(expected));
  });
});
