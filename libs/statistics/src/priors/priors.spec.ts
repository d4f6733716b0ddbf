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
  it.each([
    [() => mixturePosterior([], 1, 0), 'size'],
    [() => mixturePosterior(robustPrior(0.05, 10), 1, 2), 'count'],
    [() => mixturePosterior([{ alpha: 0, beta: 1, weight: 1 }], 1, 0), 'shape'],
    [() => robustPrior(0, 10), 'mass'],
  ])('refuses bad input', (run, code) => {
    expect(run).toThrow(expect.objectContaining({ code }));
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
});
