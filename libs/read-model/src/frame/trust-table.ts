import {
  aroundDay,
  POSITIONS,
  STEP_BUCKETS,
  type ChangeScope,
  type Channel,
  type ChannelDrift,
  type RateChange,
  type RateEstimate,
} from '@outcomes/contracts';
import {
  CHANGE_WINDOW_DAYS,
  LEAST_REPLIES,
  LEAST_SEND_DAYS,
  type TrustCase,
  type TrustVerdict,
} from '@outcomes/statistics';
import { counted, percent, percents } from '../text/number-words';

/** What a case is told with. */
export interface TrustFacts {
  readonly verdict: TrustVerdict;
  /** Channel that the verdict is of. */
  readonly channel: Channel | undefined;
  /** Whether the answer is about several channels, so that a sentence has to name the one it means. */
  readonly isOneOfSeveral: boolean;
  /** The channel's. */
  readonly lastChange: RateChange | undefined;
  /** What of the channel's messages since then was answered; undefined where nothing is known of it. */
  readonly answeredSince: RateEstimate | undefined;
  /** What a look could look back over, where messages are too rare for one. */
  readonly rareWindow: ChannelDrift['window'];
  /** The one channel that the answer is about; undefined where it is about the company. */
  readonly about: Channel | undefined;
  /** Of that channel, or of the company. */
  readonly newestOutcomeAt: string | null;
  /** Channels on which a notable share of the replies comes after messages have settled. */
  readonly late: readonly LateChannel[];
}

export type LateChannel = Pick<ChannelDrift, 'channel'> & Required<Pick<ChannelDrift, 'late_replies'>>;

/** How a case is told: in dates, numbers and fixed words, never in a tenant's own. */
interface TrustWords {
  readonly sentence: (facts: TrustFacts) => string;
  readonly action: (facts: TrustFacts) => string;
}

/** Each case of trust with its words; state, flag and alert of a case come with its verdict. */
export const TRUST_TABLE: Readonly<Record<TrustCase, TrustWords>> = {
  stale_outcomes: {
    sentence: ({ newestOutcomeAt, about }) => `${DO_NOT_ACT}: ${newestOutcomeWords(newestOutcomeAt, about)}.`,
    action: () => 'Do not act; send outcomes.',
  },
  too_little_settled: {
    sentence: (facts) =>
      facts.rareWindow
        ? `${DO_NOT_ACT}: messages${placeOf(facts)} are too rare to tell whether replies change: ${rareWords(facts.rareWindow)}.`
        : `${DO_NOT_ACT}: too little has settled${placeOf(facts)}${sinceWords(facts)}; ${waitFor(facts)}.`,
    action: (facts) => `Do not act; ${facts.rareWindow ? SEND_MORE_OFTEN : waitFor(facts)}.`,
  },
  relearning: {
    sentence: (facts) =>
      `${DO_NOT_ACT}: replies${placeOf(facts)} changed${whenWords(facts)}; ${waitFor(facts)}.`,
    action: (facts) => `Do not act; ${waitFor(facts)}.`,
  },
  changed_recently: {
    sentence: (facts) => `${changeWords(facts)}; arms rest on what came since. ${verdictWords(facts)}`,
    action: ({ lastChange, late }) =>
      [
        ...(late.length > 0 ? [lateAction(late)] : []),
        ...(lastChange ? [`Look at ${scopeWords(lastChange)}.`] : []),
      ].join(' ') || NOTHING,
  },
  steady: { sentence: verdictWords, action: ({ late }) => (late.length > 0 ? lateAction(late) : NOTHING) },
};

/** Whatever the case: without silence there is no reply rate that could be trusted. */
export const SILENCE_NOT_REPORTED: TrustWords = {
  sentence: () =>
    `${DO_NOT_ACT}: no message on record went unanswered, so what got no reply is not reported, and no rate is a reply rate.`,
  action: () => 'Do not act; report every message that is sent.',
};

const DO_NOT_ACT = 'Do not act on the posteriors';
const MAY_ACT = 'The posteriors may be acted upon';
export const NOTHING = 'None.';
const A_LOOK_NEEDS = `${LEAST_REPLIES} replies and ${LEAST_SEND_DAYS} days with messages within ${CHANGE_WINDOW_DAYS} days`;
const SEND_MORE_OFTEN = `waiting does not help at this pace; send on more days, until there are ${A_LOOK_NEEDS}`;

/** Of a case that allows to act, unless too many replies come late. */
function verdictWords({ late }: TrustFacts): string {
  return late.length > 0 ? `${DO_NOT_ACT}: ${lateWords(late)}` : `${MAY_ACT}.`;
}

/** How many replies come late, which numbers lack them, and which messages have theirs. */
export function lateWords(late: readonly LateChannel[]): string {
  const shares = late.map(
    ({ channel, late_replies: { share, settle_days } }) =>
      `${percent(share)} of the replies${PLACES[channel]} come over ${settle_days} days after the message`,
  );
  return (
    `${shares.join(' and ')}, when it has settled. Rates of changes, of what patterns compare and of the backtest leave these ` +
    `replies out and are too low; other rates allow for them as replies have come so far, which their intervals take for ` +
    `certain. Messages sent through ${completeThrough(late)} have nearly all of theirs.`
  );
}

function lateAction(late: readonly LateChannel[]): string {
  return `Do not act; judge by messages sent through ${completeThrough(late)}.`;
}

function completeThrough(late: readonly LateChannel[]): string {
  return late.map(({ late_replies }) => late_replies.complete_through).sort()[0] ?? '';
}

function rareWords({ days, send_days, replies }: NonNullable<ChannelDrift['window']>): string {
  return `the last ${counted(days, 'settled day')} hold ${counted(replies, 'reply', 'replies')} and ${counted(send_days, 'day')} with messages, and a look takes ${A_LOOK_NEEDS}`;
}

export const PLACES: Readonly<Record<Channel, string>> = { email: ' by email', linkedin: ' on LinkedIn' };
function placeOf({ channel, isOneOfSeveral }: TrustFacts): string {
  return isOneOfSeveral && channel ? PLACES[channel] : '';
}

function newestOutcomeWords(at: string | null, about: Channel | undefined): string {
  const place = about === undefined ? '' : PLACES[about];
  return at === null
    ? `no outcome${place} has arrived`
    : `the newest outcome${place} is of ${at.slice(0, 10)}`;
}

function sinceWords({ lastChange }: TrustFacts): string {
  return lastChange ? ` since replies changed ${aroundDay(lastChange.since)}` : '';
}

function whenWords({ lastChange }: TrustFacts): string {
  return lastChange ? ` ${aroundDay(lastChange.since)}` : '';
}

/** Replies may be enough before days are: a look takes two weeks of them. */
function waitFor({ verdict: { repliesNeeded } }: TrustFacts): string {
  if (repliesNeeded === 0) return 'wait for more days to settle';
  return repliesNeeded === 1
    ? 'wait for 1 more reply to settle'
    : `wait for ${repliesNeeded} more replies to settle`;
}

function changeWords(facts: TrustFacts): string {
  const { lastChange: change } = facts;
  if (!change) return `Replies${placeOf(facts)} changed`;
  const { before, after, scope } = change;
  const verb = change.direction === 'down' ? 'fell' : 'rose';
  const rates =
    before.value === null || after.value === null
      ? ''
      : ` from ${percents([before.value, after.value]).join(' to ')}`;
  return `Replies${placeOf(facts)} ${verb}${rates} ${aroundDay(change.since)}${whoseWords(scope)}${mixWords(facts)}`;
}

/**
 * Rates before and after a change are at one mix, or campaigns that follow one another would be taken for a change. Where what
 * was sent since is another mix, its replies may lie far from them, and whoever counts finds these.
 */
function mixWords({ lastChange, answeredSince }: TrustFacts): string {
  const [observed, after] = [answeredSince?.value ?? null, lastChange?.after];
  if (lastChange?.scope.kind !== 'channel' || observed === null || after === undefined) return '';
  const { ci_low: low, ci_high: high } = after;
  if (low === null || high === null || (observed >= low && observed <= high)) return '';
  return `, at one mix of campaigns, positions and steps; of what was sent since, at its own mix, ${percent(observed)} were answered`;
}

/** Beside what may be an answer about another campaign. */
function whoseWords({ kind, value }: ChangeScope): string {
  if (kind === 'channel') return '';
  if (kind !== 'campaign') return ` (scope: ${kind})`;
  return value === null
    ? ' (in messages without a campaign)'
    : ' (in one campaign, named in get_drift_state)';
}

/**
 * Where to look. Positions and steps are words of the service; a campaign is named in fields of its own, because an
 * agent does what an action says, and the name is the tenant's text.
 */
export function scopeWords({ channel, since, scope }: RateChange): string {
  const messages = `messages${PLACES[channel]}`;
  return `${subjectOf(scope, messages, since)}: what changed ${aroundDay(since)} (list, sender or copy)`;
}

function subjectOf({ kind, value }: ChangeScope, messages: string, since: string): string {
  switch (kind) {
    case 'channel':
      return `all ${messages}`;
    case 'campaign':
      return value === null
        ? `${messages} without a campaign`
        : `${messages} of the campaign named in scope of the change of ${since} in get_drift_state`;
    case 'position':
      return `${messages} to position ${oneOf(POSITIONS, value)}`;
    case 'step':
      return `${messages} of step ${oneOf(STEP_BUCKETS, value)}`;
  }
}

function oneOf(words: readonly string[], value: string | null): string {
  return words.find((word) => word === value) ?? 'unknown';
}
