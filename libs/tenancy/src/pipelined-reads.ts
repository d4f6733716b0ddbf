import { Client, DatabaseError, type ClientConfig, type QueryResultRow } from 'pg';

/** How to connect, and with which kind of client where not the driver's own. */
export type ReadsConfig = ClientConfig & { readonly Client?: typeof Client };

export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/**
 * Short reads over one connection beside the pool, each sent without waiting for the answers to those before it. For
 * reads by primary key only: one that took long would hold up all behind it, until its time-out ends the connection.
 */
export class PipelinedReads {
  private client: Promise<Client> | undefined;
  private openedWith: ReadsConfig | undefined;
  private stopped = false;

  /** @param config - another object once its pool was made anew: then the server may be another one, too */
  constructor(private readonly config: () => ReadsConfig) {}

  /** Each read is a transaction of its own. @throws whatever the driver does; a lost connection is made anew */
  async run<Row extends QueryResultRow>(statement: PreparedStatement): Promise<Row[]> {
    if (this.stopped) throw new Error('the connection is closed');
    const opening = this.opened();
    try {
      return (await (await opening).query<Row>(statement)).rows;
    } catch (error) {
      // Postgres closes the connection after it; that is told a moment later.
      if (error instanceof DatabaseError && error.severity === 'FATAL') this.forget(opening);
      throw error;
    }
  }

  /** Ends the connection once its reads are answered; safe to call twice. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.client?.then(
      (client) => client.end(),
      () => undefined,
    );
  }

  private opened(): Promise<Client> {
    const config = this.config();
    if (this.client && this.openedWith === config) return this.client;
    // What is under way is answered first.
    this.client?.then((client) => client.end()).catch(() => undefined);
    this.openedWith = config;
    this.client = this.open(config);
    return this.client;
  }

  private open(config: ReadsConfig): Promise<Client> {
    const client = new (config.Client ?? Client)({ ...config, pipeline: true });
    const opening = client.connect().then(() => client);
    const forget = () => this.forget(opening);
    opening.catch(forget);
    client.on('error', forget);
    client.once('end', forget);
    return opening;
  }

  private forget(opening: Promise<Client>): void {
    if (this.client === opening) this.client = undefined;
  }
}
