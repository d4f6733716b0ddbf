import { Client, type ClientConfig, type QueryResult } from 'pg';
import { inCitus } from './citus-dialect';

/** How often overdue answers are looked for, in milliseconds. */
const LOOK_MS = 250;

type Answered = (error: Error | undefined, result: QueryResult) => void;
type Ask = (query: unknown, values: unknown, answered: Answered) => unknown;

/** What the driver has and its types do not tell. */
interface DriverParts {
  readonly connectionParameters: { query_timeout: number | false };
  readonly connection: { readonly stream: { destroy(error: Error): void } };
}

/**
 * A client that always has somebody who hears of its errors, and that looks for overdue answers once for all statements.
 *
 * Postgres may end a connection in the same breath in which it says that it is ready, as when all are ended at a failover:
 * by then the pool listens no more, and whoever asked for the connection not yet. An error that nobody hears ends the
 * process. Pool and query runner still hear of all that is theirs.
 *
 * `query_timeout` is kept here, and not by the driver. The driver writes a function literal to a property of each
 * statement (`query.callback = () => …`), once for its time-out and once where it returns a promise. V8 takes such a
 * function for a method that will stay and puts it into the old generation at once, and with it all that it leads to: the
 * statement, its parameters and its rows were garbage that only a collection of the whole heap found. A callback that is
 * given to the driver is left where it is.
 *
 * On Citus, which it asks for once it is connected, statements are sent as Citus reads them (`inCitus`).
 */
export class SteadyClient extends Client {
  private readonly answerTimeoutMs: number;
  /** When the statements that are not answered yet were asked for, the oldest first: answers come in that order. */
  private readonly askedMs: number[] = [];
  private look: NodeJS.Timeout | undefined;
  private isOnCitus = false;

  constructor(config?: string | ClientConfig) {
    super(config);
    // Not out of a copy of `config`, in which a pool hides the password.
    const { connectionParameters } = this as unknown as DriverParts;
    this.answerTimeoutMs = Number(connectionParameters.query_timeout);
    connectionParameters.query_timeout = 0;
    this.on('error', () => undefined);
    const ask = this.query.bind(this) as unknown as Ask;
    this.query = ((asked: unknown, given: unknown, callback: unknown) => {
      // What answers by itself, such as a stream of rows, goes on as it is.
      if (typeof asked === 'object' && asked !== null && 'submit' in asked)
        return ask(asked, given, callback as Answered);
      const query = this.isOnCitus ? inCitus(asked) : asked;
      const values = typeof given === 'function' ? undefined : given;
      const answered = typeof given === 'function' ? given : callback;
      if (typeof answered === 'function') return this.ask(ask, query, values, answered as Answered);
      return new Promise<QueryResult>((resolve, reject) => {
        this.ask(ask, query, values, (error, result) => (error ? reject(error) : resolve(result)));
      }).catch((error: unknown) => {
        // As the driver does: the way to who asked is of more use than that to the socket.
        if (error instanceof Error) Error.captureStackTrace(error);
        throw error;
      });
    }) as unknown as Client['query'];
  }

  override connect(): Promise<Client>;
  override connect(callback: (error: Error | null, client?: Client) => void): void;
  override connect(callback?: (error: Error | null, client?: Client) => void): Promise<Client> | undefined {
    const connected = super.connect().then(() => this.askForCitus());
    if (!callback) return connected;
    connected.then((client) => callback(null, client), callback);
  }

  private async askForCitus(): Promise<Client> {
    const { rowCount } = await this.query("SELECT FROM pg_extension WHERE extname = 'citus'");
    this.isOnCitus = rowCount === 1;
    return this;
  }

  private ask(ask: Ask, query: unknown, values: unknown, answered: Answered): void {
    if (this.answerTimeoutMs <= 0) return void ask(query, values, answered);
    const settled: Answered = (error, result) => {
      this.askedMs.shift();
      answered(error, result);
    };
    // The driver answers no sooner than in the next turn, and throws at once what is no statement at all.
    ask(query, values, settled);
    this.askedMs.push(performance.now());
    this.look ??= setInterval(this.endOverdue, LOOK_MS).unref();
  }

  /** Whoever waits on this connection waits behind the overdue answer: it is ended, and all of them hear of it. */
  private readonly endOverdue = (): void => {
    const [oldestMs] = this.askedMs;
    if (oldestMs === undefined) {
      clearInterval(this.look);
      this.look = undefined;
      return;
    }
    if (performance.now() - oldestMs < this.answerTimeoutMs) return;
    clearInterval(this.look);
    this.look = undefined;
    (this as unknown as DriverParts).connection.stream.destroy(new Error('Query read timeout'));
  };
}
