import { createServer, request } from 'node:http';

/** A proxy that adds a key to every request and changes nothing else: the conformance suite can send none. */
export async function startProxy({
  url,
  apiKey,
}: {
  url: string;
  apiKey: string;
}): Promise<{ url: string; close: () => void }> {
  const server = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${apiKey}` };
    const outgoing = request(url, { method: incoming.method, headers, timeout: 30_000 }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
    incoming.pipe(outgoing);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
