import {
  type AlertCode,
  type Channel,
  type ChannelDrift,
  DAY_MS,
  type RateChange,
  type Trust,
} from '@outcomes/contracts';
import {
  CHANGE_WINDOW_DAYS,
  LEAST_SEND_DAYS,
  STALE_AFTER_DAYS,
  trust,
  trustOfAll,
  type TrustVerdict,
} from '@outcomes/statistics';
import type { DatedFrame } from '../runs/dated-frame';
import { addDays, dayOf } from '../touches/day';
import { lateWords, SILENCE_NOT_REPORTED, TRUST_TABLE } from './trust-table';

/** A channel without sends for so long says nothing of a company today. */
const LIVE_DAYS = 90;
/** Age from which an outcome is worth a word, though not yet too old. */
const AGEING_AFTER_DAYS = 8;

export interface ChannelTrust {
  readonly drift: ChannelDrift;
  /** The same as in an answer about this channel alone. */
  readonly verdict: TrustVerdict;
  /** Whether its newest change is news or still to be learned from, be a next look possible yet or not. */
  readonly changedOfLate: boolean;
}

/** Whether the posteriors may be acted upon, and why: the same in every answer that is asked about it. */
export interface PosteriorTrust extends Trust {
  /** For the summary; holds no text of a tenant. */
  readonly sentence: string;
  readonly alerts: readonly AlertCode[];
  /** All channels, or the one asked for; also those that are too long silent to count for the company. */
  readonly channels: readonly ChannelTrust[];
  /** The whole ledger of these channels, newest first. */
  readonly changes: readonly RateChange[];
  readonly newestOutcomeAt: string | null;
}

/**
 * Trust in the posteriors of a company, or of one channel. A company is judged by the gravest of its channels with
 * sends in its last 90 days.
 * @param frame - of the newest run; undefined before the first
 * @param asOf - time of the answer
 * @param channel - narrows to it
 */
export function trustIn(frame: DatedFrame | undefined, asOf: Date, channel?: Channel): PosteriorTrust {
  const known = channelsOf(frame).filter((drift) => channel === undefined || drift.channel === channel);
  const counting = channel === undefined ? liveAmong(known, frame) : known;
  const newestOutcomeAt =
    (channel === undefined ? frame?.newest_outcome_at : known[0]?.newest_outcome_at) ?? null;
  const hasNoSilence = frame?.no_silence === true;
  const verdictOf = (drift: ChannelDrift, outcomeAt: string | null): TrustVerdict => {
    const verdict = verdictOn(drift, outcomeAt, asOf);
    return hasNoSilence || drift.late_replies ? { ...verdict, trustworthy: false } : verdict;
  };
  const late = counting.flatMap(({ channel, late_replies }) =>
    late_replies ? [{ channel, late_replies }] : [],
  );
  const judged = counting.map((drift) => ({ drift, verdict: verdictOn(drift, newestOutcomeAt, asOf) }));
  const verdict = judged.length > 0 ? trustOfAll(judged.map((one) => one.verdict)) : UNKNOWN;
  const gravest = judged.find((one) => one.verdict === verdict)?.drift;
  const facts = {
    verdict,
    channel: gravest?.channel,
    isOneOfSeveral: counting.length > 1,
    lastChange: gravest?.changes.at(-1),
    answeredSince: gravest?.rate,
    rareWindow: gravest && rareWindowOf(gravest),
    about: channel,
    newestOutcomeAt,
    late,
  };
  const words = hasNoSilence ? SILENCE_NOT_REPORTED : TRUST_TABLE[verdict.case];
  // A case that allows to act says so in its own words.
  const besides =
    late.length > 0 && !hasNoSilence && !verdict.trustworthy ? ` Besides, ${lateWords(late)}` : '';
  return {
    drift_state: verdict.driftState,
    posteriors_trustworthy: verdict.trustworthy && !hasNoSilence && late.length === 0,
    sentence: `${words.sentence(facts)}${besides}`,
    recommended_action: words.action(facts),
    alerts: [
      ...(verdict.alert ? [verdict.alert] : []),
      ...ageAlerts(newestOutcomeAt, asOf),
      ...(frame?.silent_sources?.length ? (['source_silent'] as const) : []),
      ...(hasNoSilence ? (['silence_not_reported'] as const) : []),
      ...(late.length > 0 ? (['late_replies'] as const) : []),
      ...factAlerts(counting),
    ],
    channels: known.map((drift) => ({
      drift,
      verdict: verdictOf(drift, drift.newest_outcome_at),
      changedOfLate:
        verdictOn({ ...drift, look_possible: true }, drift.newest_outcome_at, asOf).driftState === 'rate',
    })),
    changes: known.flatMap((drift) => drift.changes).sort(newestFirst),
    newestOutcomeAt,
  };
}

/** The fields that the answers share. */
export function trustFields({
  drift_state,
  posteriors_trustworthy,
  recommended_action,
}: PosteriorTrust): Trust {
  return { drift_state, posteriors_trustworthy, recommended_action };
}

/** Of what nothing was ever looked at. An age of 0, because it is not outcomes that are old. */
const UNKNOWN = trust({
  lookPossible: false,
  settledReplies: 0,
  newestOutcomeAgeDays: 0,
  toldDaysAgo: null,
});

/** A document that a run of an earlier version left has no channels: nothing is known until the next run. */
function channelsOf(frame: Partial<DatedFrame> | undefined): readonly ChannelDrift[] {
  return frame?.channels ?? [];
}

function liveAmong(
  channels: readonly ChannelDrift[],
  frame: DatedFrame | undefined,
): readonly ChannelDrift[] {
  if (!frame) return channels;
  const newestDay = dayOf(new Date(frame.newest_outcome_at ?? frame.data_as_of));
  const since = addDays(newestDay, -LIVE_DAYS);
  const live = channels.filter((drift) => drift.last_sent_on >= since);
  return live.length > 0 ? live : channels;
}

function verdictOn(drift: ChannelDrift, newestOutcomeAt: string | null, asOf: Date): TrustVerdict {
  const told = drift.changes.at(-1)?.told_at;
  return trust({
    lookPossible: drift.look_possible,
    settledReplies: drift.settled_replies,
    newestOutcomeAgeDays: newestOutcomeAt === null ? null : daysSince(newestOutcomeAt, asOf),
    toldDaysAgo: told === undefined ? null : daysSince(told, new Date(dayOf(asOf))),
  });
}

/**
 * Where messages go out so rarely that waiting makes no look possible: over a whole window there were too few days with
 * messages or too few replies, or days with messages are too far apart for a window to hold enough.
 */
function rareWindowOf({ look_possible, window }: ChannelDrift): ChannelDrift['window'] {
  if (look_possible || !window) return undefined;
  const isRare =
    window.days >= CHANGE_WINDOW_DAYS ||
    window.send_days * CHANGE_WINDOW_DAYS < LEAST_SEND_DAYS * window.days;
  return isRare ? window : undefined;
}

/** Clocks may differ: what lies ahead is as new as can be. */
function daysSince(at: string, asOf: Date): number {
  return Math.max(0, asOf.getTime() - Date.parse(at)) / DAY_MS;
}

function ageAlerts(newestOutcomeAt: string | null, asOf: Date): AlertCode[] {
  if (newestOutcomeAt === null) return [];
  const days = daysSince(newestOutcomeAt, asOf);
  return days > AGEING_AFTER_DAYS && days <= STALE_AFTER_DAYS ? ['stale_outcomes'] : [];
}

function factAlerts(channels: readonly ChannelDrift[]): AlertCode[] {
  const alerts: AlertCode[] = [];
  if (channels.some(({ mix }) => mix.alert)) alerts.push('audience_mix_changed');
  if (channels.some(({ volume }) => volume.alert)) alerts.push('volume_changed');
  return alerts;
}

function newestFirst(a: RateChange, b: RateChange): number {
  return b.since.localeCompare(a.since, 'en') || b.told_at.localeCompare(a.told_at, 'en');
}
