import { requireDomain } from '../numerics/stats-domain-error';

/** The reply rates of messages with a pattern and of those without it. */
export interface RatePair {
  readonly with: number;
  readonly without: number;
}

/**
 * The two reply rates that an odds ratio means where the messages together are at a given level.
 *
 * Shapes: three numbers in, one pair out.
 * @param level - reply rate of all the messages together, in (0, 1)
 * @param share - share of them that have the pattern, in [0, 1]
 * @param oddsRatio - odds of a reply with it over those without it, above 0 and finite
 * @returns two probabilities with share * with + (1 - share) * without = level
 * @throws StatsDomainError with code `probability` or `range`
 *
 * Reference: the definition of an odds ratio; with o the odds without it, a quadratic in o with one root above 0.
 * Oracle: the two identities, which properties hold.
 *
 * @example
 * ratesAtOdds(0.05, 0.5, 1); // { with: 0.05, without: 0.05 }
 */
export function ratesAtOdds(level: number, share: number, oddsRatio: number): RatePair {
  requireDomain(
    level > 0 && level < 1 && share >= 0 && share <= 1,
    'probability',
    'a level must be in (0, 1) and a share in [0, 1]',
  );
  requireDomain(oddsRatio > 0 && oddsRatio < Infinity, 'range', 'an odds ratio must be above 0 and finite');
  const a = oddsRatio * (1 - level);
  const b = share * oddsRatio + (1 - share) - level * (1 + oddsRatio);
  const root = Math.sqrt(b * b + 4 * a * level);
  // Of the two forms of the root the one that subtracts nothing.
  const odds = b > 0 ? (2 * level) / (b + root) : (root - b) / (2 * a);
  return { with: (oddsRatio * odds) / (1 + oddsRatio * odds), without: odds / (1 + odds) };
}

/** Messages that may take a piece of advice, all of one level of replies. */
export interface AdvisedMessages {
  /** how many there are in the period that a gain is told for, >= 0 */
  readonly messages: number;
  /** share of them that have the pattern now, in [0, 1] */
  readonly share: number;
  /** their reply rate, in (0, 1) */
  readonly level: number;
}

/** An effect as an odds ratio: what to expect of it, and the ends of its interval. */
export interface EffectOdds {
  readonly expected: number;
  readonly low: number;
  readonly high: number;
}

export interface ExpectedGain {
  readonly replies: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Replies gained where every message takes a piece of advice: all have the pattern, or, where it costs replies, none.
 *
 * Shapes: any number of groups of messages and one effect in, one record out.
 * @param groups - messages by their level of replies, such as by channel
 * @param effect - odds ratios above 0 and finite, low <= expected <= high; above 1 the advice is to do more of it
 * @returns replies in the period of `messages`, and the same at both ends of the interval; below 0 where an end lies
 * on the other side of 1
 * @throws StatsDomainError with code `probability` or `range`
 *
 * Reference: standardisation of a marginal effect over the messages that change; Hernan and Robins (2020), section 13.3.
 * Oracle: by hand, in the tests.
 *
 * @example
 * expectedGain([], { expected: 1.5, low: 1.2, high: 2 }); // { replies: 0, low: 0, high: 0 }
 */
export function expectedGain(groups: readonly AdvisedMessages[], effect: EffectOdds): ExpectedGain {
  const isUp = effect.expected > 1;
  const at = (oddsRatio: number): number =>
    groups.reduce((sum, { messages, share, level }) => {
      const rates = ratesAtOdds(level, share, oddsRatio);
      return (
        sum +
        (isUp
          ? messages * (1 - share) * (rates.with - rates.without)
          : messages * share * (rates.without - rates.with))
      );
    }, 0);
  const [weak, strong] = isUp ? [effect.low, effect.high] : [effect.high, effect.low];
  return { replies: at(effect.expected), low: at(weak), high: at(strong) };
}
