import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '@outcomes/platform';
import {
  fitHyper,
  MARKET_HYPERPRIOR,
  platformHyperprior,
  type ArmCounts,
  type ArmHyperprior,
  type PriorSource,
} from '@outcomes/statistics';
import type { TenantScope } from '@outcomes/tenancy';
import { decimals, rounded } from '../documents/rounding';
import { LentPriorRepository } from './lent-prior.repository';

/** What a company's arms lean on while they have little data of their own. */
export interface BorrowedPrior {
  readonly hyperprior: ArmHyperprior;
  /** `market`: the fixed prior, because too few companies lend or this one has opted out. */
  readonly source: PriorSource;
}

export const MARKET_PRIOR: BorrowedPrior = { hyperprior: MARKET_HYPERPRIOR, source: 'market' };
/** Fewer messages or replies say more of chance than of a company. */
const FEWEST_MESSAGES = 200;
const FEWEST_REPLIES = 5;

/**
 * The prior of all companies. A company lends two numbers, the mean and the concentration of its arms, fitted with the
 * fixed market prior so that nobody gets back what they lent; from twenty lenders on, none above a tenth of the weight,
 * they make the prior of the others. Who opts out neither lends nor borrows.
 */
@Injectable()
export class PlatformPrior {
  constructor(
    @Inject(LentPriorRepository) private readonly lent: LentPriorRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Lends what the arms say and returns what others lent. */
  async exchange(scope: TenantScope, arms: readonly ArmCounts[]): Promise<BorrowedPrior> {
    if (!(await this.lent.takesPart(scope))) {
      await this.lent.withdraw(scope);
      return MARKET_PRIOR;
    }
    const messages = arms.reduce((sum, { n }) => sum + n, 0);
    const replies = arms.reduce((sum, { y }) => sum + y, 0);
    if (messages >= FEWEST_MESSAGES && replies >= FEWEST_REPLIES) {
      const hyper = fitHyper(arms);
      const two = { mean: rounded(hyper.mu), concentration: rounded(hyper.k), weight: Math.round(messages) };
      await this.lent.lend(scope, two, this.clock.now());
    } else {
      await this.lent.withdraw(scope);
    }
    return this.formed(scope);
  }

  /** What others lent, without lending. */
  async borrow(scope: TenantScope): Promise<BorrowedPrior> {
    return (await this.lent.takesPart(scope)) ? this.formed(scope) : MARKET_PRIOR;
  }

  private async formed(scope: TenantScope): Promise<BorrowedPrior> {
    const others = await this.lent.ofOthers(scope);
    const { hyperprior, source } = platformHyperprior(
      others.map(({ mean, concentration, weight }) => ({ mu: mean, k: concentration, weight })),
    );
    if (source === 'market') return MARKET_PRIOR;
    // In coarse steps: one company's day moves nobody else's numbers, and cannot be read from them.
    const { logitMean, logitSd, logKMean, logKSd } = hyperprior;
    return {
      source,
      hyperprior: {
        logitMean: decimals(logitMean, 1),
        logitSd: decimals(logitSd, 1),
        logKMean: decimals(logKMean, 1),
        logKSd: decimals(logKSd, 1),
      },
    };
  }
}
