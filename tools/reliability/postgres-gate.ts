import { connect, createServer, type Socket } from 'node:net';

/**
 * A way to Postgres that can be shut in different manners.
 *   open      bytes pass
 *   held      what Postgres answers is kept back; what it is asked passes
 *   silent    nothing passes in either direction, as where a machine or a network is gone
 *   refused   nobody listens, and connections are cut
 */
export type GateState = 'open' | 'held' | 'silent' | 'refused';
export class PostgresGate {
  #state: GateState = 'open';
  #sockets: Set<Socket> = new Set();
  #server;
  #port = 0;
  #target;

  constructor(url: string) {
    this.#target = new URL(url);
    this.#server = createServer((near) => this.#join(near));
  }

  async open() {
    await this.#listen();
    return this;
  }

  /** The same login by way of the gate. */
  get url() {
    const url = new URL(this.#target);
    url.hostname = '127.0.0.1';
    url.port = String(this.#port);
    return url.toString();
  }

  /** Leaving `held` or `silent` cuts the connections: what was kept back is never delivered. */
  async set(state: GateState) {
    const before = this.#state;
    this.#state = state;
    if (state === 'refused' || before === 'held' || before === 'silent') this.#cut();
    if (state === 'refused') await this.#unlisten();
    else if (before === 'refused') await this.#listen();
  }

  async close() {
    this.#cut();
    await this.#unlisten();
  }

  #join(near: Socket) {
    const far = connect(Number(this.#target.port), this.#target.hostname);
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          this.#sockets.delete(socket);
          (socket === near ? far : near).destroy();
        });
    }
    near.on('data', (bytes) => this.#state !== 'silent' && far.write(bytes));
    far.on('data', (bytes) => this.#state === 'open' && near.write(bytes));
  }

  #cut() {
    for (const socket of this.#sockets) socket.destroy();
  }

  #listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject).listen(this.#port, '127.0.0.1', () => {
        const address = this.#server.address();
        if (address && typeof address === 'object') this.#port = address.port;
        resolve();
      });
    });
  }

  #unlisten(): Promise<void> {
    return new Promise((resolve) =>
      this.#server.listening ? this.#server.close(() => resolve()) : resolve(),
    );
  }
}
