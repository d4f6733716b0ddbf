import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Controller, Get, Module, Post, UseGuards, type CanActivate } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppError } from '@outcomes/contracts';
import { serviceConfigSchema } from '../config/load-config';
import { Management } from '../runtime/management';
import { HttpAdapter } from './http-adapter';

class Anybody implements CanActivate {
  canActivate() {
    return true;
  }
}

class Nobody implements CanActivate {
  canActivate(): boolean {
    throw new AppError('missing_token');
  }
}

@Controller()
class EdgeController {
  @Get('a')
  @UseGuards(Anybody)
  read() {
    return 'slow';
  }

  @Post('guarded')
  @UseGuards(Nobody)
  write() {
    return 'slow';
  }
}

@Module({ controllers: [EdgeController] })
class EdgeModule {}

/** Bytes of a body that wait for whoever reads it, once no more of them come. */
async function waitingOf(request: IncomingMessage): Promise<number> {
  for (let [bytes, turns] = [0, 0]; turns < 20; turns += 1) {
    if (request.readableLength !== bytes) [bytes, turns] = [request.readableLength, 0];
    else if (bytes === 0) turns = 0;
    await setImmediate();
  }
  return request.readableLength;
}

describe('the edge of a server', () => {
  let app: NestExpressApplication;
  let port: number;
  const management = new Management('sample');
  const sockets: Socket[] = [];

  beforeAll(async () => {
    const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
      DATABASE_URL: 'postgres://unused/unused',
      REDIS_URL: 'redis://unused',
      LOG_LEVEL: 'silent',
      MAX_CONNECTIONS: '8',
    });
    const http = new HttpAdapter({ config, management, name: 'sample' });
    app = await NestFactory.create<NestExpressApplication>(EdgeModule, http, {
      logger: false,
      bodyParser: false,
    });
    http.prepare(app);
    http.serve([
      {
        ...{ method: 'GET', path: '/fast', takes: () => true },
        answer: (exchange) => Promise.resolve(exchange.send(200, exchange.ip)),
      },
      {
        ...{ method: 'POST', path: '/fast', takes: () => true },
        answer: () => Promise.reject(new AppError('missing_token')),
      },
      {
        ...{ method: 'POST', path: '/unread', takes: () => true },
        answer: async (exchange) => exchange.send(200, String(await waitingOf(exchange.request))),
      },
    ]);
    await app.listen(0, '127.0.0.1');
    port = (app.getHttpServer().address() as AddressInfo).port;
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(() => app.close());

  const open = () => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    return socket.on('error', () => undefined);
  };
  /** What is answered to these bytes until the connection ends. */
  const ended = async (bytes: string, socket = open()) => {
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk.toString()));
    socket.write(bytes);
    await once(socket, 'close');
    return answer;
  };
  const request = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;

  it.each([
    ['nonsense', 'nonsense\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['a broken header', 'GET /a HTTP/1.1\r\nHost: x\r\na b: c\r\n\r\n', 400, 'INVALID_REQUEST'],
    [
      'a broken chunk',
      'POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n',
      400,
      'INVALID_REQUEST',
    ],
    [
      'a header without end',
      `GET /a HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'an address that is too long',
      `GET /a?b=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
  ])('answers %s in the one error body', async (_what, bytes, status, error) => {
    const answer = await ended(bytes);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const [, requestId] = /X-Request-Id: (\S+)/.exec(head) ?? [];
    expect(JSON.parse(body)).toMatchObject({ success: false, error, requestId });
    const metrics = await management.registry.metrics();
    expect(metrics).toMatch(new RegExp(`http_connections_refused_total\\{error="${error}".*\\} [1-9]`));
    expect(metrics).toMatch(
      new RegExp(`http_request_duration_seconds_count\\{.*route="unread",status="${status}"`),
    );
  });

  it.each(['GET /fast', 'GET /a'])(
    'refuses what is wrong with the head of %s, and closes nothing',
    async (line) => {
      const cases: [string[], number, string][] = [
        [[], 400, 'INVALID_REQUEST'],
        [['Host: a', 'Host: b'], 400, 'INVALID_REQUEST'],
        [['Host: a', 'Authorization: Bearer x', 'authorization: Bearer y'], 400, 'CONFLICTING_CREDENTIALS'],
        [['Host: a', 'Expect: more'], 417, 'EXPECTATION_FAILED'],
        [['Host: a', 'Transfer-Encoding: gzip, chunked', 'Connection: close'], 501, 'NOT_IMPLEMENTED'],
      ];
      const answer = await ended(
        cases
          .map(([headers], n) => {
            const body = n === 4 ? '0\r\n\r\n' : '';
            return request(`${line} HTTP/1.1`, ...headers) + body;
          })
          .join(''),
      );
      const told = [...answer.matchAll(/HTTP\/1\.1 (\d+)[^]*?"error":"(\w+)"/g)].map(([, status, error]) => [
        Number(status),
        error,
      ]);
      expect(told).toEqual(cases.map(([, status, error]) => [status, error]));
      expect(answer.match(/x-request-id: /gi)).toHaveLength(cases.length);
    },
  );

  it('takes HTTP/1.0 without a Host', async () => {
    expect(await ended(request('GET /fast HTTP/1.0'))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each(['/fast', '/guarded', '/nowhere'])(
    'closes the connection of a refused POST %s whose body is unfinished, once the answer can be read',
    async (path) => {
      const socket = open();
      const more = setInterval(() => socket.writable && socket.write('x'.repeat(1_000)), 5);
      const head = request(`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Length: 50000000');
      const answer = await ended(head, socket);
      clearInterval(more);
      // Mutation: closed at once, the answer is lost to a reset; never closed, this waits for ever.
      expect(answer).toMatch(/^HTTP\/1\.1 40[14] /);
      expect(answer).toMatch(/\r\nConnection: close\r\n/i);
    },
  );

  it('keeps the connection of a refused request that is here as a whole', async () => {
    const refused = request('POST /fast HTTP/1.1', 'Host: x', 'Content-Length: 2') + '{}';
    const last = request('GET /fast HTTP/1.1', 'Host: x', 'Connection: close');
    const answer = await ended(refused + last);
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['401', '200']);
  });

  it('lets no more of a body wait than comes in one read, so that none of it is copied', async () => {
    const mebibyte = 1_024 * 1_024;
    const head = request('POST /unread HTTP/1.1', 'Host: x', `Content-Length: ${mebibyte}`);
    const answer = await ended(head + ' '.repeat(mebibyte - 1));
    const [, waiting = ''] = /\r\n\r\n(\d+)$/.exec(answer) ?? [];
    // Mutation: with the high-water mark of Node two reads wait, which are copied into one.
    expect(Number(waiting)).toBeGreaterThan(32 * 1_024);
    expect(Number(waiting)).toBeLessThanOrEqual(64 * 1_024);
  });

  it('holds no more connections than it was told', async () => {
    const dropped = Array.from(
      { length: 12 },
      () =>
        new Promise<boolean>((resolve) => {
          const socket = open();
          socket.once('close', () => resolve(true));
          socket
            .setEncoding('utf8')
            .once('data', () => resolve(false))
            .write(request('GET /fast HTTP/1.1', 'Host: x'));
        }),
    );
    expect((await Promise.all(dropped)).filter(Boolean).length).toBe(4);
    expect(await management.registry.metrics()).toMatch(/error="TOO_MANY_CONNECTIONS".*\} 4/);
  });

  it('looks for silent connections every second', () => {
    const server = app.getHttpServer();
    expect([server.headersTimeout, Reflect.get(server, 'connectionsCheckingInterval')]).toEqual([
      10_000, 1_000,
    ]);
  });
});
