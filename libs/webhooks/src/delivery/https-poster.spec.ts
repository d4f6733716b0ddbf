import type { LookupAddress } from 'node:dns';
import {
  createServer,
  request as plainRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { HttpsPoster, OUTSIDE, type Outside } from './https-poster';
import { isPublicAddress } from './public-address';

const LOCAL = '127.0.0.1';
const HEADERS = { 'content-type': 'application/json' };

describe('a post to where a customer says', () => {
  let server: Server;
  let [connections, seen]: [number, string[]] = [0, []];
  let handle: (request: IncomingMessage, response: ServerResponse) => void;

  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push(request.url ?? '');
      request.resume().on('end', () => handle(request, response));
    });
    server.on('connection', () => (connections += 1));
    server.listen(0, LOCAL);
    await once(server, 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    [connections, seen] = [0, []];
    handle = (_request, response) => response.end('thank you');
  });

  /** The world with this server in it: its port for 443, without encryption, and names that answer as told. */
  const world = (
    answers: readonly (readonly string[])[],
    more: Partial<Outside> = {},
  ): Outside & { readonly asked: string[] } => {
    const asked: string[] = [];
    return {
      asked,
      request: (options, answered) =>
        plainRequest({ ...options, port: (server.address() as AddressInfo).port }, answered),
      lookup: (host, answered) => {
        const addresses = answers[asked.length] ?? [];
        asked.push(host);
        answered(
          null,
          addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      },
      // This server plays the public Internet; everything else is judged as always.
      isPublic: (address) => address === LOCAL || isPublicAddress(address),
      timeoutMs: 5_000,
      ...more,
    };
  };
  const post = (outside: Outside, url = 'https://hooks.example.com/in?team=1') =>
    new HttpsPoster(outside).post(url, HEADERS, '{}');

  it('arrives at an address of the name, and tells status and Retry-After', async () => {
    handle = (_request, response) => response.writeHead(503, { 'retry-after': '120' }).end();
    const outside = world([[LOCAL]]);
    expect(await post(outside)).toEqual({ status: 503, retryAfter: '120' });
    expect([outside.asked, seen]).toEqual([['hooks.example.com'], ['/in?team=1']]);
  });

  it.each<[string, Outside['lookup']]>([
    ['name servers that are asked', OUTSIDE.lookup],
    ['a resolver that fails at once', (_host, answered) => answered(new Error('EAI_AGAIN'))],
    ['a resolver that knows no address', (_host, answered) => answered(null, [])],
  ])('is NO_CONNECTION where the name has no address: %s', async (_who, lookup) => {
    const outside = world([], { lookup });
    expect(await post(outside, 'https://hooks.invalid/in')).toEqual({ fault: 'NO_CONNECTION' });
    expect(connections).toBe(0);
  });

  it.each([
    ['a private address', ['10.0.0.7']],
    ['the metadata service', ['169.254.169.254']],
    ['itself over IPv6', ['::1']],
    ['a public address and a private one', [LOCAL, '192.168.0.1']],
    ['a private one and a public one', ['fd00::1', LOCAL]],
    ['itself inside of IPv6', ['::ffff:127.0.0.1']],
  ])('makes no connection where the name leads to %s', async (_what, addresses) => {
    expect(await post(world([addresses]))).toEqual({ fault: 'TARGET_NOT_PUBLIC' });
    expect(connections).toBe(0);
  });

  it('asks for the name once, so that it goes to what was judged whatever the name says a moment later', async () => {
    // What rebinds answers first with what may be sent to, and then with what may not.
    const outside = world([['203.0.113.77'], [LOCAL]], { isPublic: (address) => address === '203.0.113.77' });
    const pinned: unknown[] = [];
    const posted = post({
      ...outside,
      request: (options, answered) => {
        options.lookup?.('hooks.example.com', { all: true }, (error, addresses) =>
          pinned.push(error ?? addresses),
        );
        // Nobody is there; the test is about where it would have gone.
        return plainRequest({ host: LOCAL, port: 1 }, answered);
      },
    });
    expect(await posted).toEqual({ fault: 'NO_CONNECTION' });
    expect(pinned).toEqual([[{ address: '203.0.113.77', family: 4 }]]);
    expect([outside.asked.length, connections]).toEqual([1, 0]);
    // The same name again: now it leads here, which is not public to this world.
    expect(await post(outside)).toEqual({ fault: 'TARGET_NOT_PUBLIC' });
    expect(connections).toBe(0);
  });

  it('asks nobody about a host that is an address', async () => {
    const outside = world([], { isPublic: isPublicAddress });
    for (const url of [
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://0x7f.1/',
      'https://[::ffff:127.0.0.1]/',
    ])
      expect(await post(outside, url)).toEqual({ fault: 'TARGET_NOT_PUBLIC' });
    expect([outside.asked, connections]).toEqual([[], 0]);
  });

  it('follows no redirect', async () => {
    handle = (_request, response) =>
      response.writeHead(307, { location: 'https://hooks.example.com/elsewhere' }).end();
    expect(await post(world([[LOCAL], [LOCAL]]))).toMatchObject({ status: 307 });
    expect(seen).toEqual(['/in?team=1']);
  });

  it('takes no proxy from the environment', async () => {
    const variables = {
      NODE_USE_ENV_PROXY: '1',
      HTTPS_PROXY: 'http://127.0.0.1:1',
      HTTP_PROXY: 'http://127.0.0.1:1',
    };
    Object.assign(process.env, variables);
    try {
      expect(await post(world([[LOCAL]]))).toMatchObject({ status: 200 });
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
    }
  });

  it('reads nothing of the answer but its head', async () => {
    let cutOff: Promise<unknown> = Promise.resolve();
    handle = (_request, response) => {
      response.writeHead(200);
      cutOff = once(response, 'close');
      const more = () => response.write('x'.repeat(65_536)) || response.once('drain', more);
      more();
    };
    expect(await post(world([[LOCAL]]))).toEqual({ status: 200, retryAfter: undefined });
    await cutOff;
  });

  it.each([
    ['says nothing', () => undefined],
    [
      'never ends the head',
      (_request: IncomingMessage, response: ServerResponse) => response.socket?.write('HTTP/1.1 200 OK\r\n'),
    ],
  ])('gives up on an endpoint that %s', async (_what, silent) => {
    handle = silent;
    expect(await post(world([[LOCAL]], { timeoutMs: 100 }))).toEqual({ fault: 'TIMEOUT' });
  });

  it('gives up on a name that is never answered', async () => {
    expect(await post(world([], { timeoutMs: 100, lookup: () => undefined }))).toEqual({ fault: 'TIMEOUT' });
  });

  it.each([
    ['hangs up', (_request: IncomingMessage, response: ServerResponse) => response.socket?.destroy()],
    [
      'speaks another protocol',
      (_request: IncomingMessage, response: ServerResponse) => response.socket?.end('EHLO\r\n'),
    ],
    [
      'switches protocols',
      (_request: IncomingMessage, response: ServerResponse) =>
        response.socket?.write(
          'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
        ),
    ],
  ])('tells of an endpoint that %s', async (_what, broken) => {
    handle = broken;
    const attempt = await post(world([[LOCAL]], { timeoutMs: 2_000 }));
    expect('fault' in attempt ? attempt.fault : attempt.status).toBe('NO_CONNECTION');
  });

  it('speaks TLS where nobody says otherwise', async () => {
    const first: Promise<Buffer> = new Promise((resolve) => {
      const tcp = createTcpServer((socket) => {
        socket.once('data', (part) => {
          resolve(part);
          socket.destroy();
          tcp.close();
        });
        socket.on('error', () => undefined);
      }).listen(0, LOCAL, () => {
        const { port } = tcp.address() as AddressInfo;
        void post({
          ...world([[LOCAL]]),
          request: (options, answered) => OUTSIDE.request({ ...options, port }, answered),
        });
      });
    });
    // A handshake of TLS, and not a word in the clear.
    expect((await first).subarray(0, 2)).toEqual(Buffer.from([0x16, 0x03]));
  });
});
