import { betaInterval } from './beta-interval';
import { requireDomain } from './stats-domain-error';

/**
 * Interval of Jeffreys for an observed share, which always holds it: where none or all were counted it reaches 0 or 1.
 *
 * Shapes: scalars in, one pair out.
 * @param events - counted, >= 0 and <= trials
 * @param trials - among which they were counted, > 0
 * @param mass - probability inside; fraction in (0, 1), not a percentage
 * @returns `{ low, high }`, fractions in [0, 1], low <= events / trials <= high
 * @throws StatsDomainError with code `count` or `mass`
 *
 * Reference: Brown, Cai and DasGupta (2001), Statistical Science 16, 101-133, section 4.1.
 * Oracle: as `betaInterval`.
 *
 * @example
 * jeffreysInterval(0, 10, 0.95); // { low: 0, high: 0.21719627 }
 */
export function jeffreysInterval(
  events: number,
  trials: number,
  mass: number,
): { low: number; high: number } {
  requireDomain(
    trials > 0 && events >= 0 && events <= trials,
    'count',
    'a share needs trials, and no more events than trials',
  );
  const { low, high } = betaInterval(events + 0.5, trials - events + 0.5, mass);
  return { low: events === 0 ? 0 : low, high: events === trials ? 1 : high };
}
