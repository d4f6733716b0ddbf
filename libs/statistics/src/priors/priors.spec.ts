import { incompleteBeta } from '../numerics';
import { mixturePosterior, platformHyperprior, robustPrior } from '.';

describe('mixture priors', () => {
  it('one component is the conjugate posterior, exactly: (2 + 3) / (20 + 30) = 0.1', () => {
    const posterior = mixturePosterior([{ alpha: 2, beta: 18, weight: 1 }], 30, 3);
    expect(posterior.mean).toBeCloseTo(0.1, 12);
    expect(posterior.alpha).toBeCloseTo(5, 8);
    expect(posterior.beta).toBeCloseTo(45, 8);
    expect(incompleteBeta(posterior.low, 5, 45)).toBeCloseTo(0.025, 10);
  });
  it('data that contradict the borrowed mean hand the weight to the vague part', () => {
    const weights = (y: number): number =>
      mixturePosterior(robustPrior(0.034, 20), 100, y).components[1]?.weight as number;
    expect(weights(3)).toBeLessThan(0.2);
    expect(weights(20)).toBeGreaterThan(2 * weights(3));
  });
  it('a borrowed prior is never worth more than twenty sends', () => {
    const [borrowed] = robustPrior(0.05, 5000);
    expect((borrowed?.alpha ?? 0) + (borrowed?.beta ?? 0)).toBeCloseTo(20, 12);
  });
  it('moments and interval are those of the prior times the likelihood, integrated', () => {
    // .8 Beta(1, 19) + .2 Beta(.5, 9.5), whose constants are 19 and gamma(10) / (gamma(.5) gamma(9.5)).
    const vague = 362_880 / (Math.sqrt(Math.PI) * 119_292.461_994_609_3);
    const [n, y, points] = [50, 9, 20_000];
    const density = (p: number): number =>
      (0.8 * 19 * (1 - p) ** 18 + (0.2 * vague * (1 - p) ** 8.5) / Math.sqrt(p)) *
      p ** y *
      (1 - p) ** (n - y);
    const integral = (value: (p: number) => number): number => {
      let sum = 0;
      for (let i = 0; i < points; i++) sum += value((i + 0.5) / points) * density((i + 0.5) / points);
      return sum;
    };
    const mass = integral(() => 1);
    const mean = integral((p) => p) / mass;
    const posterior = mixturePosterior(robustPrior(0.05, 20), n, y);
    expect(posterior.mean).toBeCloseTo(mean, 8);
    expect(posterior.variance).toBeCloseTo(integral((p) => (p - mean) ** 2) / mass, 8);
    const narrow = mixturePosterior(robustPrior(0.05, 20), n, y, 0.8);
    for (const [end, below] of [
      [posterior.low, 0.025],
      [posterior.high, 0.975],
      [narrow.low, 0.1],
      [narrow.high, 0.9],
    ] as const)
      expect(integral((p) => Number(p < end)) / mass).toBeCloseTo(below, 3);
    const { alpha, beta } = posterior;
    expect(alpha / (alpha + beta)).toBeCloseTo(posterior.mean, 12);
    expect((alpha * beta) / ((alpha + beta) ** 2 * (alpha + beta + 1))).toBeCloseTo(posterior.variance, 12);
  });
  it('without data is the prior, and with a million sends the data', () => {
    const prior = robustPrior(0.05, 20);
    const before = mixturePosterior(prior, 0, 0);
    expect(before.components.map(({ alpha, beta }) => [alpha, beta])).toEqual([
      [1, 19],
      [0.5, 9.5],
    ]);
    expect(before.mean).toBeCloseTo(0.05, 12);
    const after = mixturePosterior(prior, 1e6, 4e5);
    expect(after.mean).toBeCloseTo(0.4, 5);
    expect((after.high - after.low) / Math.sqrt((0.4 * 0.6) / 1e6)).toBeCloseTo(2 * 1.96, 2);
    expect(mixturePosterior(prior, 7, 7).mean).toBeGreaterThan(0.2);
  });
  const one = { alpha: 1, beta: 1, weight: 1 };
  it.each<[string, string, (bad: number) => unknown, number[]]>([
    ['sends', 'count', (n) => mixturePosterior([one], n, 0), [-1, NaN, Infinity]],
    ['replies', 'count', (y) => mixturePosterior([one], 1, y), [-1, 2, NaN]],
    ['mass', 'mass', (mass) => mixturePosterior([one], 1, 0, mass), [0, 1, NaN]],
    ['alpha', 'shape', (alpha) => mixturePosterior([{ ...one, alpha }], 1, 0), [0, Infinity]],
    ['beta', 'shape', (beta) => mixturePosterior([{ ...one, beta }], 1, 0), [0, Infinity]],
    ['weight', 'shape', (weight) => mixturePosterior([{ ...one, weight }], 1, 0), [0, Infinity]],
    ['components', 'size', (length) => mixturePosterior(Array(length).fill(one) as never, 1, 0), [0]],
    ['a mean', 'mass', (mean) => robustPrior(mean, 10), [0, 1, NaN]],
    ['sends of a prior', 'shape', (sends) => robustPrior(0.1, sends), [0, Infinity]],
  ])('refuses %s: %s', (_name, code, run, bad) => {
    for (const value of bad) expect(() => run(value)).toThrow(expect.objectContaining({ code }));
  });
});

describe('the platform hyper-prior', () => {
  const company = (mu: number, weight: number): { mu: number; k: number; weight: number } => ({
    mu,
    k: 40,
    weight,
  });
  it('takes at least twenty companies', () => {
    const many = Array.from({ length: 20 }, () => company(0.08, 1));
    expect(platformHyperprior(many.slice(1)).source).toBe('market');
    const { source, hyperprior } = platformHyperprior(many);
    expect(source).toBe('platform');
    expect(hyperprior.logitMean).toBeCloseTo(Math.log(0.08 / 0.92), 10);
  });
  it('lets no company above a tenth of the weight: 0.9 x logit(.02) + 0.1 x logit(.5)', () => {
    const companies = [...Array.from({ length: 24 }, () => company(0.02, 1)), company(0.5, 1e9)];
    expect(platformHyperprior(companies).hyperprior.logitMean).toBeCloseTo(0.9 * Math.log(0.02 / 0.98), 6);
  });
  it('has the weighted moments of the companies, the variance by the effective number of them', () => {
    // Half at logit -2, half at -4 and of twice the weight: mean -10/3, variance 8/9, effective number 30^2 / 50 = 18.
    const rate = (x: number): number => 1 / (1 + Math.exp(-x));
    const companies = Array.from({ length: 20 }, (_, i) => ({
      ...(i % 2 ? { mu: rate(-2), weight: 1 } : { mu: rate(-4), weight: 2 }),
      k: 40 * Math.exp(i % 2 ? 2 : -1),
    }));
    const { hyperprior } = platformHyperprior(companies);
    const factor = Math.sqrt(18 / 17);
    expect(hyperprior.logitMean).toBeCloseTo(-10 / 3, 10);
    expect(hyperprior.logitSd).toBeCloseTo(Math.sqrt(8 / 9) * factor, 10);
    expect(hyperprior.logKMean).toBeCloseTo(Math.log(40), 10);
    expect(hyperprior.logKSd).toBeCloseTo(Math.sqrt(2) * factor, 10);
  });
  it('never claims that companies are alike', () => {
    const { hyperprior } = platformHyperprior(Array.from({ length: 20 }, () => company(0.08, 1)));
    expect(hyperprior).toMatchObject({ logitSd: 0.4, logKSd: 0.7 });
  });
  it('lets no company above a tenth that comes there only because another was capped', () => {
    // 1e9 is capped first; 10 of 33 of the rest is then above a tenth, and what is left goes to the others.
    const rates = [0.5, 0.2, ...Array.from({ length: 23 }, () => 0.02)];
    const companies = rates.map((mu, i) => company(mu, [1e9, 10][i] ?? 1));
    const logit = (p: number): number => Math.log(p / (1 - p));
    expect(platformHyperprior(companies).hyperprior.logitMean).toBeCloseTo(
      0.1 * logit(0.2) + 0.8 * logit(0.02),
      10,
    );
  });
  it.each<[string, string, (bad: number) => unknown, number[]]>([
    ['a concentration', 'range', (k) => platformHyperprior([{ mu: 0.1, k, weight: 1 }]), [0, NaN, Infinity]],
    ['a weight', 'range', (weight) => platformHyperprior([{ mu: 0.1, k: 1, weight }]), [0, NaN, Infinity]],
    ['a rate', 'mass', (mu) => platformHyperprior([{ mu, k: 1, weight: 1 }]), [0, 1]],
  ])('refuses %s: %s', (_name, code, run, bad) => {
    for (const value of bad) expect(() => run(value)).toThrow(expect.objectContaining({ code }));
  });
});
