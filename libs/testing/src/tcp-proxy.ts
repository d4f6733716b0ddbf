import { connect, createServer, type Socket } from 'node:net';

/** A way to a server that a test can hold, cut and restore. */
export interface TcpProxy {
  /** The same URL by way of the proxy. */
  readonly url: string;
  /** Connections stay, and what is asked goes on to the server; what it answers waits until the way is restored. */
  hold(): void;
  /** Connections break, with all that waits in them, and new ones are refused. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function tcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const [nears, fars] = [new Set<Socket>(), new Set<Socket>()];
  let isHeld = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [socket, other, all] of [[near, far, nears] as const, [far, near, fars] as const]) {
      all.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => all.delete(socket));
    }
    near.pipe(far);
    far.on('data', (bytes) => near.write(bytes)).on('end', () => near.end());
    if (isHeld) far.pause();
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
      for (const socket of [...nears, ...fars]) socket.destroy();
    });
  return {
    url: url.toString(),
    hold() {
      isHeld = true;
      for (const far of fars) far.pause();
    },
    cut,
    async restore() {
      isHeld = false;
      for (const far of fars) far.resume();
      if (!server.listening) await listen(own);
    },
    close: () => (server.listening ? cut() : Promise.resolve()),
  };
}
