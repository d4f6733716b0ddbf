import { FairTurns, type Line } from './fair-turns';

/** How long after two names have asked one after the other both are taken to be there. */
const CONTEST_MS = 1_000;
/** How long a name with more to do rests after a piece of its work, in times of what that took. */
const REST = 2;
const MAX_REST_MS = 250;

/**
 * Shares the time of the process. A name that is alone does all that it has to do. While another is there, they share
 * the turns in equal parts, and a name that has more to do than its part rests after each piece: for each that is under
 * way, every step of everybody else waits for a step of it.
 */
export class FairWork extends FairTurns {
  private lastName: string | undefined;
  /** Until when somebody else is taken to be there: performance.now(). */
  private contestedUntilMs = 0;

  override run<Result>(name: string, work: () => Promise<Result>, turns = 1): Promise<Result> {
    if (name !== this.lastName) {
      if (this.lastName !== undefined) this.contestedUntilMs = performance.now() + CONTEST_MS;
      this.lastName = name;
    }
    return super.run(name, work, turns);
  }

  protected override hasRoom(line: Line, turns: number): boolean {
    if (!this.isContested) return true;
    return line.taken === 0 || line.taken + turns <= this.most / this.lines.size;
  }

  protected override pass(name: string, line: Line, turns: number, tookMs: number): void {
    const restMs = Math.min(MAX_REST_MS, REST * tookMs);
    // Timers count whole milliseconds.
    if (line.waiting.length === 0 || restMs < 1 || !this.isContested) super.pass(name, line, turns, tookMs);
    else setTimeout(() => super.pass(name, line, turns, tookMs), restMs);
  }

  private get isContested(): boolean {
    return performance.now() < this.contestedUntilMs;
  }
}
