import type { ChannelVolume, DriftDocument, PatternEvidence } from '@outcomes/contracts';
import { ratesAtOdds } from '@outcomes/statistics';
import { rounded } from '../documents/rounding';

/** Where replies stand since they last changed. */
export interface ReplyLevel {
  /** First send day since the last change of any channel. */
  readonly since: string;
  /** Reply rate of the settled messages of the channels, of each since its own last change. */
  readonly rate: number;
}

/**
 * The level of replies to messages that are spread over the channels as they are today.
 * @param levels - of all levels of a dimension, their indexes: a subject line has no part in a channel without any
 * @returns undefined where replies never changed on these channels, or what has settled since has no level: no reply, or
 * nothing else
 */
export function replyLevel(
  { channels }: Pick<DriftDocument, 'channels'>,
  volumes: readonly ChannelVolume[],
  levels: readonly number[],
): ReplyLevel | undefined {
  const messagesOn = (name: string) => {
    const volume = volumes.find(({ channel }) => channel === name);
    return levels.reduce((sum, level) => sum + (volume?.levels[level] ?? 0), 0);
  };
  const settledNow = channels.filter(({ rate }) => rate.value !== null && rate.n > 0);
  const sending = settledNow.filter(({ channel }) => messagesOn(channel) > 0);
  const counted = sending.length > 0 ? sending : settledNow;
  const weightOf = ({ channel, rate }: (typeof counted)[number]) =>
    sending.length > 0 ? messagesOn(channel) : rate.n;
  const since = counted
    .flatMap(({ changes }) => changes.at(-1)?.since ?? [])
    .sort()
    .at(-1);
  const messages = counted.reduce((sum, one) => sum + weightOf(one), 0);
  const replies = counted.reduce((sum, one) => sum + (one.rate.value ?? 0) * weightOf(one), 0);
  return since === undefined || replies === 0 || replies >= messages
    ? undefined
    : { since, rate: replies / messages };
}

/** An effect beyond this is none that a rate could show. */
const MAX_ODDS = 1e6;

/**
 * Evidence of a claim with its reply rates adjusted, and as they are today: the two differ by the odds ratio alone, which
 * is compared among like messages, and mix to the level of replies. Where replies changed after the evidence began, what
 * was observed mixes two times; the odds ratio, which compares inside fortnights, outlives a change, and the level is
 * that since then. The intervals are those of the effect, and lift says of these two rates what their names say.
 * @param observed - reply rate of both sides together since the evidence began
 * @param level - undefined where replies never changed
 */
export function adjustedEvidence(
  evidence: PatternEvidence,
  observed: number,
  level: ReplyLevel | undefined,
): PatternEvidence {
  const { with_rate, without_rate, counted_since, odds_ratio, odds_ratio_low, odds_ratio_high } = evidence;
  const messages = with_rate.n + without_rate.n;
  const isLater = level !== undefined && (counted_since === null || counted_since < level.since);
  const rate = isLater ? level.rate : observed;
  if (messages === 0 || rate <= 0 || rate >= 1) return evidence;
  const at = (ratio: number) =>
    ratesAtOdds(rate, with_rate.n / messages, Math.min(MAX_ODDS, Math.max(1 / MAX_ODDS, ratio)));
  const [middle, low, high] = [at(odds_ratio), at(odds_ratio_low), at(odds_ratio_high)];
  return {
    ...evidence,
    lift: rounded(middle.with / middle.without - 1),
    lift_low: rounded(low.with / low.without - 1),
    lift_high: rounded(high.with / high.without - 1),
    with_rate: estimate(middle.with, low.with, high.with, with_rate.n),
    without_rate: estimate(middle.without, high.without, low.without, without_rate.n),
    ...(isLater && { level_since: level.since }),
  };
}

function estimate(value: number, low: number, high: number, n: number) {
  return { value: rounded(value), ci_low: rounded(low), ci_high: rounded(high), n };
}
