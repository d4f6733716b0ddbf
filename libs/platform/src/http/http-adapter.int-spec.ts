import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Controller, Get, Module, Post, UseGuards, type CanActivate } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppError } from '@outcomes/contracts';
import { serviceConfigSchema } from '../config/load-config';
import { Management } from '../runtime/management';
import type { Exchange } from './exchange';
import { HttpAdapter, type DirectRoute } from './http-adapter';

class Anybody implements CanActivate {
  canActivate() {
    return true;
  }
}

@Controller()
@UseGuards(Anybody)
class SlowController {
  @Get('a')
  read() {
    return 'slow';
  }

  @Post('b')
  write() {
    return 'slow';
  }
}

@Module({ controllers: [SlowController] })
class SlowModule {}

describe('routes that are answered without a framework', () => {
  let app: NestExpressApplication;
  let url: string;
  let answer: (exchange: Exchange) => Promise<void>;

  beforeAll(async () => {
    const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
      DATABASE_URL: 'postgres://unused/unused',
      REDIS_URL: 'redis://unused',
      LOG_LEVEL: 'silent',
      TRUSTED_PROXIES: '1',
    });
    const http = new HttpAdapter({ config, management: new Management('sample'), name: 'sample' });
    app = await NestFactory.create<NestExpressApplication>(SlowModule, http, {
      logger: false,
      bodyParser: false,
    });
    http.prepare(app);
    const route = { answer: (exchange: Exchange) => answer(exchange) };
    http.serve([
      { ...route, method: 'GET', path: '/a', takes: ({ headers }) => headers.accept !== 'slow/path' },
      {
        ...route,
        method: 'POST',
        path: '/b',
        takes: ({ headers }) => Number(headers['content-length']) <= 10,
      },
    ] satisfies DirectRoute[]);
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(() => app.close());
  beforeEach(() => {
    answer = (exchange) => Promise.resolve(exchange.send(200, 'fast'));
  });

  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(10_000) });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it.each([
    ['/a', {}, 'fast'],
    ['/a?', {}, '"slow"'],
    ['/a', { headers: { Accept: 'slow/path' } }, '"slow"'],
    ['/b', { method: 'POST', body: '0123456789' }, 'fast'],
    ['/b', { method: 'POST', body: '0123456789a' }, '"slow"'],
  ])('%s with %j is answered by the %s path', async (path, init, by) => {
    expect((await ask(path, init)).text).toBe(by);
  });

  it('gives the answer the id of the request, and a length in bytes', async () => {
    answer = (exchange) => Promise.resolve(exchange.send(200, 'é€'));
    const { headers, text } = await ask('/a', { headers: { 'X-Request-Id': 'mine' } });
    expect([headers.get('x-request-id'), headers.get('content-length'), text]).toEqual(['mine', '5', 'é€']);
  });

  it('sends what is encoded already as it is', async () => {
    answer = (exchange) => Promise.resolve(exchange.sendBytes(200, Buffer.from('é€').toString('latin1')));
    expect((await ask('/a')).text).toBe('é€');
  });

  it('believes the trusted proxy alone about the address', async () => {
    answer = (exchange) => Promise.resolve(exchange.send(200, exchange.ip));
    const forwarded = { headers: { 'X-Forwarded-For': '198.51.100.1, 198.51.100.2' } };
    // One trusted proxy: the last entry is what it saw. Mutation: the first, which anybody may write.
    expect((await ask('/a', forwarded)).text).toBe('198.51.100.2');
  });

  it('sends each header once, the last value of it', async () => {
    answer = (exchange) => {
      exchange.setHeader('X-Quota-Remaining', '1');
      exchange.setHeader('X-Request-Id', 'X-Quota-Remaining');
      exchange.setHeader('X-Quota-Remaining', '2');
      return Promise.resolve(exchange.send(200, ''));
    };
    const { headers } = await ask('/a');
    // Mutation: a name is looked for among the values, too.
    expect(headers.get('x-quota-remaining')).toBe('2');
    expect(headers.get('x-request-id')).toBe('X-Quota-Remaining');
  });

  it('answers every error in the one body, with the headers that were set', async () => {
    answer = (exchange) => {
      exchange.setHeader('RateLimit-Limit', '1');
      exchange.onResponseHeaders = (status) => exchange.setHeader('X-Seen', String(status));
      return Promise.reject(new AppError('RATE_LIMITED', {}, { headers: { 'Retry-After': '3' } }));
    };
    const { status, headers, text } = await ask('/a');
    const sent = ['ratelimit-limit', 'retry-after', 'x-seen', 'content-type'].map((name) =>
      headers.get(name),
    );
    expect([status, sent]).toEqual([429, ['1', '3', '429', 'application/json; charset=utf-8']]);
    expect(JSON.parse(text)).toMatchObject({ success: false, requestId: headers.get('x-request-id') });
  });

  it('keeps the connection of who is answered before Node says that the body is all there is', async () => {
    const wasComplete: boolean[] = [];
    answer = async (exchange) => {
      await Promise.resolve();
      const body = String(exchange.request.read());
      exchange.isBodyRead = true;
      wasComplete.push(exchange.request.complete);
      exchange.send(200, body);
    };
    const socket = connect((app.getHttpServer().address() as AddressInfo).port, '127.0.0.1').setEncoding(
      'latin1',
    );
    for (const body of ['first', 'other']) {
      socket.write(`POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      const [answered] = (await once(socket, 'data')) as [string];
      // Mutation: without a look at `isBodyRead` the first answer ends the connection.
      expect(answered).toContain('Connection: keep-alive');
      expect(answered.endsWith(body)).toBe(true);
    }
    socket.destroy();
    expect(wasComplete).toEqual([false, false]);
  });

  it('reads bodies that nobody wants in turn, while their senders read the answer', async () => {
    const [{ port }, announced] = [app.getHttpServer().address() as AddressInfo, 16 * 2 ** 20];
    const sockets: Socket[] = [];
    app.getHttpServer().on('connection', (socket: Socket) => sockets.push(socket));
    const refuse = async () => {
      const sender = connect({ host: '127.0.0.1', port }).setTimeout(10_000, () => sender.destroy());
      let answered = '';
      sender.on('data', (chunk: Buffer) => (answered += chunk.toString()));
      // What is still on its way when the time is over is reset.
      sender.on('error', () => undefined);
      sender.write(`POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: ${announced}\r\n\r\n`);
      sender.write(Buffer.alloc(announced - 1));
      await new Promise((resolve) => sender.once('close', resolve));
      return answered;
    };
    const answers = await Promise.all(Array.from({ length: 8 }, refuse));
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 201 Created[^]*"slow"$/);
    const bytes = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    // Two seconds of 32 MiB each at most. Mutation: 128 MiB where each is read as it comes.
    expect(bytes).toBeGreaterThan(2 ** 20);
    expect(bytes).toBeLessThan(80 * 2 ** 20);
  });

  it('keeps no process alive for a body that nobody wants', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const sender = connect((app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
    sender.on('error', () => undefined);
    sender.write('POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n');
    sender.write(Buffer.alloc(100_000));
    await once(sender, 'data');
    // Answered, and its body thrown away for a second more. Mutation: one more where the process waits for that.
    expect(timers()).toBe(before);
    sender.destroy();
  });

  it('says nothing of a fault of ours, and goes on', async () => {
    answer = () => Promise.reject(new Error('password=hunter2'));
    const { status, text } = await ask('/a');
    expect(status).toBe(500);
    expect(text).not.toContain('hunter2');
    // Mutation: a refusal that fails itself ends the process.
    answer = (exchange) => {
      exchange.setHeader('X-Broken', '\n');
      return Promise.reject(new Error('first'));
    };
    await expect(ask('/a')).rejects.toThrow();
    answer = (exchange) => Promise.resolve(exchange.send(200, 'again'));
    expect((await ask('/a')).text).toBe('again');
  });
});
