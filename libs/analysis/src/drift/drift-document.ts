import {
  CHANNELS,
  MATURITY_DAYS,
  type Channel,
  type ChannelDrift,
  type DriftDocument,
  type RateChange,
  type RateEstimate,
} from '@outcomes/contracts';
import {
  ENGINE_VERSION,
  CHANGE_THRESHOLD,
  CHANGE_WINDOW_DAYS,
  jeffreysInterval,
  type RateInterval,
} from '@outcomes/statistics';
import type { ChannelFindings } from '../changes/analyse-channel';
import type { KeptChange } from '../changes/channel-history';
import type { CohortTable } from '../cohorts/cohort-table';
import { isoDay } from '../cohorts/days';
import { rounded } from '../documents/rounding';
import { arrivedAt, lateRepliesOf } from '../rates/late-replies';

/** The ledger of changes of each channel, and what of it bears on today. */
export function driftDocument(
  table: CohortTable,
  channels: readonly ChannelFindings[],
  dataAsOf: Date,
): DriftDocument {
  const newest = CHANNELS.map((_, channel) => newestOf(table, channel));
  return {
    data_as_of: dataAsOf.toISOString(),
    engine_version: ENGINE_VERSION,
    newest_outcome_at: isoTime(Math.max(...newest.map(({ outcomeAt }) => outcomeAt))),
    ...(table.gap && { silent_sources: table.gap.silent }),
    ...(isWithoutSilence(table) && { no_silence: true }),
    channels: channels.map((findings) => channelDrift(findings, newest[findings.channel] ?? NOTHING, table)),
  };
}

/** So many replies, and nobody who gave none, are no chance. */
const REPLIES_WITHOUT_SILENCE = 20;

/** Whether only what came of messages is reported: then rates say how much of that are replies, and not how many answer. */
function isWithoutSilence({ totals }: CohortTable): boolean {
  const { touches, replies, bounces, unsubscribes } = totals;
  return replies >= REPLIES_WITHOUT_SILENCE && touches === replies + bounces + unsubscribes;
}

interface Newest {
  readonly sentDay: number;
  readonly outcomeAt: number;
}

const NOTHING: Newest = { sentDay: 0, outcomeAt: -Infinity };

function newestOf(table: CohortTable, channel: number): Newest {
  let [sentDay, outcomeAt] = [-Infinity, -Infinity];
  for (let row = 0; row < table.size; row += 1) {
    if (table.channel[row] !== channel) continue;
    sentDay = Math.max(sentDay, table.day[row] ?? sentDay);
    const last = table.lastOutcomeAt[row] ?? Number.NaN;
    if (last > outcomeAt) outcomeAt = last;
  }
  return { sentDay, outcomeAt };
}

function channelDrift(
  findings: ChannelFindings,
  { sentDay, outcomeAt }: Newest,
  table: CohortTable,
): ChannelDrift {
  const { look, settled, facts } = findings;
  const channel = CHANNELS[findings.channel] as Channel;
  return {
    channel,
    look_possible: look !== null,
    window: windowOf(table, findings),
    settled_through: isoDay(findings.settledThrough),
    looked_through: findings.settledThrough < findings.dataFrom ? null : isoDay(findings.settledThrough),
    statistic: look === null ? null : rounded(look.statistic),
    threshold: CHANGE_THRESHOLD,
    data_from: isoDay(findings.dataFrom),
    settled_replies: settled.replies,
    rate: observedRate(settled.touches, settled.replies),
    last_sent_on: isoDay(sentDay),
    newest_outcome_at: isoTime(outcomeAt),
    changes: findings.ledger.map((change, place) =>
      rateChange(channel, change, {
        before: messagesOf(
          table,
          findings.channel,
          Math.max(findings.ledger[place - 1]?.since ?? -Infinity, change.settledOn - CHANGE_WINDOW_DAYS + 1),
          change.since - 1,
        ),
        after: messagesOf(table, findings.channel, change.since, change.settledOn),
      }),
    ),
    recounted_at: findings.recountedAt?.toISOString() ?? null,
    mix: {
      distance: rounded(facts.mixDistance),
      alert: facts.mixAlert,
    },
    volume: {
      ratio: rounded(facts.volumeRatio),
      alert: facts.volumeAlert,
    },
    campaigns: findings.campaigns,
    campaigns_merged: findings.campaignsMerged,
    ...lateReplies(table, findings),
  };
}

/** Messages are told apart by age until hardly a reply is to come, and for a year at most. */
const HARDLY_ANY = 0.005;
const LONGEST_DAYS = 365;

function lateReplies(
  table: CohortTable,
  { channel, settledThrough }: ChannelFindings,
): Pick<ChannelDrift, 'late_replies'> {
  const late = lateRepliesOf(table, channel);
  if (late === null) return {};
  const days = MATURITY_DAYS[CHANNELS[channel] as Channel];
  const arrived: number[] = [];
  for (let age = days; age <= LONGEST_DAYS && (arrived.at(-1) ?? 0) < 1 - HARDLY_ANY; age += 1)
    arrived.push(rounded(arrivedAt(late, age)));
  return {
    late_replies: {
      settle_days: days,
      share: rounded(late.share),
      complete_through: isoDay(settledThrough + days - late.completeDays),
      arrived,
    },
  };
}

/** What the last look could look back over. */
function windowOf(
  table: CohortTable,
  { channel, dataFrom, settledThrough: to }: ChannelFindings,
): NonNullable<ChannelDrift['window']> {
  const from = Math.max(dataFrom, to - CHANGE_WINDOW_DAYS + 1);
  const sendDays = new Set<number>();
  let replies = 0;
  for (let row = 0; row < table.size; row += 1) {
    const day = table.day[row] ?? Number.NaN;
    if (table.channel[row] !== channel || !(day >= from && day <= to) || !table.touches[row]) continue;
    sendDays.add(day);
    replies += table.replies[row] ?? 0;
  }
  return { days: Math.max(0, to - from + 1), send_days: sendDays.size, replies };
}

/** Messages on a channel of the send days from the one to the other, inclusive. */
function messagesOf(table: CohortTable, channel: number, from: number, to: number): number {
  let messages = 0;
  for (let row = 0; row < table.size; row += 1) {
    const day = table.day[row] ?? Number.NaN;
    if (table.channel[row] === channel && day >= from && day <= to) messages += table.touches[row] ?? 0;
  }
  return messages;
}

function rateChange(
  channel: Channel,
  change: KeptChange,
  messages: { readonly before: number; readonly after: number },
): RateChange {
  return {
    channel,
    since: isoDay(change.since),
    settled_on: isoDay(change.settledOn),
    told_at: isoDay(change.settledOn + MATURITY_DAYS[channel]),
    direction: change.direction,
    ratio: rounded(change.ratio),
    before: estimateOf(change.rateBefore, messages.before),
    after: estimateOf(change.rateAfter, messages.after),
    statistic: rounded(change.statistic),
    scope: change.scope,
  };
}

/**
 * A fitted rate beside the messages of its time that are still on record: where they were erased since, of the rate
 * nothing is told any more.
 */
function estimateOf({ rate, low, high }: RateInterval, n: number): RateEstimate {
  if (n === 0) return { value: null, ci_low: null, ci_high: null, n: 0 };
  return { value: rounded(rate), ci_low: rounded(low), ci_high: rounded(high), n };
}

function observedRate(n: number, y: number): RateEstimate {
  if (n === 0) return { value: null, ci_low: null, ci_high: null, n: 0 };
  const { low, high } = jeffreysInterval(y, n, 0.95);
  return { value: rounded(y / n), ci_low: rounded(low), ci_high: rounded(high), n };
}

function isoTime(milliseconds: number): string | null {
  return Number.isFinite(milliseconds) ? new Date(milliseconds).toISOString() : null;
}
