import { Line } from './line';

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
    else await line.join(1);
    try {
      const result = await work();
      line.move();
      return result;
    } finally {
      line.taken -= 1;
      line.begin();
      if (line.isOver) this.lines.delete(name);
    }
  }

  private lineOf(name: string): Line {
    const known = this.lines.get(name);
    if (known) return known;
    const line = new Line({ waitMs: this.waitMs, longestMs: this.longestMs });
    this.lines.set(name, line);
    return line;
  }
}
