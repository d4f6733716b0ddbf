import { CHANNELS, POSITIONS, type Channel, type Position } from '@outcomes/contracts';
import type { CohortTable } from '../cohorts/cohort-table';

/** What is told of one (channel, position) beside its posterior. */
export interface ArmSums {
  readonly channel: Channel;
  readonly position: Position;
  observations: number;
  replies: number;
  streamed: number;
  immature: number;
  lastOutcomeAt: number;
}

/** Sums per arm that has any data, in order of channel and position. */
export function armSumsOf(table: CohortTable): ArmSums[] {
  const arms = CHANNELS.flatMap((channel) => POSITIONS.map((position) => emptyArm(channel, position)));
  for (let row = 0; row < table.size; row += 1) {
    const arm = arms[(table.channel[row] ?? 0) * POSITIONS.length + (table.position[row] ?? 0)];
    if (arm === undefined) continue;
    const touches = table.touches[row] ?? 0;
    arm.observations += touches;
    arm.replies += table.replies[row] ?? 0;
    arm.streamed += table.streamed[row] ?? 0;
    arm.immature += table.isMature(row) ? 0 : touches;
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
    lastOutcomeAt: Number.NaN,
  };
}

function newer(a: number, b: number): number {
  return Number.isNaN(a) || b > a ? b : a;
}
