import { setTimeout as delay } from 'node:timers/promises';
import { Patience } from '../output/patience';
import { readStatus } from './status-client';

/** Events of a company that may wait to be counted while more are sent: two of the largest groups that are counted. */
const MAX_WAITING = 40_000;
/** Events between two looks, so that the key's window is spared. */
const LOOK_EVERY = 10_000;
const POLL_MS = 500;
/** How long to stand still for a count that does not move. */
const PATIENCE_SECONDS = 15;

export interface PaceOptions {
  readonly ingestApiUrl: string;
  readonly apiKey: string;
}

/**
 * Keeps a file from running far ahead of its counting: a company's events are counted in the order in which they came,
 * so a reply or an opt-out that arrives during an import would wait for all that was sent before it.
 */
export class ImportPace {
  private unseen = 0;
  private isOff = false;

  constructor(
    private readonly options: PaceOptions,
    private readonly patienceSeconds = PATIENCE_SECONDS,
  ) {}

  /** Waits until few enough events wait to be counted; not at all where counting stands still or cannot be seen. */
  async wait(events: number): Promise<void> {
    this.unseen += events;
    if (this.isOff || this.unseen < LOOK_EVERY) return;
    this.unseen = 0;
    const patience = new Patience(this.patienceSeconds);
    for (;;) {
      const status = await readStatus(this.options.ingestApiUrl, this.options.apiKey);
      // While the service is away, sending waits for it by itself.
      if (status === 'away') return;
      if (status === 'refused' || !patience.lasts(status.events_pending)) {
        this.isOff = true;
        return;
      }
      if (status.events_pending <= MAX_WAITING) return;
      await delay(POLL_MS);
    }
  }
}
