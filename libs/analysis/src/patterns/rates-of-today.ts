import type { DriftDocument, PatternEvidence } from '@outcomes/contracts';
import { rounded } from '../documents/rounding';

/** Where replies stand since they last changed. */
export interface ReplyLevel {
  /** First send day since the last change of any channel. */
  readonly since: string;
  /** Reply rate of the settled messages of all channels, of each since its own last change. */
  readonly rate: number;
}

/** @returns undefined where replies never changed, or what has settled since has no level: no reply, or nothing else */
export function replyLevel({ channels }: Pick<DriftDocument, 'channels'>): ReplyLevel | undefined {
  const since = channels
    .flatMap(({ changes }) => changes.at(-1)?.since ?? [])
    .sort()
    .at(-1);
  const settled = channels.reduce((sum, { rate }) => sum + rate.n, 0);
  const replies = channels.reduce((sum, { rate }) => sum + (rate.value ?? 0) * rate.n, 0);
  return since === undefined || replies === 0 || replies >= settled
    ? undefined
    : { since, rate: replies / settled };
}

/** An effect beyond this is none that a rate could show. */
const MOST_ODDS = 1e6;

/**
 * Evidence with its reply rates as they are today. Where replies changed after it began, what was observed mixes two
 * times: then the odds ratio, which compares inside fortnights and so outlives a change, is shown at the level of today,
 * for the share of messages that have the pattern. The interval is that of the effect.
 * @param level - undefined where replies never changed
 */
export function evidenceOfToday(evidence: PatternEvidence, level: ReplyLevel | undefined): PatternEvidence {
  const { with_rate, without_rate, counted_since, odds_ratio, odds_ratio_low, odds_ratio_high } = evidence;
  const messages = with_rate.n + without_rate.n;
  if (level === undefined || messages === 0 || (counted_since !== null && counted_since >= level.since))
    return evidence;
  const at = (ratio: number) =>
    ratesAt(level.rate, with_rate.n / messages, Math.min(MOST_ODDS, Math.max(1 / MOST_ODDS, ratio)));
  const [middle, low, high] = [at(odds_ratio), at(odds_ratio_low), at(odds_ratio_high)];
  return {
    ...evidence,
    with_rate: estimate(middle.with, low.with, high.with, with_rate.n),
    without_rate: estimate(middle.without, high.without, low.without, without_rate.n),
    level_since: level.since,
  };
}

function estimate(value: number, low: number, high: number, n: number) {
  return { value: rounded(value), ci_low: rounded(low), ci_high: rounded(high), n };
}

/** The two rates of one odds ratio that mix to `level`, a share `p` of the messages having the pattern. */
function ratesAt(level: number, p: number, oddsRatio: number) {
  // p k o / (1 + k o) + (1 - p) o / (1 + o) = level, solved for the odds without: a quadratic with one root above 0.
  const a = oddsRatio * (1 - level);
  const b = p * oddsRatio + (1 - p) - level * (1 + oddsRatio);
  const odds = (-b + Math.sqrt(b * b + 4 * a * level)) / (2 * a);
  return { with: (oddsRatio * odds) / (1 + oddsRatio * odds), without: odds / (1 + odds) };
}
