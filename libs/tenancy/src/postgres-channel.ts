import { Client, type ClientConfig } from 'pg';

/** How long a lost connection waits before it is made anew. */
const RETRY_MS = 500;

/**
 * What transactions tell on one channel (NOTIFY), heard with their commit, over a connection of its own: a pooled
 * one would forget the channel. Where it breaks it is made anew, and what was said meanwhile is lost.
 */
export class PostgresChannel {
  private client?: Client;
  private timer?: NodeJS.Timeout;
  private heard = false;
  private stopped = false;

  /**
   * @param config - undefined while there is no way to Postgres yet
   * @param name - of the channel; an identifier of ours, never of a caller
   * @param on.message - gets the payload of each message
   * @param on.gap - called whenever messages may have been missed
   */
  constructor(
    private readonly config: () => ClientConfig | undefined,
    private readonly name: string,
    private readonly on: { readonly message: (payload: string) => void; readonly gap: () => void },
  ) {
    void this.connect();
  }

  /** Whether messages arrive now, as far as can be known: a connection that fell silent looks alive for a while. */
  get isHeard(): boolean {
    return this.heard;
  }

  /** Ends the connection; safe to call twice. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.drop();
  }

  private async connect(): Promise<void> {
    const config = this.config();
    if (!config) {
      this.retry();
      return;
    }
    const client = new Client(config);
    this.client = client;
    // `end` follows every error.
    client.on('error', () => undefined);
    client.on('end', () => this.lost(client));
    client.on('notification', ({ payload }) => this.on.message(payload ?? ''));
    try {
      await client.connect();
      await client.query(`LISTEN ${this.name}`);
      if (this.client !== client) return;
      this.on.gap();
      this.heard = true;
    } catch {
      this.lost(client);
    }
  }

  private lost(client: Client): void {
    if (this.client !== client) return;
    this.drop();
    this.on.gap();
    this.retry();
  }

  private drop(): void {
    const { client } = this;
    this.client = undefined;
    this.heard = false;
    client?.end().catch(() => undefined);
  }

  private retry(): void {
    if (!this.stopped) this.timer = setTimeout(() => void this.connect(), RETRY_MS).unref();
  }
}
