import { CHANNELS, MATURITY_DAYS, POSITIONS, type Channel } from '@outcomes/contracts';
import {
  ArmMemory,
  campaignTurnover,
  CHANGE_WINDOW_DAYS,
  lookForChange,
  mixAndVolume,
  rowFrom,
  type ArmCounts,
  type ChangeLook,
  type DayCounts,
  type ForwardVariances,
  type MemoryWeights,
  type MixAndVolume,
} from '@outcomes/statistics';
import type { SettledShare } from '../rates/settled-share';
import { isBundle } from './campaign-bundles';
import { campaignSums, type CampaignSums } from './campaign-sums';
import {
  isContinuedBy,
  type ChannelDays,
  type ChannelHistory,
  type ChannelNotes,
  type KeptChange,
} from './channel-history';
import { lookThrough, type LookPlan } from './look-through';

/** Days that mix and volume look back over. */
const FACT_DAYS = 120;

/** What a run finds about one channel. Days are since 1970-01-01. */
export interface ChannelFindings {
  /** index into CHANNELS */
  readonly channel: number;
  /** Whole, oldest first. */
  readonly ledger: readonly KeptChange[];
  readonly look: ChangeLook | null;
  /** Last settled day. */
  readonly settledThrough: number;
  readonly dataFrom: number;
  /** Settled messages and replies since then. */
  readonly settled: { readonly touches: number; readonly replies: number };
  readonly facts: MixAndVolume;
  /** Campaigns with messages in the days that the last look looked at. */
  readonly campaigns: number;
  /** Campaigns of those days that were too small to be told apart. */
  readonly campaignsMerged: number;
  /** The largest of the campaigns of late. */
  readonly campaignSums: readonly CampaignSums[];
  readonly recountedAt: Date | null;
  /** Discounted counts by position, and how they are discounted. */
  readonly arms: readonly ArmCounts[];
  readonly weights: MemoryWeights;
  readonly variances: ForwardVariances;
  /** undefined where nothing is to be kept */
  readonly notes: ChannelNotes | undefined;
}

export interface ChannelInputs {
  /** Day up to which the company's outcomes are known. */
  readonly observedUntil: number;
  /** Last send day that counts: that day too, unless sources are silent. */
  readonly sentUntil?: number;
  readonly settledShare: SettledShare;
  /** Replies that came in time over all of mature cohorts, per channel. */
  readonly inTime: (channel: number) => number;
  /** Time of the run. */
  readonly now: Date;
  /** Whether days that have settled since the last run are looked at; else only the estimates follow. */
  readonly looks: boolean;
}

/**
 * Looks for changes among the days that have settled since the last run, lets the arms' memory take those days, and
 * adds up what the arms rest on. Where messages came or went among days that were looked at, the looks from the first
 * of them on are made once more. From scratch it finds the same as day by day, bit for bit.
 */
export async function analyseChannel(
  history: ChannelHistory,
  inputs: ChannelInputs,
): Promise<ChannelFindings> {
  const plan = planOf(history, inputs);
  const { days, daily, appended } = await lookThrough(
    history,
    plan,
    inputs.sentUntil ?? inputs.observedUntil,
  );
  const ledger = [...plan.kept, ...appended];
  const memory = remember(history, plan, daily, ledger);
  const notes = notesOf(history, plan, appended, memory, inputs.now);
  return {
    ...found(history, plan, days, ledger, memory, daily, inputs),
    recountedAt: notes.recountedAt,
    notes: inputs.looks && history.isKept ? notes : undefined,
  };
}

interface Plan extends LookPlan {
  /** What the memory goes on from; null where it begins with the first day. */
  readonly memory: ArmMemory | null;
  /** Whether looks that were made are made once more. */
  readonly recounts: boolean;
}

function planOf({ channel, firstDay, state, ledger }: ChannelHistory, inputs: ChannelInputs): Plan {
  const { observedUntil, looks } = inputs;
  const settled = observedUntil - maturityOf(channel);
  const looked = state.lookedThrough;
  const isBehind = (day: number | null) => day !== null && looked !== null && day <= looked;
  // Where the newest messages were deleted, days that were settled may not be so any more.
  const shrunk = looked !== null && settled < looked ? settled + 1 : null;
  const recountFrom = Math.min(
    ...[isBehind(state.recountFrom) ? state.recountFrom : null, shrunk, mixedSince(ledger)].map(
      (day) => day ?? Infinity,
    ),
  );
  const recounts = looks && recountFrom < Infinity;
  const remembersAnew =
    looks && (recounts || isBehind(state.rescoreFrom) || state.memory === null || looked === null);
  const lookFrom = !looks ? settled + 1 : recounts ? recountFrom : looked === null ? firstDay : looked + 1;
  const kept = recounts ? ledger.filter(({ settledOn }) => settledOn < recountFrom) : ledger;
  const newestFrom = Math.min(settled - CHANGE_WINDOW_DAYS + 1, observedUntil - FACT_DAYS);
  const memory = remembersAnew || state.memory === null ? null : ArmMemory.restore(state.memory);
  const plan = { settled, lookFrom, memory, recounts, newestFrom, kept };
  if (memory === null) return { ...plan, readFrom: firstDay };
  const dataFrom = dataFromOf(firstDay, kept);
  const needed = Math.min(
    lookFrom - CHANGE_WINDOW_DAYS,
    newestFrom,
    (memory.day ?? firstDay) + 1,
    holdsSince(memory, dataFrom, firstDay) ? Infinity : dataFrom,
  );
  return { ...plan, readFrom: Math.max(firstDay, needed) };
}

/**
 * Earlier versions let two runs at once write rows of different ledgers under one generation. No look can go on from
 * such rows, so they are made once more from the first of them on.
 * @returns null where the rows are of one ledger
 */
function mixedSince(ledger: readonly KeptChange[]): number | null {
  const isMixed = ledger.some(
    ({ since, settledOn }, place) => since > settledOn || since < (ledger[place - 1]?.since ?? -Infinity),
  );
  return isMixed ? (ledger[0]?.settledOn ?? null) : null;
}

/** First day that counts: that of the last change, or of the first messages that are left. */
function dataFromOf(firstDay: number, ledger: readonly KeptChange[]): number {
  return Math.max(firstDay, ledger.at(-1)?.since ?? firstDay);
}

/** Whether the memory's settled counts are those since that day. Messages that have expired are in it for good. */
function holdsSince({ dataFrom }: ArmMemory, from: number, firstDay: number): boolean {
  return dataFrom !== null && (dataFrom === from || (dataFrom < from && from === firstDay));
}

/** The arms' memory after the settled days. */
function remember(
  { channel, firstDay }: ChannelHistory,
  plan: Plan,
  daily: readonly DayCounts[],
  ledger: readonly KeptChange[],
): ArmMemory {
  const memory = plan.memory ?? new ArmMemory(POSITIONS.length);
  const after = memory.day ?? -Infinity;
  const until = Math.min(
    plan.settled,
    plan.lookFrom > plan.settled && plan.memory !== null ? after : plan.settled,
  );
  // Or -1, a place that the ledger does not have.
  let next = ledger.findIndex(({ settledOn }) => settledOn > after);
  for (const day of daily) {
    if (day.day <= after || day.day > until) continue;
    memory.add(day);
    for (; (ledger[next]?.settledOn ?? Infinity) <= day.day; next += 1) {
      const { since, settledOn } = ledger[next] as KeptChange;
      // What began with the first day that is left is no change to the memory.
      if (since <= Math.max(firstDay, memory.dataFrom ?? -Infinity) || since > day.day) continue;
      memory.restart(
        { since, toldOn: settledOn + maturityOf(channel) },
        daily.filter((one) => one.day >= since && one.day <= day.day),
      );
    }
  }
  return memory;
}

function found(
  { channel, firstDay }: ChannelHistory,
  { settled }: Plan,
  days: ChannelDays,
  ledger: readonly KeptChange[],
  memory: ArmMemory,
  daily: readonly DayCounts[],
  { observedUntil, sentUntil = observedUntil, settledShare, inTime }: ChannelInputs,
): Omit<ChannelFindings, 'notes' | 'recountedAt'> {
  const { counts } = days;
  const dataFrom = dataFromOf(firstDay, ledger);
  const look = settled < firstDay ? null : lookForChange(counts, dataFrom, settled);
  const turnover = campaignTurnover(counts, sentUntil, dataFrom, look?.campaignVariance ?? 0);
  const asOf = Math.max(observedUntil, memory.day ?? observedUntil);
  const [target, current] = [memory.weights(asOf, 30), memory.weights(asOf, 7)];
  const unsettled = daily
    .filter(({ day }) => day > (memory.day ?? -Infinity) && day <= Math.min(asOf, sentUntil))
    .flatMap((day) => {
      const arrived = settledShare(channel, asOf - day.day);
      return arrived > 0 ? [matured(day, arrived)] : [];
    });
  const share = inTime(channel);
  const lookedFrom = Math.max(dataFrom, settled - CHANGE_WINDOW_DAYS + 1);
  return {
    channel,
    ledger,
    look,
    settledThrough: settled,
    dataFrom,
    settled: settledSince(dataFrom, settled, memory, daily, firstDay),
    facts: mixAndVolume(counts, sentUntil, firstDay),
    campaigns: campaignsIn(days, lookedFrom, settled),
    campaignsMerged: [...days.merged.values()].filter((day) => day >= lookedFrom).length,
    campaignSums: campaignSums(
      days,
      { from: dataFrom, to: sentUntil },
      (day) => share * settledShare(channel, observedUntil - day),
    ),
    // Replies that came late are in no settled count: with this share of the messages the rates are those of all replies.
    arms: memory.counts(asOf, target, unsettled).map(({ n, y }) => ({ n: Math.max(y, n * share), y })),
    weights: target,
    variances: {
      target: Math.max(target.variance, turnover),
      current: Math.max(current.variance, turnover),
    },
  };
}

/** A young day as if it were settled: so many of its messages have had the time to be answered. */
function matured({ day, n, y }: DayCounts, share: number): DayCounts {
  return { day, n: Array.from(n, (sends, p) => Math.max(y[p] ?? 0, sends * share)), y };
}

/** What the memory has taken since then, and what of the days that were read it has not. */
function settledSince(
  from: number,
  to: number,
  memory: ArmMemory,
  daily: readonly DayCounts[],
  firstDay: number,
) {
  const isRemembered = memory.day !== null && holdsSince(memory, from, firstDay);
  let { n: touches, y: replies } = isRemembered ? memory.settled : { n: 0, y: 0 };
  const first = isRemembered ? memory.day + 1 : from;
  for (const { day, n, y } of daily) {
    if (day < first || day > to) continue;
    for (let p = 0; p < n.length; p += 1) {
      touches += n[p] ?? 0;
      replies += y[p] ?? 0;
    }
  }
  return { touches, replies };
}

function campaignsIn({ counts, campaigns }: ChannelDays, from: number, to: number): number {
  const seen = new Uint8Array(campaigns.length);
  const last = rowFrom(counts, to + 1);
  for (let row = rowFrom(counts, from); row < last; row += 1) seen[counts.campaign[row] as number] = 1;
  return campaigns.filter((key, index) => seen[index] === 1 && !isBundle(key)).length;
}

function notesOf(
  { channel, state, ledger }: ChannelHistory,
  plan: Plan,
  appended: readonly KeptChange[],
  memory: ArmMemory,
  now: Date,
): ChannelNotes {
  const standing = [...plan.kept, ...appended];
  // Where it came out as it was, nothing has changed: only what is new is appended.
  const isSame = isContinuedBy(ledger, standing);
  return {
    channel,
    generation: isSame ? state.generation : state.generation + 1,
    lookedThrough: plan.settled,
    memory: memory.save(),
    recountedAt: isSame ? state.recountedAt : now,
    read: state,
    standing,
    appended: isSame ? standing.slice(ledger.length) : standing,
  };
}

function maturityOf(channel: number): number {
  return MATURITY_DAYS[CHANNELS[channel] as Channel];
}
