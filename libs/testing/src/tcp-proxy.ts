import { connect, createServer, type Socket } from 'node:net';

/** A way to a server that a test can cut and restore. */
export interface TcpProxy {
  /** The same URL by way of the proxy. */
  readonly url: string;
  /** What is asked goes on to the server; what it answers never comes back, until the way is cut and restored. */
  hold(): void;
  cut(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function tcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isHeld = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
      sockets.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => sockets.delete(socket));
    }
    near.pipe(far);
    far.on('data', (bytes) => !isHeld && near.write(bytes)).on('end', () => near.end());
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  await listen(0);
  const address = server.address();
  const own = typeof address === 'object' && address ? address.port : 0;
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(own);
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return {
    url: url.toString(),
    hold() {
      isHeld = true;
    },
    cut,
    restore() {
      isHeld = false;
      return listen(own);
    },
    close: () => (server.listening ? cut() : Promise.resolve()),
  };
}
