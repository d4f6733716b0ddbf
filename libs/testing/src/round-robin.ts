import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One pod behind a proxy. */
export interface Upstream {
  readonly port: number;
  readonly managementPort: number;
}

/** A load balancer for tests: each request goes to the next pod whose readyz says yes. */
export interface RoundRobin {
  readonly port: number;
  /** Pods that take requests from now on; those that were there before finish what they have. */
  use(pods: readonly Upstream[]): Promise<void>;
  close(): Promise<void>;
}

const PROBE_INTERVAL_MS = 200;

/**
 * Starts it. Requests go out one by one and not per connection, so that each of two in a row reaches another pod.
 * What a pod refuses to take (its port is closed) goes to the next one; what it took and did not answer is 502.
 */
export async function roundRobin(): Promise<RoundRobin> {
  let pods: readonly Upstream[] = [];
  let ready: readonly Upstream[] = [];
  let turn = 0;
  const agent = new Agent({ keepAlive: true });

  const probe = async () => {
    const answers = await Promise.all(
      pods.map(({ managementPort }) =>
        fetch(`http://127.0.0.1:${managementPort}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    ready = pods.filter((_, index) => answers[index]);
  };

  const forward = (incoming: IncomingMessage, answer: ServerResponse, attemptsLeft: number) => {
    const pod = ready[turn++ % Math.max(1, ready.length)] ?? pods[0];
    if (!pod) return void answer.writeHead(503).end();
    const { method, url, headers } = incoming;
    const outgoing = request({ host: '127.0.0.1', port: pod.port, method, path: url, headers, agent });
    outgoing.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.statusMessage, endToEnd(response.rawHeaders));
      response.pipe(answer);
      response.on('error', () => answer.destroy());
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && attemptsLeft > 0)
        return forward(incoming, answer, attemptsLeft - 1);
      if (!answer.headersSent) answer.writeHead(502).end();
    });
    // A pod may answer and hang up before it has read the body; then its answer counts, and the rest goes nowhere:
    // what stays unread would stand before the next request of the same connection.
    outgoing.on('close', () => answer.headersSent && incoming.unpipe(outgoing).resume());
    // Connected first, so that a body is sent only to a pod that is there.
    outgoing.once('socket', (socket) => {
      const begin = () => incoming.pipe(outgoing);
      if (socket.connecting) socket.once('connect', begin);
      else begin();
    });
    answer.on('close', () => answer.writableFinished || outgoing.destroy());
  };

  const server = createServer((incoming, answer) => forward(incoming, answer, 3));
  // Longer than any client waits between two requests: it must not send one as its connection is closed.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const timer = setInterval(() => void probe(), PROBE_INTERVAL_MS);
  return {
    port: (server.address() as AddressInfo).port,
    async use(next) {
      pods = next;
      await probe();
    },
    async close() {
      clearInterval(timer);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Headers without those that are about the connection to the pod, which is not the one to the client. */
function endToEnd(rawHeaders: readonly string[]): string[] {
  const names = /^(connection|keep-alive)$/i;
  return rawHeaders.filter((_, at) => !names.test(rawHeaders[at - (at % 2)] ?? ''));
}
