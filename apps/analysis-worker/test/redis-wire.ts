import { connect, createServer, type Socket } from 'node:net';
import { testRedisUrl } from '@outcomes/testing';

/** Carries bytes between the worker and Redis until it is cut. */
export class RedisWire {
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    readonly url: string,
  ) {}

  static async open(): Promise<RedisWire> {
    const target = new URL(testRedisUrl());
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const url = new URL(target);
    url.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    const wire = new RedisWire(server, url.toString());
    server.on('connection', (socket) =>
      wire.carry(socket, connect(Number(target.port || 6379), target.hostname)),
    );
    return wire;
  }

  /** From now on Redis is away. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  restore(): void {
    this.isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private carry(near: Socket, far: Socket): void {
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      if (this.isCut) socket.destroy();
      else socket.pipe(other);
    }
  }
}
