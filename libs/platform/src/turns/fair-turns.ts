import { AppError } from '@outcomes/contracts';

const RETRY_AFTER_SECONDS = '2';
/** Who of one name has a turn or waits for one. */
export interface Line {
  taken: number;
  /** performance.now() when a turn was last passed on. */
  movedMs: number;
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly turns: number;
  readonly begin: () => void;
}

/**
 * So many turns for each name at once; who finds none waits behind the others of that name and behind nobody else.
 * What is scarce for everybody is then never all in one hand.
 */
export class FairTurns {
  protected readonly lines = new Map<string, Line>();

  /**
   * @param most - turns of one name
   * @param waitMs - how long one waits in a line that stands still
   * @param longestMs - how long one waits at all: a line that moves is worked off, however many stand in it. `waitMs`
   * unless told
   */
  constructor(
    protected readonly most: number,
    private readonly waitMs: number,
    private readonly longestMs = waitMs,
  ) {}

  /**
   * Does work in a turn.
   * @param turns - that it takes, where works differ in size; one that takes more than there are is done alone
   * @throws AppError SERVICE_UNAVAILABLE where no turn comes in time; and what the work throws
   */
  async run<Result>(name: string, work: () => Promise<Result>, turns = 1): Promise<Result> {
    const line = this.lineOf(name);
    // Where turns have become more, those who wait come first.
    if (line.waiting.length === 0 && this.hasRoom(line, turns)) line.taken += turns;
    else await this.wait(line, turns);
    const beganMs = performance.now();
    try {
      return await work();
    } finally {
      this.pass(name, line, turns, performance.now() - beganMs);
    }
  }

  private wait(line: Line, turns: number): Promise<void> {
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
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const mine = { turns, begin };
      line.waiting.push(mine);
    });
  }

  /**
   * Turns go back, and to those who wait as far as there are any: fewer may be left than were given.
   * @param _tookMs - how long the work took
   */
  protected pass(name: string, line: Line, turns: number, _tookMs: number): void {
    line.movedMs = performance.now();
    line.taken -= turns;
    for (let [next] = line.waiting; next && this.hasRoom(line, next.turns); [next] = line.waiting) {
      line.waiting.shift();
      line.taken += next.turns;
      next.begin();
    }
    if (line.taken === 0) this.lines.delete(name);
  }

  protected hasRoom({ taken }: Line, turns: number): boolean {
    return taken === 0 || taken + turns <= this.most;
  }

  private lineOf(name: string): Line {
    const known = this.lines.get(name);
    if (known) return known;
    const line: Line = { taken: 0, movedMs: 0, waiting: [] };
    this.lines.set(name, line);
    return line;
  }
}
