import { square } from '../numerics/square';
import { firstDayFrom, type SendDays } from './send-days';

/** Whose change it was: the whole channel, or one group that carries it while the rest stayed as it was. */
export type ChangeScope =
  | { readonly kind: 'channel' }
  | {
      readonly kind: 'campaign' | 'position' | 'step';
      /** index of the campaign (0: the sends without one), position or step */
      readonly key: number;
      /** the group's part of the change; above one where the rest moved the other way */
      readonly share: number;
    };

/** Days before the cut that say what was usual. */
export const SCOPE_BASELINE_DAYS = 90;
/** Sends of the channel's mean rate that each stratum is given. */
const POOLED_SENDS = 20;
/** Replies at the expected rate that each group's own past is given. */
const PRIOR_REPLIES = 4;
/** The rest stayed as it was: |z| below this. And a group at fault must explain the change so much better than all do. */
const TOLD_APART = 1.96;

/** Replies, and what the strata's rates before the cut expect, of one group on both sides of the cut. */
interface Group {
  readonly observedBefore: number;
  readonly expectedBefore: number;
  readonly observed: number;
  readonly expected: number;
  readonly variance: number;
}

interface Rows {
  readonly from: number;
  readonly cut: number;
  readonly to: number;
}

function ratesBefore(sent: SendDays, { from, cut }: Rows): Float64Array {
  const n = new Float64Array(sent.strata);
  const y = new Float64Array(sent.strata);
  let [sends, replies] = [0, 0];
  for (let row = from; row < cut; row++) {
    const s = sent.stratum[row] as number;
    n[s] = (n[s] as number) + (sent.n[row] as number);
    y[s] = (y[s] as number) + (sent.y[row] as number);
    sends += sent.n[row] as number;
    replies += sent.y[row] as number;
  }
  const mean = (replies + 0.5) / (sends + 10);
  return n.map((sum, s) => ((y[s] as number) + POOLED_SENDS * mean) / (sum + POOLED_SENDS));
}

/** Groups with sends after the cut, by their key. */
function groupsOf(
  sent: SendDays,
  rows: Rows,
  rate: Float64Array,
  keys: Int32Array | Uint8Array,
): Map<number, Group> {
  let size = 1;
  for (let row = rows.from; row < rows.to; row++) size = Math.max(size, 1 + (keys[row] as number));
  const sums = Array.from({ length: 5 }, () => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const [observedBefore, expectedBefore, observed, expected, variance] = sums;
  for (let row = rows.from; row < rows.to; row++) {
    const k = keys[row] as number;
    const r = rate[sent.stratum[row] as number] as number;
    const n = sent.n[row] as number;
    const [O, E] = row < rows.cut ? [observedBefore, expectedBefore] : [observed, expected];
    O[k] = (O[k] as number) + (sent.y[row] as number);
    E[k] = (E[k] as number) + n * r;
    if (row >= rows.cut) variance[k] = (variance[k] as number) + n * r * (1 - r);
  }
  const groups = new Map<number, Group>();
  for (let k = 0; k < size; k++) {
    if ((expected[k] as number) <= 0) continue;
    groups.set(k, {
      observedBefore: observedBefore[k] as number,
      expectedBefore: expectedBefore[k] as number,
      observed: observed[k] as number,
      expected: expected[k] as number,
      variance: variance[k] as number,
    });
  }
  return groups;
}

interface Sole {
  readonly key: number;
  readonly share: number;
  /** by how much chi-square is smaller than where all groups change alike */
  readonly gain: number;
}

/** What a group's replies differ by from what its own past expects of it. */
interface Move {
  readonly key: number;
  readonly expected: number;
  readonly excess: number;
  readonly variance: number;
}

function movesOf(groups: ReadonlyMap<number, Group>): Move[] {
  return [...groups].map(([key, group]) => {
    const own = (group.observedBefore + PRIOR_REPLIES) / (group.expectedBefore + PRIOR_REPLIES);
    const uncertainty = square(group.variance * own) / (group.observedBefore + PRIOR_REPLIES);
    return {
      key,
      expected: group.expected * own,
      excess: group.observed - group.expected * own,
      variance: group.variance * own * own + uncertainty,
    };
  });
}

/**
 * The group that carries the change alone, if there is one: that it moved and the others stayed explains what came
 * better than that all moved alike, and nothing is left in the others.
 */
function soleGroup(groups: ReadonlyMap<number, Group>): Sole | null {
  if (groups.size < 2) return null;
  const moves = movesOf(groups);
  const sum = (of: (move: Move) => number): number => moves.reduce((total, move) => total + of(move), 0);
  const [excess, variance] = [sum((one) => one.excess), sum((one) => one.variance)];
  const squares = sum((one) => square(one.excess) / one.variance);
  const alike = sum((one) => (one.excess * one.expected) / one.variance);
  const unlike = squares - square(alike) / sum((one) => square(one.expected) / one.variance);
  const top = moves.reduce((a, b) => (square(b.excess) / b.variance > square(a.excess) / a.variance ? b : a));
  const gain = unlike - (squares - square(top.excess) / top.variance);
  const share = top.excess / excess;
  const rest = (excess - top.excess) / Math.sqrt(variance - top.variance);
  return share > 0 && gain > square(TOLD_APART) && Math.abs(rest) < TOLD_APART
    ? { key: top.key, share, gain }
    : null;
}

/**
 * Who is at fault for the change at a cut: the campaign, position or step without which nothing is left of it; of
 * several such groups the one that explains the most.
 */
export function scopeOfChange(sent: SendDays, fromDay: number, since: number, toDay: number): ChangeScope {
  const rowFrom = (day: number): number => sent.start[firstDayFrom(sent, day)] as number;
  const rows: Rows = { from: rowFrom(fromDay), cut: rowFrom(since), to: rowFrom(toDay + 1) };
  const rate = ratesBefore(sent, rows);
  let scope: ChangeScope = { kind: 'channel' };
  let most = 0;
  for (const kind of ['campaign', 'position', 'step'] as const) {
    const sole = soleGroup(groupsOf(sent, rows, rate, sent[kind]));
    if (sole && sole.gain > most) {
      most = sole.gain;
      scope = { kind, key: sole.key, share: sole.share };
    }
  }
  return scope;
}
