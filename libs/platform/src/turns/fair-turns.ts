import { AppError } from '@outcomes/contracts';

const RETRY_AFTER_SECONDS = '2';

interface Line {
  taken: number;
  /** performance.now() when a turn was last passed on. */
  movedMs: number;
  readonly waiting: (() => void)[];
}

/**
 * So many turns for each name at once; who finds none waits behind the others of that name and behind nobody else.
 * What is scarce for everybody is then never all in one hand.
 */
export class FairTurns {
  private readonly lines = new Map<string, Line>();

  /**
   * @param most - turns of one name
   * @param waitMs - how long one waits in a line that stands still
   * @param longestMs - how long one waits at all: a line that moves is worked off, however many stand in it. `waitMs`
   * unless told
   */
  constructor(
    private readonly most: number,
    private readonly waitMs: number,
    private readonly longestMs = waitMs,
  ) {}

  /**
   * Does work in a turn.
   * @throws AppError SERVICE_UNAVAILABLE where no turn comes in time; and what the work throws
   */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.lineOf(name);
    if (line.taken < this.most) line.taken += 1;
    else await this.wait(line);
    try {
      return await work();
    } finally {
      this.pass(name, line);
    }
  }

  private wait(line: Line): Promise<void> {
    return new Promise((resolve, reject) => {
      const beganMs = performance.now();
      const patienceMs = () =>
        Math.min(Math.max(beganMs, line.movedMs) + this.waitMs, beganMs + this.longestMs) - performance.now();
      const look = () => {
        const leftMs = patienceMs();
        // Timers count whole milliseconds.
        if (leftMs >= 1) return void (timer = setTimeout(look, leftMs));
        line.waiting.splice(line.waiting.indexOf(mine), 1);
        reject(new AppError('SERVICE_UNAVAILABLE', {}, { headers: { 'Retry-After': RETRY_AFTER_SECONDS } }));
      };
      let timer = setTimeout(look, this.waitMs);
      const mine = () => {
        clearTimeout(timer);
        resolve();
      };
      line.waiting.push(mine);
    });
  }

  /** The turn goes to the next who waits, or back. */
  private pass(name: string, line: Line): void {
    line.movedMs = performance.now();
    const next = line.waiting.shift();
    if (next) return next();
    line.taken -= 1;
    if (line.taken === 0) this.lines.delete(name);
  }

  private lineOf(name: string): Line {
    const known = this.lines.get(name);
    if (known) return known;
    const line: Line = { taken: 0, movedMs: 0, waiting: [] };
    this.lines.set(name, line);
    return line;
  }
}
