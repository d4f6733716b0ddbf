/** How fast bodies are read, all of a process together: twice as fast as one can validate and store what is in them. */
const BYTES_PER_MS = 32 * 1_024;
/** What may be read at once after a rest: some 0.2 ms of the event loop. */
const BURST_BYTES = 256 * 1_024;

/** Takes what is here of a body, and tells how many bytes that was. */
type Read = () => number;

/**
 * Shares the reading of bodies among companies, in turn, and bounds what it takes of the event loop: a request of
 * somebody else waits for a fraction of a millisecond and not for what hundreds of sockets bring at once, and what
 * is read to be thrown away keeps neither the processor nor the garbage collector busy. What is beyond stays with its
 * sender, whose socket is not read before its turn.
 */
export class ReadingTurns {
  private left = BURST_BYTES;
  private filledMs: number;
  private timer: NodeJS.Timeout | undefined;
  /** Whose turn comes next is first; a company that was served goes to the end. */
  private readonly waiting = new Map<string, Read[]>();

  /** @param now - monotonic milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.filledMs = now();
  }

  /** Reads now, where there is room and nobody waits, and otherwise as soon as it is this company's turn. */
  read(companyId: string, read: Read): void {
    if (this.waiting.size === 0) {
      this.fill();
      if (this.left > 0) {
        this.left -= read();
        return;
      }
    }
    const line = this.waiting.get(companyId);
    if (line) line.push(read);
    else this.waiting.set(companyId, [read]);
    this.timer ??= setTimeout(this.serve, 1);
  }

  private readonly serve = (): void => {
    this.fill();
    while (this.left > 0) {
      const [next] = this.waiting;
      if (!next) break;
      const [companyId, line] = next;
      const read = line.shift();
      this.waiting.delete(companyId);
      if (line.length > 0) this.waiting.set(companyId, line);
      if (read) this.left -= read();
    }
    this.timer = this.waiting.size > 0 ? setTimeout(this.serve, 1) : undefined;
  };

  private fill(): void {
    const now = this.now();
    this.left = Math.min(BURST_BYTES, this.left + (now - this.filledMs) * BYTES_PER_MS);
    this.filledMs = now;
  }
}
