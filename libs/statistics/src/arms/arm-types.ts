import { log } from '../numerics/log';

/** One arm's counts: sends and replies, possibly discounted or weighted, so fractions are welcome. */
export interface ArmCounts {
  /** matured (or maturity-weighted) sends, >= 0 */
  readonly n: number;
  /** replies among them, 0 <= y <= n */
  readonly y: number;
}

/** Hyper-prior of a company's arms: logit of the mean rate and log of the concentration, both normal. */
export interface ArmHyperprior {
  readonly logitMean: number;
  readonly logitSd: number;
  readonly logKMean: number;
  readonly logKSd: number;
}

/**
 * The fixed market prior: a mean reply rate about 5 % with a factor of three and a half either way,
 * and arms that differ from one another as 30 sends' worth of information would allow.
 */
export const MARKET_HYPERPRIOR: ArmHyperprior = {
  logitMean: -3,
  logitSd: 1.3,
  logKMean: log(30),
  logKSd: 1.4,
};

export interface ArmFitOptions {
  /** defaults to the fixed market prior */
  readonly hyperprior?: ArmHyperprior;
  /** probability inside the interval, in (0, 1); default 0.95 */
  readonly mass?: number;
}

export interface RatePosterior {
  readonly alpha: number;
  readonly beta: number;
  /** alpha / (alpha + beta), exactly */
  readonly mean: number;
  /** alpha beta / ((alpha + beta)^2 (alpha + beta + 1)), exactly */
  readonly variance: number;
  /** equal-tailed interval of Beta(alpha, beta) */
  readonly low: number;
  readonly high: number;
  /** the arm's own sends, as weighted by the caller */
  readonly effectiveN: number;
  /** weight of the arm's own data in its posterior mean, n / (n + k) averaged over k; in [0, 1) */
  readonly ownDataShare: number;
}

export interface ArmPosterior extends RatePosterior {
  /** probability that this arm has the highest rate of all; the shares sum to one */
  readonly pBest: number;
  /** share of sends that top-two sampling with parameter 1/2 would give this arm; the shares sum to one */
  readonly topTwoShare: number;
}

export interface ArmsFit<Posterior extends RatePosterior = ArmPosterior> {
  readonly arms: readonly Posterior[];
  /** posterior means of the company's mean rate and of its concentration */
  readonly hyper: { readonly mu: number; readonly k: number };
  /** posterior of the rate of one more such arm, of which nothing has been sent: over all (mu, k), never their means */
  readonly unseen: RatePosterior;
}

export type RatesFit = ArmsFit<RatePosterior>;
