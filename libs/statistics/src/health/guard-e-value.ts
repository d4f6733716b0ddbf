import { exp } from '../numerics/exp';
import { log } from '../numerics/log';
import { requireDomain } from '../numerics/stats-domain-error';

/** Alternatives as multiples of the tolerated rate, with their weights in the mixture. */
const ALTERNATIVES = [
  { factor: 1.6, weight: 0.15 },
  { factor: 2.5, weight: 0.45 },
  { factor: 5, weight: 0.4 },
] as const;
const HIGHEST_RATE = 0.95;
const MAX_LOG_E = log(1e300);

/**
 * Anytime-valid evidence that an event's rate exceeds a tolerated limit (one-sided).
 *
 * Mixture of Bernoulli likelihood ratios against the limit: under any rate at or below it the expected
 * value never exceeds one, so e >= 20 happens to at most one in twenty campaigns, ever, however often
 * one looks.
 *
 * Shapes: scalars in, scalar out.
 * @param events - bounces or unsubscribes, 0 <= events <= sends
 * @param sends - finite, >= 0
 * @param limit - tolerated rate, in (0, 0.5)
 * @returns e-value, > 0, capped at 1e300
 * @throws StatsDomainError with code `count` or `probability`
 *
 * Reference: Ramdas, Grunwald, Vovk and Shafer (2023), Game-theoretic statistics and safe anytime-valid inference.
 * Oracle: fixtures/guard.json (betting martingales of confseq), rtol 1e-10; Ville's inequality by simulation,
 * verify:statistics.
 *
 * @example
 * guardEValue(10, 60, 0.03); // 5703.7
 */
export function guardEValue(events: number, sends: number, limit: number): number {
  requireDomain(
    events >= 0 && events <= sends && sends < Infinity,
    'count',
    'events must lie between zero and the sends',
  );
  requireDomain(limit > 0 && limit < 0.5, 'probability', 'a tolerated rate must be in (0, 0.5)');
  let value = 0;
  for (const { factor, weight } of ALTERNATIVES) {
    const rate = Math.min(HIGHEST_RATE, limit * factor);
    const logE = events * log(rate / limit) + (sends - events) * log((1 - rate) / (1 - limit));
    value += weight * exp(Math.min(MAX_LOG_E, logE));
  }
  return value;
}
