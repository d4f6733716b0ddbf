import { log } from '../numerics/log';
import { requireDomain } from '../numerics/stats-domain-error';
import { EVIDENCE_SUMS, type EvidenceSums, noSums, setUnitSums } from './evidence-sums';
import { logEValue } from './log-e-value';

/** Beyond this many times the messages so far the honest answer is "never". */
const MAX_TIMES = 1_000;
const PRECISION = 0.001;

function scaled(sums: EvidenceSums, times: number): number {
  const more = new Float64Array(EVIDENCE_SUMS);
  for (let i = 0; i < EVIDENCE_SUMS; i++) more[i] = times * (sums[i] as number);
  return logEValue(more);
}

/**
 * Further messages until a claim is confirmed, if those to come are like those so far.
 *
 * Shapes: 18 numbers and scalars in, one number out.
 * @param sums - B, P, Q per sigma
 * @param messages - that took part in the comparison so far, >= 0
 * @param logThreshold - log e-value at which the claim is confirmed
 * @returns whole number >= 0, or null where a thousand times the messages would not do
 * @throws StatsDomainError with code `size`
 *
 * More of the same multiplies all sums by one number; the smallest that passes is found by bisection.
 * Reference: statistics design, section 2.2.
 *
 * @example
 * sendsToConfirm(new Float64Array(18), 500, 3); // null
 */
export function sendsToConfirm(sums: EvidenceSums, messages: number, logThreshold: number): number | null {
  if (logEValue(sums) >= logThreshold) return 0;
  if (!(messages > 0) || scaled(sums, MAX_TIMES) < logThreshold) return null;
  let low = 1;
  let high = 2;
  while (scaled(sums, high) < logThreshold && high < MAX_TIMES) {
    low = high;
    high *= 2;
  }
  while (high - low > PRECISION * low) {
    const middle = 0.5 * (low + high);
    if (scaled(sums, middle) < logThreshold) low = middle;
    else high = middle;
  }
  return Math.ceil((high - 1) * messages);
}

/** Effect that a trial should be able to tell: half as many replies again, while replies are rare. */
export const TRIAL_ODDS_RATIO = 1.5;
/** Large enough for its replies to be no whole numbers' concern. */
const SOME_MESSAGES = 1_000;

/**
 * Messages that a trial needs: half of them with a level, inside one campaign, each text sent both ways, until an odds
 * ratio of TRIAL_ODDS_RATIO is confirmed.
 *
 * Shapes: scalars in, one number out.
 * @param rate - reply rate without the effect, in [0, 1]
 * @param logThreshold - log e-value at which a claim is confirmed
 * @returns whole number > 0, or null where nobody or everybody answers
 * @throws StatsDomainError with code `probability`
 *
 * Where texts are sent both ways they differ by nothing else, so the expected score is that of the messages alone.
 * Reference: statistics design, sections 2.1 and 2.2.
 *
 * @example
 * sendsOfTrial(0.05, Math.log(20 * 51)); // 9383
 */
export function sendsOfTrial(rate: number, logThreshold: number): number | null {
  requireDomain(rate >= 0 && rate <= 1, 'probability', 'a reply rate must be in [0, 1]');
  if (rate === 0 || rate === 1) return null;
  const variance = (SOME_MESSAGES * rate * (1 - rate)) / 4;
  const sums = noSums();
  setUnitSums(sums, log(TRIAL_ODDS_RATIO) * variance, variance, 0);
  const more = sendsToConfirm(sums, SOME_MESSAGES, logThreshold);
  return more === null ? null : SOME_MESSAGES + more;
}
