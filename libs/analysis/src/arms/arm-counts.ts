import { CHANNELS, POSITIONS, type Channel, type DriftDocument, type Position } from '@outcomes/contracts';
import { cohortWeight } from '@outcomes/statistics';
import type { CohortTable } from '../cohorts/cohort-table';
import { dayOf } from '../cohorts/days';
import type { SettledShare } from '../rates/settled-share';

/** What is known of one (channel, position). */
export interface ArmSums {
  readonly channel: Channel;
  readonly position: Position;
  observations: number;
  replies: number;
  streamed: number;
  immature: number;
  /** discounted and settled messages, and discounted replies */
  weightedTouches: number;
  weightedReplies: number;
  lastOutcomeAt: number;
}

/** First day after the change of the reply rate (days since 1970-01-01); channels without one are absent. */
export type RateChanges = ReadonlyMap<Channel, number>;

/** What a drift document says of changed rates. A change of all channels holds for each; the later one counts. */
export function rateChangesOf(drift: Pick<DriftDocument, 'verdicts'> | undefined): RateChanges {
  const changes = new Map<Channel, number>();
  for (const { channel, kind, since } of drift?.verdicts ?? []) {
    if (kind !== 'rate' || since === null) continue;
    for (const affected of channel === 'all' ? CHANNELS : [channel]) {
      changes.set(affected, Math.max(dayOf(since), changes.get(affected) ?? dayOf(since)));
    }
  }
  return changes;
}

/** Sums per arm that has any data, in order of channel and position. */
export function armSumsOf(table: CohortTable, settledShare: SettledShare, changes: RateChanges): ArmSums[] {
  const arms = CHANNELS.flatMap((channel) => POSITIONS.map((position) => emptyArm(channel, position)));
  let weights: readonly number[] = [];
  let weighedDay = Number.NaN;
  for (let row = 0; row < table.size; row += 1) {
    const channel = table.channel[row] ?? 0;
    const arm = arms[channel * POSITIONS.length + (table.position[row] ?? 0)];
    if (arm === undefined) continue;
    const touches = table.touches[row] ?? 0;
    const replies = table.replies[row] ?? 0;
    const day = table.day[row] ?? 0;
    if (day !== weighedDay) {
      // Rows come in order of their days, and all of a day and channel weigh the same.
      weights = CHANNELS.map((name) => cohortWeight(day, table.observedUntil, changes.get(name) ?? null));
      weighedDay = day;
    }
    const weight = weights[channel] ?? 0;
    arm.observations += touches;
    arm.replies += replies;
    arm.streamed += table.streamed[row] ?? 0;
    arm.immature += table.isMature(row) ? 0 : touches;
    arm.weightedTouches += weight * touches * settledShare(channel, table.ageOf(row));
    arm.weightedReplies += weight * replies;
    arm.lastOutcomeAt = newer(arm.lastOutcomeAt, table.lastOutcomeAt[row] ?? Number.NaN);
  }
  return arms.filter((arm) => arm.observations > 0);
}

function emptyArm(channel: Channel, position: Position): ArmSums {
  return {
    channel,
    position,
    observations: 0,
    replies: 0,
    streamed: 0,
    immature: 0,
    weightedTouches: 0,
    weightedReplies: 0,
    lastOutcomeAt: Number.NaN,
  };
}

function newer(a: number, b: number): number {
  return Number.isNaN(a) || b > a ? b : a;
}
