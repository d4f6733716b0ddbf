import { EventQueue, type EventQueueOptions } from './event-queue.ts';
import type { components, operations } from './generated/ingest-api.ts';
import {
  pages,
  read,
  type AskedWith,
  type CallOptions,
  type PagedRead,
  type Read,
  type ReadAnswer,
} from './reads.ts';
import { segmentOf, Transport, type Call, type TransportOptions } from './transport.ts';

type Schemas = components['schemas'];

/** An outcome, or a fact of a message. */
export type OutcomeEvent = Schemas['OutcomeEvent'];
export type EventsAnswer = Schemas['EventsAnswer'];
export type CsvAnswer = Schemas['CsvAnswer'];
export type IngestStatus = Schemas['IngestStatus'];
export type AnalysisRequested = Schemas['AnalysisRequested'];
export type EventDeleted = Schemas['EventDeleted'];
export type RecipientDeleted = Schemas['RecipientDeleted'];
/** Who is deleted, and whether an opt-out stays: without `keep_suppression` it goes too. */
export type RecipientDeletion = operations['deleteRecipient']['parameters']['query'];

export interface OutcomesClientOptions extends TransportOptions {
  /** Base address of the read API, `/v1` included. Needed to read. */
  readonly readUrl?: string;
  /** Base address of ingest-api. Needed to send and delete. */
  readonly ingestUrl?: string;
}

/** Everything that the two APIs of the service take, of one company and its key. Holds nothing but its settings. */
export class OutcomesClient {
  readonly #transport: Transport;
  readonly #options: OutcomesClientOptions;

  /** @throws {TypeError} where an address, the key or a header cannot be one: no request would ever be sent */
  constructor(options: OutcomesClientOptions) {
    for (const setting of ['readUrl', 'ingestUrl'] as const) {
      const url = options[setting];
      if (url === undefined || isAddress(url)) continue;
      throw new TypeError(
        `${setting} must be an http or https address, such as http://localhost:3002, and without a user name.`,
      );
    }
    this.#options = options;
    this.#transport = new Transport(options);
  }

  /** Collects single events and sends them in batches. Close it before the process ends. */
  events(options?: EventQueueOptions): EventQueue {
    return new EventQueue((events) => this.postEvents(events), options);
  }

  /**
   * Sends up to 500 events, as they are. One without an id is known by what it says: the same event, sent again at any
   * time, counts once.
   */
  postEvents(events: readonly OutcomeEvent[], options?: CallOptions): Promise<EventsAnswer> {
    return this.#post('/ingest/events', 'application/json', JSON.stringify({ events }), options);
  }

  /** Sends up to 500 rows of CSV with their header; those without event_id are known by what they say. */
  postCsv(csv: string, options?: CallOptions): Promise<CsvAnswer> {
    return this.#post('/ingest/csv', 'text/csv; charset=utf-8', csv, options);
  }

  /** How far what was sent is counted and analysed. */
  status(options?: CallOptions): Promise<IngestStatus> {
    return this.#ingest({ url: '/ingest/status', ...options });
  }

  /** Asks for an analysis now; at most once in five minutes. */
  requestAnalysis(options?: CallOptions): Promise<AnalysisRequested> {
    return this.#ingest({ method: 'POST', url: '/ingest/analysis', ...options });
  }

  async deleteEvent(eventId: string, options?: CallOptions): Promise<EventDeleted> {
    const url = `/ingest/events/${segmentOf(eventId)}`;
    return this.#ingest({ method: 'DELETE', url, ...options });
  }

  /** Deletes all events of a recipient and what was derived from them. */
  deleteRecipient(recipient: RecipientDeletion, options?: CallOptions): Promise<RecipientDeleted> {
    return this.#ingest({ method: 'DELETE', url: '/ingest/events', query: { ...recipient }, ...options });
  }

  /** Asks one question of the read API, by the operation of its description: `read('drift', { channel: 'email' })`. */
  async read<Of extends Read>(what: Of, ...[args, options]: AskedWith<Of>): Promise<ReadAnswer<Of>> {
    return (await read(this.#asked(options), what, args as object | undefined)).answer;
  }

  /** Every page of a list, as it is wanted: `for await (const { data } of client.pages('campaigns'))`. */
  pages<Of extends PagedRead>(
    what: Of,
    ...[args, options]: AskedWith<Of>
  ): AsyncGenerator<ReadAnswer<Of>, void> {
    return pages(this.#asked(options), what, args as object | undefined);
  }

  #asked(options?: CallOptions) {
    return { transport: this.#transport, url: baseOf(this.#options.readUrl, 'readUrl'), ...options };
  }

  #post<Body>(url: string, contentType: string, body: string, options?: CallOptions): Promise<Body> {
    return this.#ingest({ method: 'POST', url, contentType, body, ...options });
  }

  async #ingest<Body>(call: Call): Promise<Body> {
    const url = `${baseOf(this.#options.ingestUrl, 'ingestUrl')}${call.url}`;
    return (await this.#transport.send<Body>({ ...call, url })).body;
  }
}

/** One that `fetch` takes. */
function isAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:\/\/[^/@?#]+(\/|$)/i.test(url);
}

function baseOf(url: string | undefined, setting: string): string {
  if (url === undefined) throw new TypeError(`${setting} is not set.`);
  return url.replace(/\/+$/, '');
}
