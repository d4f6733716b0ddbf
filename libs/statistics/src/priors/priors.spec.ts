import { platformHyperprior } from '.';

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
