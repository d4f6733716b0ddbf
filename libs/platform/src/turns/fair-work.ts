import { Line, type Patience, type Progress } from './line';

/** How long after two names have asked both are taken to be there. */
const CONTEST_MS = 1_000;
/** What is larger than this part of `most` waits for a turn while several names are there. */
const LARGE = 1 / 8;
/** How long the process rests from a turn while others are at work, in times of what it took, and at most. */
const REST = 2;
const MAX_REST_MS = 250;
/** How long others have to be away for them not to be at work. */
const QUIET_MS = 10;
/** How long a turn that is due waits for a moment in which nothing is under way. */
const GAP_MS = 10;

export interface FairWorkOptions extends Patience {
  /** Size of the work that is under way at once while several names are there, in equal parts. */
  readonly most: number;
  /** Called with every piece of work that is refused because it could not begin in time. */
  readonly onRefused?: () => void;
}

/**
 * Shares the time of a process. A name that is alone does all that it has to do. While several are there, each does at
 * once what is small and within its part. The rest waits for its turn, which comes to one name after the other:
 *
 * - Where nobody has small work, whenever the name has nothing under way or room in its part.
 * - Where somebody has, when no other turn is under way and he has been quiet for a moment, or when the process has rested
 *   from the last turn twice as long as it took: then in the next gap between his pieces of work, or without one a
 *   moment later. Every step of everybody waits for a step of each other piece of work that is under way, so there is
 *   one at once, and most of the time none.
 */
export class FairWork {
  private readonly lines = new Map<string, Line>();
  /** Those of the lines in which somebody waits, in the order of their turns. */
  private readonly backlog = new Set<Line>();
  private readonly progress: Progress = { movedMs: 0 };
  private lastName: string | undefined;
  private turnsUnderWay = 0;
  /** Until when several names are taken to be there: performance.now(), as are the next. */
  private contestedUntilMs = 0;
  /** When small work last began or ended. */
  private smallMs = -Infinity;
  /** When the process has rested from the last turn. */
  private restedMs = -Infinity;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: FairWorkOptions) {}

  /**
   * Does a piece of work.
   * @param name - of whom it is
   * @param size - in the unit of `most`; what is larger than a part is done alone
   * @throws AppError SERVICE_UNAVAILABLE where it cannot begin in time; and what the work throws
   */
  async run<Result>(name: string, work: () => Promise<Result>, size: number): Promise<Result> {
    const line = this.lineOf(name);
    this.saw(name, line);
    const isAtOnce = line.next === undefined && this.mayBegin(line, size);
    if (isAtOnce) this.beginsAtOnce(line, size);
    else await this.wait(line, size);
    const beganMs = performance.now();
    try {
      const result = await work();
      line.move();
      return result;
    } finally {
      line.taken -= size;
      if (line.isOver) this.lines.delete(name);
      if (isAtOnce) this.sawSmall(size);
      else this.turnEnded(beganMs);
      if (this.backlog.size > 0) this.begin();
    }
  }

  private async wait(line: Line, size: number): Promise<void> {
    const turn = line.join(size);
    this.backlog.add(line);
    this.begin();
    try {
      await turn;
    } catch (error) {
      if (line.next === undefined) this.backlog.delete(line);
      this.options.onRefused?.();
      throw error;
    }
  }

  private beginsAtOnce(line: Line, size: number): void {
    line.taken += size;
    this.sawSmall(size);
  }

  private sawSmall(size: number): void {
    if (!this.isLarge(size)) this.smallMs = performance.now();
  }

  private turnEnded(beganMs: number): void {
    const now = performance.now();
    this.turnsUnderWay -= 1;
    this.restedMs = now + Math.min(MAX_REST_MS, REST * (now - beganMs));
  }

  /** Has those of the backlog begin who may, in turns. */
  private begin(): void {
    clearTimeout(this.timer);
    let nextMs = Infinity;
    for (const line of this.backlog) {
      const now = performance.now();
      const dueMs = this.dueMs(line, now);
      if (dueMs > now) nextMs = Math.min(nextMs, dueMs);
      else this.takeTurn(line);
    }
    // Timers count whole milliseconds.
    if (nextMs < Infinity) this.timer = setTimeout(() => this.begin(), Math.ceil(nextMs - performance.now()));
  }

  private takeTurn(line: Line): void {
    do {
      line.begin();
      this.turnsUnderWay += 1;
    } while (line.next !== undefined && this.mayFollow(line, line.next));
    // Its next turn is after those of all others.
    this.backlog.delete(line);
    if (line.next !== undefined) this.backlog.add(line);
  }

  /** Whether more than the first of a line begins in a turn. */
  private mayFollow(line: Line, size: number): boolean {
    const isTogetherSmall = !this.isLarge(line.taken + size);
    return this.hasRoom(line, size) && (isTogetherSmall || !this.isSmallWorkAbout);
  }

  /** When a line has its turn, unless work that ends brings it on: performance.now(). */
  private dueMs(line: Line, now: number): number {
    if (!this.isContested) return now;
    if (!this.isSmallWorkAbout) return this.hasRoom(line, line.next ?? 0) ? now : this.contestedUntilMs;
    if (this.turnsUnderWay > 0) return this.contestedUntilMs;
    const isAnyoneAtWork = [...this.lines.values()].some(({ taken }) => taken > 0);
    return isAnyoneAtWork ? this.restedMs + GAP_MS : Math.min(this.restedMs, this.smallMs + QUIET_MS);
  }

  private get isSmallWorkAbout(): boolean {
    return this.isContested && performance.now() < this.smallMs + CONTEST_MS;
  }

  private mayBegin(line: Line, size: number): boolean {
    return !this.isContested || (!this.isLarge(size) && this.hasRoom(line, size));
  }

  private isLarge(size: number): boolean {
    return size > this.options.most * LARGE;
  }

  private hasRoom({ taken }: Line, size: number): boolean {
    return (
      taken === 0 || !this.isContested || taken + size <= this.options.most / Math.max(2, this.lines.size)
    );
  }

  private get isContested(): boolean {
    return performance.now() < this.contestedUntilMs;
  }

  private saw(name: string, line: Line): void {
    const doOthersWait = this.backlog.size > (this.backlog.has(line) ? 1 : 0);
    if (name === this.lastName && !doOthersWait) return;
    if (this.lastName !== undefined) this.contestedUntilMs = performance.now() + CONTEST_MS;
    this.lastName = name;
  }

  private lineOf(name: string): Line {
    const known = this.lines.get(name);
    if (known) return known;
    const line = new Line(this.options, this.progress);
    this.lines.set(name, line);
    return line;
  }
}
