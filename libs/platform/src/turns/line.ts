import { AppError } from '@outcomes/contracts';

const RETRY_AFTER_SECONDS = '2';

export interface Patience {
  /** How long one waits where nothing comes to a good end. Milliseconds, as is the next. */
  readonly waitMs: number;
  /** How long one waits at all: a line that moves is worked off, however many stand in it. */
  readonly longestMs: number;
}

/** When work last came to a good end: performance.now(). */
export interface Progress {
  movedMs: number;
}

interface Waiting {
  readonly size: number;
  readonly begin: () => void;
}

/** Who of one name is at work, and who waits. */
export class Line {
  /** Sizes of the work under way, added up. */
  taken = 0;
  private readonly waiting: Waiting[] = [];

  /** @param progress - of the line itself, or of all that wait for the same */
  constructor(
    private readonly patience: Patience,
    private readonly progress: Progress = { movedMs: 0 },
  ) {}

  /** Size of the work that is first to begin, if any waits. */
  get next(): number | undefined {
    return this.waiting[0]?.size;
  }

  /** Nobody is at work, and nobody waits. */
  get isOver(): boolean {
    return this.taken === 0 && this.waiting.length === 0;
  }

  /** Work has come to a good end. */
  move(): void {
    this.progress.movedMs = performance.now();
  }

  /** The first who waits begins. */
  begin(): void {
    const next = this.waiting.shift();
    if (!next) return;
    this.taken += next.size;
    next.begin();
  }

  /**
   * Waits behind the others until `begin` has come to this one.
   * @throws AppError SERVICE_UNAVAILABLE where that takes too long
   */
  join(size: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const beganMs = performance.now();
      const look = () => {
        const leftMs = this.patienceEndsMs(beganMs) - performance.now();
        // Timers count whole milliseconds.
        if (leftMs >= 1) return void (timer = setTimeout(look, leftMs));
        this.waiting.splice(this.waiting.indexOf(mine), 1);
        reject(new AppError('SERVICE_UNAVAILABLE', {}, { headers: { 'Retry-After': RETRY_AFTER_SECONDS } }));
      };
      let timer = setTimeout(look, Math.min(this.patience.waitMs, this.patience.longestMs));
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const mine = { size, begin };
      this.waiting.push(mine);
    });
  }

  private patienceEndsMs(beganMs: number): number {
    const { waitMs, longestMs } = this.patience;
    return Math.min(Math.max(beganMs, this.progress.movedMs) + waitMs, beganMs + longestMs);
  }
}
