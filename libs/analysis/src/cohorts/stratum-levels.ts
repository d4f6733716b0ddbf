import { LEVEL_COUNT } from '@outcomes/contracts';

/** Messages and replies of one stratum per level of LEVELS. */
export interface StratumLevels {
  readonly channel: number;
  readonly step: number;
  readonly position: number;
  readonly touches: Float64Array;
  readonly replies: Float64Array;
}

/** Sums per stratum and level; whole numbers, so their order changes nothing. */
export class LevelSums {
  private readonly strata = new Map<number, StratumLevels>();
  private listed: readonly StratumLevels[] = [];

  of(channel: number, step: number, position: number): StratumLevels {
    const key = (channel * 256 + step) * 256 + position;
    let found = this.strata.get(key);
    if (found === undefined) {
      const [touches, replies] = [new Float64Array(LEVEL_COUNT), new Float64Array(LEVEL_COUNT)];
      this.strata.set(key, (found = { channel, step, position, touches, replies }));
    }
    return found;
  }

  /** In order of (channel, step, position). */
  list(): readonly StratumLevels[] {
    if (this.listed.length < this.strata.size) {
      this.listed = [...this.strata].sort(([a], [b]) => a - b).map(([, stratum]) => stratum);
    }
    return this.listed;
  }
}
