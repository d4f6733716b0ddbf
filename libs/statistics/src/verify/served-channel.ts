import { ArmMemory, type ArmCounts, dayCounts, type DayCounts, type ForwardArm, forwardArms } from '../arms';
import { campaignTurnover, extendLedger, type LedgerChange, lookForChange } from '../drift';
import type { ChannelWorld } from '../testing';

/** Days until a send day has settled, as for e-mail. */
export const SETTLING_DAYS = 14;

export interface ServedDay {
  readonly arms: readonly ForwardArm[];
  readonly counts: readonly ArmCounts[];
  /** accepted and told by then, oldest first */
  readonly changes: readonly LedgerChange[];
  /** settled replies since the last change, or the start */
  readonly settledReplies: number;
  readonly campaignVariance: number;
}

export interface ServingFaults {
  /** changes are listed, but the memory does not begin anew at them */
  readonly noRestart?: boolean;
  /** the turnover of campaigns does not widen the intervals */
  readonly noCampaignTerm?: boolean;
}

/**
 * A channel of known truth as the daily run serves it: changes are looked for among the settled days, the memory
 * takes the settled days, and the estimates of a day rest on the unsettled ones too. Faults can be planted.
 */
export class ServedChannel {
  private readonly days: readonly DayCounts[];
  private readonly ledger: readonly LedgerChange[];
  private readonly memory: ArmMemory;
  private next = 0;

  constructor(
    private readonly world: ChannelWorld,
    private readonly faults: ServingFaults = {},
  ) {
    this.days = dayCounts(world.counts, world.positions, 0, world.days);
    this.ledger = extendLedger(world.counts, [], 0, world.days);
    this.memory = new ArmMemory(world.positions);
  }

  /** @param asOf - days in ascending order from call to call */
  serve(asOf: number): ServedDay {
    const settled = asOf - SETTLING_DAYS;
    while ((this.days[this.next]?.day ?? Infinity) <= settled)
      this.settle(this.days[this.next++] as DayCounts);
    const unsettled = this.days.filter(({ day }) => day > (this.memory.day ?? -1) && day <= asOf);
    const since = this.memory.dataFrom ?? 0;
    const campaignVariance = lookForChange(this.world.counts, since, settled)?.campaignVariance ?? 0;
    const turnover = this.faults.noCampaignTerm
      ? 0
      : campaignTurnover(this.world.counts, asOf, since, campaignVariance);
    const [target, current] = [this.memory.weights(asOf, 30), this.memory.weights(asOf, 7)];
    const counts = this.memory.counts(asOf, target, unsettled);
    const { arms } = forwardArms(counts, {
      target: Math.max(target.variance, turnover),
      current: Math.max(current.variance, turnover),
    });
    const changes = this.ledger.filter(({ settledOn }) => settledOn <= settled);
    const start = changes.at(-1)?.since ?? 0;
    let settledReplies = 0;
    for (const { day, y } of this.days)
      if (day >= start && day <= settled) settledReplies += Array.from(y).reduce((a, b) => a + b, 0);
    return { arms, counts, changes, settledReplies, campaignVariance };
  }

  private settle(counts: DayCounts): void {
    this.memory.add(counts);
    if (this.faults.noRestart) return;
    for (const { since, settledOn } of this.ledger.filter((change) => change.settledOn === counts.day))
      this.memory.restart(
        { since, toldOn: settledOn + SETTLING_DAYS },
        this.days.filter(({ day }) => day >= since && day <= counts.day),
      );
  }
}

const AHEAD_DAYS = 30;

/** True mean rate of an arm over the 30 days to come. */
export function rateAhead(world: ChannelWorld, asOf: number, position: number): number {
  let sum = 0;
  for (let day = asOf + 1; day <= asOf + AHEAD_DAYS; day++) sum += world.rate(day, position);
  return sum / AHEAD_DAYS;
}
