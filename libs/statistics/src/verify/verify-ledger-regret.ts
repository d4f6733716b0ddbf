import { ArmMemory, type DayCounts, fitArms } from '../arms';
import { type ChannelCounts, extendLedger, type LedgerChange } from '../drift';
import { drawBeta, drawBinomial, drawIndex, seededRng } from '../random';

const ARMS = 8;
const SENDS = 100;

/** A bandit's counts as columns that fill day by day. */
class Columns {
  private size = 0;
  private readonly columns: Omit<ChannelCounts, 'size'>;

  constructor(days: number) {
    const column = (): Int32Array => new Int32Array(days * ARMS);
    const [position, step] = [new Uint8Array(days * ARMS), new Uint8Array(days * ARMS)];
    this.columns = { day: column(), position, step, campaign: column(), n: column(), y: column() };
  }

  get counts(): ChannelCounts {
    return { size: this.size, ...this.columns };
  }

  push({ day, n, y }: DayCounts): void {
    for (let arm = 0; arm < ARMS; arm++) {
      this.columns.day[this.size] = day;
      this.columns.position[this.size] = arm;
      this.columns.n[this.size] = n[arm] as number;
      this.columns.y[this.size] = y[arm] as number;
      this.size++;
    }
  }
}

/**
 * Regret of sending by the shares of P(best), over the regret of sending evenly, with the ledger and the memory that
 * ship. The rates of all arms are drawn anew on the days of change.
 */
export function simulateLedgerRegret(
  runs: number,
  changes: readonly number[],
  seed: number,
  days = 365,
): number {
  let [ours, uniform] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const rng = seededRng(seed + run);
    const draw = (): number[] => Array.from({ length: ARMS }, () => drawBeta(rng, 2.5, 47.5));
    let rates = draw();
    const memory = new ArmMemory(ARMS);
    const columns = new Columns(days);
    const history: DayCounts[] = [];
    const ledger: LedgerChange[] = [];
    for (let day = 0; day < days; day++) {
      if (changes.includes(day)) rates = draw();
      const arms =
        day === 0 ? rates.map(() => ({ n: 0, y: 0 })) : memory.counts(day, memory.weights(day, 30));
      const shares = fitArms(arms).arms.map(({ pBest }) => pBest);
      const n = new Float64Array(ARMS);
      for (let i = 0; i < SENDS; i++) n[drawIndex(rng, shares)]!++;
      const today = { day, n, y: n.map((sends, arm) => drawBinomial(rng, sends, rates[arm] as number)) };
      history.push(today);
      columns.push(today);
      memory.add(today);
      for (const change of extendLedger(columns.counts, ledger, day, day)) {
        ledger.push(change);
        memory.restart({ since: change.since, toldOn: day }, history.slice(change.since));
      }
      const best = Math.max(...rates);
      rates.forEach((rate, arm) => {
        ours += (n[arm] as number) * (best - rate);
        uniform += (SENDS / ARMS) * (best - rate);
      });
    }
  }
  return ours / uniform;
}
