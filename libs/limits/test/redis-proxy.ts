import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A Redis that can be taken away, frozen and given back, without touching the real one. */
export class RedisProxy {
  private readonly sockets = new Set<Socket>();
  private frozen = false;
  private server: Server;

  private constructor(
    private readonly target: URL,
    private readonly port: number,
  ) {}

  static async start(targetUrl: string): Promise<RedisProxy> {
    const probe = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const proxy = new RedisProxy(new URL(targetUrl), port);
    await proxy.open();
    return proxy;
  }

  get url(): string {
    // Password and database are those of the real one.
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.toString();
  }

  async open(): Promise<void> {
    this.server = createServer((client) => {
      const upstream = connect(Number(this.target.port), this.target.hostname);
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.sockets.add(from);
        from.on('data', (chunk) => to.write(chunk));
        from.on('error', () => to.destroy());
        from.on('close', () => {
          this.sockets.delete(from);
          to.destroy();
        });
        if (this.frozen) from.pause();
      }
    });
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
  }

  /** Connections stay, answers stop. */
  freeze(): void {
    this.frozen = true;
    for (const socket of this.sockets) socket.pause();
  }

  thaw(): void {
    this.frozen = false;
    for (const socket of this.sockets) socket.resume();
  }

  /** Connections break and new ones are refused. */
  async cut(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
