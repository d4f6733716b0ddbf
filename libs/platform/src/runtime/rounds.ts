export interface RoundsOptions {
  /** Between the end of a round and the next one. */
  readonly pauseMs: number;
  /** One round. It ends early where the signal says that there will be no next one. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Told why a round failed; the next one comes all the same. */
  readonly onError: (error: unknown) => void;
}

/** Work that is done again and again until it is stopped, one round after the other. */
export class Rounds {
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<void> = Promise.resolve();

  constructor(private readonly options: RoundsOptions) {}

  /** Begins with a round. */
  start(): void {
    const { work, onError } = this.options;
    this.underWay = work(this.stopping.signal)
      .catch(onError)
      .finally(() => this.startLater());
  }

  /** Begins with a pause. */
  startLater(): void {
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => this.start(), this.options.pauseMs);
  }

  /** Starts no further round, and waits for the one under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.underWay;
  }
}
