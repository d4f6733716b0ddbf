import { connect, createServer, type Server, type Socket } from 'node:net';

/** A company predicate of a WHERE or ON: `company_id = $1` or `= (SELECT $1::uuid)`, with or without alias and quotes. */
const PREDICATE =
  /(?:"?\b[a-zA-Z]\w*"?\.)?(?<![\w"])"?(?:requested_)?company_id"? = (?:(\$\d+)\b|\(SELECT (\$\d+)::uuid\))/g;
const PARSE = 'P'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);

/** Reads one row: without a predicate it may happen to be the caller's own, so others are asked for. */
const ONE_ROW = /WHERE company_id = \$1 AND document = \$2/;

/** A statement without its company predicates; the parameter stays named, so that its type stays known. */
export function withoutPredicates(sql: string): string {
  return sql.replaceAll(PREDICATE, (found, plain: string | undefined, selected: string | undefined) =>
    ONE_ROW.test(sql) ? found.replace('=', '<>') : `(${plain ?? selected}::uuid IS NOT NULL)`,
  );
}

/**
 * Stands between services and Postgres and changes the statements that services send: nothing in the services
 * knows of it. Statements are prepared once per connection, so a change of mind drops the connections.
 */
export class StatementProxy {
  /** Every statement with a company predicate that came by. */
  readonly seen = new Set<string>();
  private removesFrom: (sql: string) => boolean = () => false;
  private readonly pairs = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {}

  /** @param databaseUrl - any URL of the server that statements go to */
  static async start(databaseUrl: string): Promise<StatementProxy> {
    const { hostname, port } = new URL(databaseUrl);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const proxy = new StatementProxy(server, typeof address === 'object' && address ? address.port : 0);
    server.on('connection', (client) => proxy.join(client, connect(Number(port || 5432), hostname)));
    return proxy;
  }

  /** The same URL, by way of the proxy. */
  urlOf(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.toString();
  }

  /** From now on, company predicates are taken out of the statements that are chosen. */
  removePredicates(from: (sql: string) => boolean): void {
    this.removesFrom = from;
    for (const socket of this.pairs) socket.destroy();
  }

  async stop(): Promise<void> {
    for (const socket of this.pairs) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket, server: Socket): void {
    const decoder = new FrontendMessages((sql) => this.change(sql));
    client.on('data', (chunk) => server.write(decoder.take(chunk)));
    server.on('data', (chunk) => client.write(chunk));
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.pairs.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.pairs.delete(socket);
        other.destroy();
      });
    }
  }

  private change(sql: string): string {
    const without = withoutPredicates(sql);
    if (without === sql) return sql;
    this.seen.add(sql);
    return this.removesFrom(sql) ? without : sql;
  }
}

/** Splits what a client sends into messages of the Postgres protocol and rewrites the SQL in them. */
class FrontendMessages {
  private rest = Buffer.alloc(0);
  private started = false;

  constructor(private readonly change: (sql: string) => string) {}

  take(chunk: Buffer): Buffer {
    this.rest = Buffer.concat([this.rest, chunk]);
    const complete: Buffer[] = [];
    // The first message has no type byte.
    for (let head = this.started ? 1 : 0; this.rest.length >= head + 4; head = 1) {
      const length = head + this.rest.readUInt32BE(head);
      if (this.rest.length < length) break;
      const message = this.rest.subarray(0, length);
      this.rest = this.rest.subarray(length);
      complete.push(this.started ? this.rewritten(message) : message);
      this.started = true;
    }
    return Buffer.concat(complete);
  }

  private rewritten(message: Buffer): Buffer {
    if (message[0] !== PARSE && message[0] !== QUERY) return message;
    const from = message[0] === PARSE ? message.indexOf(0, 5) + 1 : 5;
    const to = message.indexOf(0, from);
    const sql = message.toString('utf8', from, to);
    const changed = this.change(sql);
    if (changed === sql) return message;
    const result = Buffer.concat([message.subarray(0, from), Buffer.from(changed), message.subarray(to)]);
    result.writeUInt32BE(result.length - 1, 1);
    return result;
  }
}
