import { OutcomesError, RequestError, WaitTimeoutError, type ErrorCode } from './errors.ts';
import type { EventsAnswer, OutcomeEvent } from './outcomes-client.ts';

/** An event that the service would not take, and why. */
export interface Rejection {
  readonly event: OutcomeEvent;
  /** Field at fault; empty where it is the event, or the request, as a whole. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export interface EventQueueOptions {
  /** Most events in one request. Default 500, which is what the service takes. */
  readonly batchSize?: number;
  /** Events that may wait; beyond, `add` waits for room. Default 5,000. */
  readonly capacity?: number;
  /** Bytes of JSON that may wait; beyond, `add` waits for room. Default 16 MiB. */
  readonly capacityBytes?: number;
  /** Milliseconds after which an incomplete batch goes out. Default 1,000. */
  readonly lingerMs?: number;
  /** Milliseconds that `add` waits for room. Default 60,000. */
  readonly roomTimeoutMs?: number;
  /** Told of every fault of an event that was refused. What it throws goes to the console; the queue goes on. */
  readonly onRejected?: (rejection: Rejection) => void;
  /** Told of a batch that could not be sent; it stays queued, and goes again by itself. Thrown errors as above. */
  readonly onFailed?: (error: unknown) => void;
}

export interface FlushOptions {
  /** Milliseconds. Default 60,000. */
  readonly timeoutMs?: number;
}

interface Waiting {
  readonly json: string;
  readonly bytes: number;
}

const MAX_EVENTS = 500;
/** The service takes 8 MiB; what stands around the events needs a little of it. */
const MAX_BYTES = 8 * 1_048_576 - 1_024;
/** Refusals of what a batch holds. Any other is about the key, a header or the address, or comes from a proxy. */
const OF_THE_EVENTS: readonly string[] = [
  'INVALID_JSON',
  'INVALID_REQUEST',
  'INVALID_ENCODING',
  'TOO_MANY_EVENTS',
  'PAYLOAD_TOO_LARGE',
] satisfies ErrorCode[];
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Collects single events and sends them in batches, one at a time and in order. Every event has an id from the moment
 * it is added, so that a batch whose answer was lost may go again: the service counts each event once.
 */
export class EventQueue {
  readonly #send: (events: readonly OutcomeEvent[]) => Promise<EventsAnswer>;
  readonly #options: EventQueueOptions;
  readonly #encoder = new TextEncoder();
  readonly #waiting: Waiting[] = [];
  readonly #forRoom = new Set<() => void>();
  #bytes = 0;
  #added = 0;
  #settled = 0;
  #failures = 0;
  #pauseMs = 0;
  #isClosed = false;
  #sending: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param send sends a batch until it is answered, or fails; events keep their ids */
  constructor(
    send: (events: readonly OutcomeEvent[]) => Promise<EventsAnswer>,
    options: EventQueueOptions = {},
  ) {
    this.#send = send;
    this.#options = options;
  }

  /** Events that are not known to be stored. */
  get size(): number {
    return this.#waiting.length;
  }

  /**
   * Takes one event as it is now; resolves at once unless the queue is full.
   * @returns its id
   * @throws {WaitTimeoutError} where there was no room in time: the event was not taken
   */
  async add(event: OutcomeEvent): Promise<string> {
    const event_id = event.event_id ?? crypto.randomUUID();
    const json = JSON.stringify({ ...event, event_id });
    const bytes = this.#encoder.encode(json).length;
    const until = Date.now() + (this.#options.roomTimeoutMs ?? 60_000);
    while (!this.#isClosed && !this.#hasRoomFor(bytes)) await this.#room(until);
    if (this.#isClosed) throw new TypeError('The queue is closed.');
    this.#waiting.push({ json, bytes });
    this.#bytes += bytes;
    this.#added += 1;
    this.#wake();
    return event_id;
  }

  /**
   * Resolves when everything that was added before is stored or refused.
   * @throws {WaitTimeoutError} where it took longer, or what sending failed by; what is left stays queued
   */
  async flush({ timeoutMs = 60_000 }: FlushOptions = {}): Promise<void> {
    const last = this.#added;
    await within(timeoutMs, `${this.size} events are not stored yet.`, async (isOver) => {
      while (this.#settled < last && !isOver()) await this.#sendNext();
    });
  }

  /** Takes no more, and sends what is left, as `flush` does. Where that fails, it may be called again. */
  async close(options?: FlushOptions): Promise<void> {
    this.#isClosed = true;
    for (const resolve of this.#forRoom) resolve();
    try {
      await this.flush(options);
    } finally {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
  }

  get #batchSize(): number {
    return Math.min(this.#options.batchSize ?? MAX_EVENTS, MAX_EVENTS);
  }

  /** An empty queue takes any event, however long. */
  #hasRoomFor(bytes: number): boolean {
    const { capacity = 5_000, capacityBytes = 16 * 1_048_576 } = this.#options;
    if (this.#waiting.length === 0) return true;
    return this.#waiting.length < capacity && this.#bytes + bytes <= capacityBytes;
  }

  async #room(until: number): Promise<void> {
    let resolve = () => {};
    try {
      await within(Math.max(0, until - Date.now()), 'The queue is full.', () => {
        const room = new Promise<void>((done) => (resolve = done));
        this.#forRoom.add(resolve);
        this.#wake();
        return room;
      });
    } finally {
      this.#forRoom.delete(resolve);
    }
  }

  /** Sends now where there is reason to, and else sees to it that it is sent later. */
  #wake(): void {
    if (this.#sending || this.#waiting.length === 0) return;
    const isFull = this.#waiting.length >= this.#batchSize || this.#forRoom.size > 0;
    if (isFull && this.#failures === 0) return this.#sendInBackground();
    if (this.#isClosed) return;
    const afterMs = this.#failures === 0 ? (this.#options.lingerMs ?? 1_000) : this.#pauseMs;
    this.#timer ??= setTimeout(() => this.#sendInBackground(), afterMs);
  }

  #sendInBackground(): void {
    this.#sendNext().catch((error: unknown) => tell(this.#options.onFailed, error));
  }

  #sendNext(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendBatch().finally(() => {
      this.#sending = undefined;
      this.#wake();
    });
    return this.#sending;
  }

  async #sendBatch(): Promise<void> {
    const batch = this.#nextBatch().map(({ json }) => JSON.parse(json) as OutcomeEvent);
    const errors = await this.#errorsOf(batch);
    // Only now: until the service has said 202, they are ours to keep.
    for (const { bytes } of this.#waiting.splice(0, batch.length)) this.#bytes -= bytes;
    this.#settled += batch.length;
    this.#failures = 0;
    for (const resolve of this.#forRoom) resolve();
    for (const { index, field, code, message } of errors) {
      const event = batch[index];
      if (event) void tell(this.#options.onRejected, { event, field, code, message });
    }
  }

  #nextBatch(): readonly Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex((one, at) => {
      bytes += one.bytes + 1;
      return at > 0 && (at >= this.#batchSize || bytes > MAX_BYTES);
    });
    return this.#waiting.slice(0, end < 0 ? undefined : end);
  }

  async #errorsOf(batch: readonly OutcomeEvent[]): Promise<EventsAnswer['errors']> {
    try {
      return (await this.#send(batch)).errors;
    } catch (error) {
      // The service refused what the batch holds: sent again it would be again, and hold up everything behind it.
      if (error instanceof RequestError && OF_THE_EVENTS.includes(error.code)) {
        const { code, message } = error;
        return batch.map((_event, index) => ({ index, field: '', code, message }));
      }
      this.#failures += 1;
      const asked = error instanceof OutcomesError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
      const backOff = FIRST_PAUSE_MS * 2 ** (this.#failures - 1);
      this.#pauseMs = Math.min(Math.max(asked, backOff), LONGEST_PAUSE_MS);
      throw error;
    }
  }
}

/** Never fails: what a callback throws would end the process, or look like a failure to send. */
async function tell<Of>(callback: ((of: Of) => unknown) | undefined, of: Of): Promise<void> {
  try {
    await callback?.(of);
  } catch (error) {
    console.error(error);
  }
}

/** @throws {WaitTimeoutError} where work takes longer; it is told by `isOver`, and ends by itself */
async function within(
  milliseconds: number,
  otherwise: string,
  work: (isOver: () => boolean) => Promise<void>,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      isOver = true;
      reject(new WaitTimeoutError(otherwise));
    }, milliseconds);
  });
  try {
    await Promise.race([work(() => isOver), limit]);
  } finally {
    clearTimeout(timer);
  }
}
