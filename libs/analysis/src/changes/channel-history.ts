import type { ChannelCounts, LedgerChange } from '@outcomes/statistics';

/** A change of the ledger with what it is about by name: days are since 1970-01-01. */
export interface KeptChange extends Omit<LedgerChange, 'scope'> {
  readonly scope: { readonly kind: LedgerChange['scope']['kind']; readonly value: string | null };
}

/** What a channel remembers between runs. Days are since 1970-01-01. */
export interface ChannelState {
  /** Of the ledger: goes up where it came out otherwise. */
  readonly generation: number;
  /** Last settled day that was looked at; null before the first. */
  readonly lookedThrough: number | null;
  /** State of the arms' memory after that day; null where there is none of today's make. */
  readonly memory: Float64Array | null;
  readonly recountedAt: Date | null;
  /** First day of which messages came or went since; null where none did. */
  readonly recountFrom: number | null;
  /** First day of which anything changed since. */
  readonly rescoreFrom: number | null;
  /** Another one after every change of the two above; null where nothing is stored yet. */
  readonly revision: string | null;
  /** How many runs have written it. */
  readonly writes: number;
}

/** State of a channel that no run has looked at. */
export const NEW_CHANNEL: ChannelState = {
  generation: 1,
  lookedThrough: null,
  memory: null,
  recountedAt: null,
  recountFrom: null,
  rescoreFrom: null,
  revision: null,
  writes: 0,
};

/** Settled counts of some days, and which campaign each index of theirs is: 0 are messages that name none. */
export interface ChannelDays {
  readonly counts: ChannelCounts;
  /** Keys of the campaigns by index. */
  readonly campaigns: readonly number[];
  /** Campaigns too small to be told apart from others of their day, by the last day on which they were. */
  readonly merged: ReadonlyMap<number, number>;
}

/** One channel's stored past, as a run reads it. */
export interface ChannelHistory {
  /** index into CHANNELS */
  readonly channel: number;
  readonly firstDay: number;
  readonly state: ChannelState;
  /** The ledger so far, oldest first. */
  readonly ledger: readonly KeptChange[];
  /** Whether the next run may go on from what this one finds. */
  readonly isKept: boolean;
  /** What was read before, of this channel or another of the same company, is of no meaning afterwards. */
  days(from: number, to: number): Promise<ChannelDays>;
  campaignIdOf(campaign: number): Promise<string | null>;
}

/** What a run leaves of a channel for the next. */
export interface ChannelNotes {
  readonly channel: number;
  readonly generation: number;
  readonly lookedThrough: number;
  readonly memory: Float64Array;
  readonly recountedAt: Date | null;
  /** The state that the run went on from. */
  readonly read: Pick<ChannelState, 'generation' | 'lookedThrough' | 'revision' | 'writes'>;
  /** The ledger as the run found it, whole. */
  readonly standing: readonly KeptChange[];
  /** Rows of it to append under the generation. */
  readonly appended: readonly KeptChange[];
}

/** Whether every row of a ledger stands in another in its place, which may go on after it. */
export function isContinuedBy(ledger: readonly KeptChange[], other: readonly KeptChange[]): boolean {
  return ledger.every((row, place) => isSameChange(row, other[place]));
}

function isSameChange(a: KeptChange, b: KeptChange | undefined): boolean {
  return b !== undefined && a.since === b.since && a.settledOn === b.settledOn && a.ratio === b.ratio;
}
