import type { ArmCounts } from '../arms/arm-types';
import { betaInterval } from '../numerics/beta-interval';
import { exp } from '../numerics/exp';
import { logBetaUnchecked } from '../numerics/log-beta';
import { expit } from '../numerics/logistic';

/** The textbook mistake: maximum-likelihood (mu, k) plugged in as if they were known. */
export function plugInIntervals(arms: readonly ArmCounts[]): { low: number; high: number }[] {
  let best = -Infinity;
  let chosen = { mu: 0.05, k: 10 };
  for (let i = 0; i <= 30; i++) {
    const mu = expit(-6 + i * 0.2);
    for (let j = 0; j <= 20; j++) {
      const k = exp(j * 0.5);
      let log = 0;
      for (const { n, y } of arms)
        log += logBetaUnchecked(mu * k + y, (1 - mu) * k + n - y) - logBetaUnchecked(mu * k, (1 - mu) * k);
      if (log > best) {
        best = log;
        chosen = { mu, k };
      }
    }
  }
  const { mu, k } = chosen;
  return arms.map(({ n, y }) => betaInterval(mu * k + y, (1 - mu) * k + n - y, 0.95));
}
