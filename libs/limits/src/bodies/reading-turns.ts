/** How fast bodies are read, all of a process together: twice what one stores of events of 620 bytes at 40 us each. */
const BYTES_PER_MS = 32 * 1_024;
/** The same for companies whose bodies are read for nothing. */
const DEBTORS_BYTES_PER_MS = 4 * 1_024;
/** How long a rest is made up for: what is then read at once takes some 0.2 ms of the event loop. */
const BURST_MS = 8;
/** What a company has to make up for at most: eight seconds of it, where nobody else does. */
const MAX_OWED_BYTES = 8_000 * DEBTORS_BYTES_PER_MS;

/** Takes what is here of a body, and tells how many bytes that was. */
type Read = () => number;

/** So many bytes in a millisecond, which companies take in turn. */
class Lane {
  private left: number;
  private filledMs = performance.now();
  private timer: NodeJS.Timeout | undefined;
  /** Whose turn comes next is first; a company that was served goes to the end. */
  private readonly waiting = new Map<string, Read[]>();

  constructor(private readonly bytesPerMs: number) {
    this.left = bytesPerMs * BURST_MS;
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
    this.timer ??= this.later();
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
    this.timer = this.waiting.size > 0 ? this.later() : undefined;
  };

  /** When there is room again. */
  private later(): NodeJS.Timeout {
    return setTimeout(this.serve, 1 - this.left / this.bytesPerMs);
  }

  private fill(): void {
    const now = performance.now();
    this.left = Math.min(this.bytesPerMs * BURST_MS, this.left + (now - this.filledMs) * this.bytesPerMs);
    this.filledMs = now;
  }
}

/**
 * Shares the reading of bodies among companies, in turn, and bounds what it takes of the event loop: a request of
 * somebody else waits for a fraction of a millisecond and not for what hundreds of sockets bring at once. What is
 * beyond stays with its sender, whose socket is not read before its turn. A company whose bodies are thrown away is
 * read slowly until as much has been read: whatever it sends, reading it for nothing never becomes the main work.
 */
export class ReadingTurns {
  private readonly all = new Lane(BYTES_PER_MS);
  private readonly debtors = new Lane(DEBTORS_BYTES_PER_MS);
  /** Bytes by company that were read for nothing, and not made up for since. */
  private readonly owed = new Map<string, number>();

  /** Reads as soon as it is this company's turn, which may be now. */
  read(companyId: string, read: Read): void {
    if (!this.owed.has(companyId)) return this.all.read(companyId, read);
    this.debtors.read(companyId, () => {
      const bytes = read();
      this.makeUp(companyId, bytes);
      return bytes;
    });
  }

  /** Says that so many bytes of a company were read for nothing. */
  waste(companyId: string, bytes: number): void {
    if (bytes === 0) return;
    this.owed.set(companyId, Math.min(MAX_OWED_BYTES, (this.owed.get(companyId) ?? 0) + bytes));
  }

  private makeUp(companyId: string, bytes: number): void {
    const left = (this.owed.get(companyId) ?? 0) - bytes;
    if (left > 0) this.owed.set(companyId, left);
    else this.owed.delete(companyId);
  }
}
