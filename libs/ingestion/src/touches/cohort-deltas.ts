import { DAY_MS, LEVEL_COUNT, OUTCOMES, stepBucketOf } from '@outcomes/contracts';
import { isRandomized, type Touch } from './touch';

export const HOURS_PER_DAY = 24;
/** Days from sending to the reply, 0 to 28 and "29 or more". */
export const DELAY_DAYS = 30;

const RESPONDED = OUTCOMES.indexOf('responded');
const BOUNCED = OUTCOMES.indexOf('bounced');
const UNSUBSCRIBED = OUTCOMES.indexOf('unsubscribed');

/** Change of one row of cohort_counts. */
export interface CohortDelta {
  readonly sentDay: string;
  readonly channel: number;
  readonly stepBucket: number;
  readonly position: number;
  touches: number;
  replies: number;
  bounces: number;
  unsubscribes: number;
  opens: number;
  meetings: number;
  streamed: number;
  /** Newest outcome among the touches that came in, milliseconds since 1970. */
  lastOutcomeAtMs: number | null;
  /** Newest outcome among the touches that left. */
  lostOutcomeAtMs: number | null;
  readonly levelTouches: number[];
  readonly levelReplies: number[];
  /** Of levelTouches, those that were assigned at random; empty where none was. */
  levelRandomized: number[];
  readonly hourTouches: number[];
  readonly hourReplies: number[];
  readonly replyDelays: number[];
}

/** Collects what touches that come and go mean for the counts. */
export class CohortDeltas {
  private readonly deltas = new Map<string, CohortDelta>();

  add(touch: Touch): void {
    const delta = this.count(touch, 1);
    delta.lastOutcomeAtMs = later(delta.lastOutcomeAtMs, touch.outcomeAtMs);
  }

  /** @param countsLot - whether the touch is in `levelRandomized`: versions before counted others there */
  remove(touch: Touch, countsLot: boolean): void {
    const delta = this.count(touch, -1, countsLot);
    delta.lostOutcomeAtMs = later(delta.lostOutcomeAtMs, touch.outcomeAtMs);
  }

  /** In key order, so that concurrent writers would lock rows in the same order. */
  list(): CohortDelta[] {
    return [...this.deltas.keys()].sort().map((key) => this.deltas.get(key) as CohortDelta);
  }

  private count(touch: Touch, sign: 1 | -1, countsLot = true): CohortDelta {
    const delta = this.deltaOf(touch);
    const isReply = touch.outcome === RESPONDED;
    delta.touches += sign;
    if (isReply) delta.replies += sign;
    if (touch.outcome === BOUNCED) delta.bounces += sign;
    if (touch.outcome === UNSUBSCRIBED) delta.unsubscribes += sign;
    if (touch.opened) delta.opens += sign;
    if (touch.meetingBooked) delta.meetings += sign;
    if (touch.streamed) delta.streamed += sign;
    const isRandom = countsLot && isRandomized(touch);
    if (isRandom && delta.levelRandomized.length === 0) delta.levelRandomized = zeros(LEVEL_COUNT);
    for (const level of touch.levels) {
      bump(delta.levelTouches, level, sign);
      if (isReply) bump(delta.levelReplies, level, sign);
      if (isRandom) bump(delta.levelRandomized, level, sign);
    }
    if (touch.sentHour !== null) {
      bump(delta.hourTouches, touch.sentHour, sign);
      if (isReply) bump(delta.hourReplies, touch.sentHour, sign);
    }
    // A bound of the time says nothing about the delay.
    if (isReply && touch.outcomeIsExact) bump(delta.replyDelays, delayOf(touch), sign);
    return delta;
  }

  private deltaOf({ sentDay, channel, sequenceStep, position }: Touch): CohortDelta {
    const stepBucket = stepBucketOf(sequenceStep);
    const key = `${sentDay} ${channel} ${stepBucket} ${position}`;
    const existing = this.deltas.get(key);
    if (existing) return existing;
    const delta = emptyDelta({ sentDay, channel, stepBucket, position });
    this.deltas.set(key, delta);
    return delta;
  }
}

function emptyDelta(
  stratum: Pick<CohortDelta, 'sentDay' | 'channel' | 'stepBucket' | 'position'>,
): CohortDelta {
  return {
    ...stratum,
    touches: 0,
    replies: 0,
    bounces: 0,
    unsubscribes: 0,
    opens: 0,
    meetings: 0,
    streamed: 0,
    lastOutcomeAtMs: null,
    lostOutcomeAtMs: null,
    levelTouches: zeros(LEVEL_COUNT),
    levelReplies: zeros(LEVEL_COUNT),
    levelRandomized: [],
    hourTouches: zeros(HOURS_PER_DAY),
    hourReplies: zeros(HOURS_PER_DAY),
    replyDelays: zeros(DELAY_DAYS),
  };
}

function delayOf(touch: Touch): number {
  const days = Math.floor((touch.outcomeAtMs - touch.sentAtMs) / DAY_MS);
  // A date alone counts from midnight, which may lie after the answer.
  return Math.min(Math.max(days, 0), DELAY_DAYS - 1);
}

function zeros(length: number): number[] {
  return new Array<number>(length).fill(0);
}

function bump(counts: number[], at: number, by: number): void {
  counts[at] = (counts[at] ?? 0) + by;
}

function later(a: number | null, b: number): number {
  return Math.max(a ?? b, b);
}
