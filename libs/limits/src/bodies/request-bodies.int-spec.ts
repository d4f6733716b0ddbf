import { once } from 'node:events';
import { createServer, IncomingMessage, request as httpRequest, ServerResponse } from 'node:http';
import { connect, Socket, type AddressInfo, type Server } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import zlib from 'node:zlib';
import { AppError } from '@outcomes/contracts';
import { waitUntil } from '@outcomes/testing';
import {
  NONE_REFUSED as NONE,
  observedBodies,
  type BodySettings,
  type ObservedBodies,
} from '../../test/observed-bodies';
import { PacedRefusals } from '../shares/paced-refusals.service';

const LIMIT = 1_024 * 1_024;

interface Scene extends Pick<ObservedBodies, 'held' | 'refused'> {
  readonly port: number;
  /** Answers wait for this. */
  release(): void;
  close(): void;
}

async function scene(settings?: BodySettings, refusals?: PacedRefusals): Promise<Scene> {
  const { bodies, held, refused } = observedBodies(settings, refusals);
  const waiting: (() => void)[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [companyId = '', keyId = ''] = String(request.headers.authorization).split('/');
    const body = await bodies.read({ request, response }, { companyId, keyId }, LIMIT);
    if (request.url === '/held') await new Promise<void>((resolve) => waiting.push(resolve));
    const told = `${body.length} ${body.toString('utf8', 0, 10)}`;
    response.writeHead(200, { 'Content-Length': Buffer.byteLength(told) }).end(told);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const { status, code, headers } =
        error instanceof AppError ? error : { status: 500, code: String(error), headers: {} };
      const refuse = () => {
        response.writeHead(status, { ...headers, 'Content-Length': code.length }).end(code);
        request.resume();
      };
      if (request.headers['x-late'] === undefined) refuse();
      else setTimeout(refuse, 150);
    });
  });
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  await once(server.listen(0, '127.0.0.1') as Server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    ...{ held, refused },
    release: () => waiting.splice(0).forEach((resolve) => resolve()),
    close: () => {
      bodies.onApplicationShutdown();
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('bodies of requests', () => {
  const scenes: Scene[] = [];
  const open = async (settings?: BodySettings, refusals?: PacedRefusals) => {
    const opened = await scene(settings, refusals);
    scenes.push(opened);
    return opened;
  };
  let sockets: Socket[] = [];
  afterEach(() => {
    sockets.forEach((socket) => socket.destroy());
    sockets = [];
  });
  afterAll(() => scenes.forEach(({ close }) => close()));

  const post = (
    { port }: Scene,
    body: string | Buffer,
    { path = '/', owner = 'a/1', headers = {} }: { path?: string; owner?: string; headers?: object } = {},
  ) => {
    const sent = httpRequest({
      ...{ port, path, method: 'POST', agent: false },
      headers: { Authorization: owner, 'Content-Length': Buffer.byteLength(body), ...headers },
    });
    sent.end(body);
    return new Promise<string>((resolve) => {
      sent.on('error', ({ message }) => resolve(message));
      sent.once('response', (response: IncomingMessage) => {
        void textOf(response).then((text) => resolve(`${response.statusCode} ${text}`));
      });
    });
  };

  /** A request as it is written, and what comes back until the connection ends. */
  const raw = ({ port }: Scene, head: string, owner = 'a/1') => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    let answer = '';
    socket.setEncoding('latin1').on('data', (chunk) => (answer += chunk.toString()));
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nAuthorization: ${owner}\r\n${head}`);
    return {
      socket,
      answer: () => answer,
      answered: (status: number) =>
        waitUntil(`${status}`, () => answer.startsWith(`HTTP/1.1 ${status} `) && answer),
    };
  };
  const every20Ms = (socket: Socket, text: string) => {
    const timer = setInterval(() => socket.write(text), 20);
    socket.once('close', () => clearInterval(timer));
  };
  const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n';

  it('are read as they are, of known and of unknown length', async () => {
    const at = await open();
    expect(await post(at, 'été')).toBe('200 5 été');
    expect(await post(at, '')).toBe('200 0 ');
    expect(await post(at, 'x'.repeat(LIMIT))).toMatch(/^200 1048576 x/);
    const sent = raw(at, `${CHUNKED}2\r\nab\r\n0\r\n\r\n`);
    expect(await sent.answered(200)).toMatch(/3 \{ab/);
    expect(await at.held()).toBe(0);
  });

  it.each([
    ['Content-Length: 2\r\n\r\n{}', '{}', true],
    ['Content-Length: 0\r\n\r\n', '', true],
    ['\r\n', '', true],
    // Mutation: what is here so far, taken for all that was announced.
    ['Content-Length: 3\r\n\r\n{}', '{} ', false],
    ['Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n', '{}0', false],
  ])('with a head that ends in %j are taken as %j; without a wait: %s', async (head, whole, isAtHand) => {
    const { bodies, held } = observedBodies();
    let taken: Buffer | Promise<Buffer> | undefined;
    const server = createServer({ optimizeEmptyRequests: true }, (request, response) => {
      // As an admission that has all at hand.
      void Promise.resolve().then(() => {
        taken = bodies.read({ request, response }, { companyId: 'a', keyId: '1' }, LIMIT);
      });
    });
    await once(server.listen(0, '127.0.0.1') as Server, 'listening');
    const at = { port: (server.address() as AddressInfo).port } as Scene;
    const { socket } = raw(at, head);
    const { body } = await waitUntil(
      'the body to be asked for',
      () => taken !== undefined && { body: taken },
    );
    expect(body instanceof Promise).toBe(!isAtHand);
    if (!isAtHand) socket.write(head.includes('chunked') ? '1\r\n0\r\n0\r\n\r\n' : ' ');
    expect(String(await body)).toBe(whole);
    if (isAtHand) expect(await held()).toBe(whole.length);
    bodies.onApplicationShutdown();
    socket.destroy();
    await waitUntil('its memory to be given back', async () => (await held()) === 0);
    server.close();
  });

  const CODINGS: [string, Buffer][] = [
    ['gzip', zlib.gzipSync('payload')],
    ['deflate', zlib.deflateSync('payload')],
    ['br', zlib.brotliCompressSync('payload')],
    ['GZIP', zlib.gzipSync('payload')],
    ...(typeof zlib.zstdCompressSync === 'function'
      ? [['zstd', zlib.zstdCompressSync('payload')] as [string, Buffer]]
      : []),
  ];

  it.each(CODINGS)('are decoded from %s; a broken one is INVALID_ENCODING', async (coding, body) => {
    const at = await open();
    const headers = { 'Content-Encoding': coding };
    expect(await post(at, body, { headers })).toBe('200 7 payload');
    // Mutation: the codes of one library only, as `Z_`.
    expect(await post(at, Buffer.from('no such thing'), { headers })).toBe('400 INVALID_ENCODING');
    expect(await post(at, body.subarray(0, -3), { headers })).toBe('400 INVALID_ENCODING');
  });

  it.each(['gzip, gzip', 'compress', 'toString'])('are not taken encoded as %s', async (coding) => {
    expect(await post(await open(), 'x', { headers: { 'Content-Encoding': coding } })).toBe(
      '415 UNSUPPORTED_MEDIA_TYPE',
    );
  });

  it('are refused by the head where they announce too much, before they are asked for', async () => {
    const at = await open();
    const announced = raw(at, `Expect: 100-continue\r\nContent-Length: ${LIMIT + 1}\r\n\r\n`);
    // Mutation: 100 Continue first, or no answer before the body.
    expect(await announced.answered(413)).toMatch(/PAYLOAD_TOO_LARGE$/);
    expect(await at.refused()).toEqual({ ...NONE, large: 1 });
    const asked = raw(at, 'Expect: 100-continue\r\nContent-Length: 2\r\n\r\n');
    await asked.answered(100);
    asked.socket.write('ab');
    await waitUntil('the answer', () => asked.answer().endsWith('2 ab'));
  });

  it('are refused when they become too much', async () => {
    const at = await open();
    const bomb = zlib.gzipSync(Buffer.alloc(64 * LIMIT));
    expect(await post(at, bomb, { headers: { 'Content-Encoding': 'gzip' } })).toBe('413 PAYLOAD_TOO_LARGE');
    expect(await at.held()).toBe(0);
  });

  it('are refused in the turn of their company, and each for many', async () => {
    const refusals = new PacedRefusals();
    const turns: (() => void)[] = [];
    const turn = jest
      .spyOn(refusals, 'turn')
      .mockImplementation(() => new Promise((resolve) => turns.push(resolve)));
    const at = await open({}, refusals);
    const byItsHead = raw(at, `Content-Length: ${LIMIT + 1}\r\n\r\n`);
    const onItsWay = raw(
      at,
      `Transfer-Encoding: chunked\r\n\r\n100001\r\n${'x'.repeat(LIMIT + 1)}\r\n`,
      'b/1',
    );
    // Mutation: refused at once, or as one refusal.
    await waitUntil('both to wait', () => turns.length === 2);
    expect(turn.mock.calls.toSorted()).toEqual([
      ['a', 25],
      ['b', 25],
    ]);
    // What was read of it is given back before it waits.
    expect(await at.held()).toBe(0);
    expect(byItsHead.answer() + onItsWay.answer()).toBe('');
    turns.forEach((come) => come());
    await byItsHead.answered(413);
    await onItsWay.answered(413);
  });

  it('cost what has arrived, not what is announced: stalled ones stop nobody', async () => {
    const at = await open({ MAX_HELD_BODY_BYTES: String(2 * LIMIT) });
    for (let n = 0; n < 20; n += 1) {
      raw(at, CHUNKED, 'b/1');
      raw(at, `Content-Length: ${LIMIT}\r\n\r\n{`, 'c/1');
    }
    await waitUntil('all to have begun', async () => (await at.held()) >= 40);
    expect(await at.held()).toBeLessThan(64 * 1_024);
    // Mutation: the memory of the limit, or of the announced length, set aside at once.
    expect(await post(at, 'x'.repeat(LIMIT))).toMatch(/^200 /);
  });

  it('are charged for their chunks, too', async () => {
    const at = await open();
    const one = '1\r\nx\r\n';
    raw(at, `Transfer-Encoding: chunked\r\n\r\n${one.repeat(1_000)}`);
    await waitUntil('all of it', async () => (await at.held()) >= 1_000 * 100);
  });

  it('are charged for what decodes them before they are here', async () => {
    const at = await open();
    raw(at, 'Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n\x1f\r\n');
    await waitUntil('it to have begun', async () => (await at.held()) >= 64 * 1_024);
  });

  it('of callers who hung up before their bodies were asked for are refused, which nobody hears', async () => {
    const request = new IncomingMessage(new Socket());
    request.headers = { 'content-length': '2' };
    request.destroy();
    const { bodies } = observedBodies();
    const source = { request, response: new ServerResponse(request) };
    // Mutation: their end is waited for, which has been told already.
    await expect(bodies.read(source, { companyId: 'a', keyId: '1' }, LIMIT)).rejects.toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    );
  });

  it('are kept in memory until the answer is out', async () => {
    const at = await open();
    const answers = [
      post(at, 'x'.repeat(1_000), { path: '/held' }),
      post(at, 'y'.repeat(100_000), { path: '/held' }),
    ];
    await waitUntil('both to be held', async () => (await at.held()) >= 101_000);
    at.release();
    await Promise.all(answers);
    await waitUntil('nothing to be held', async () => (await at.held()) === 0);
  });

  it('give way where the memory ends: the slowest of the company that holds most', async () => {
    const at = await open({ MAX_HELD_BODY_BYTES: String(2 * LIMIT) });
    const hog = raw(at, `Content-Length: ${LIMIT}\r\n\r\n${'x'.repeat(LIMIT - 1)}`, 'hog/1');
    await waitUntil('it to be here', async () => (await at.held()) >= LIMIT - 1);
    const held = [
      post(at, 'y'.repeat(600_000), { path: '/held', owner: 'b/1' }),
      post(at, 'z'.repeat(600_000), { path: '/held', owner: 'c/1' }),
    ];
    expect(await hog.answered(503)).toMatch(/Retry-After: 1\r\n[^]*SERVICE_UNAVAILABLE$/);
    expect(await at.refused()).toEqual({ ...NONE, memory: 1 });
    await waitUntil('both to be here', async () => (await at.held()) >= 1_200_000);
    at.release();
    for (const answer of held) expect(await answer).toMatch(/^200 600000/);
  });

  it('give the memory of what they brought back at once, given up or taken', async () => {
    const read = jest.spyOn(IncomingMessage.prototype, 'read');
    const at = await open({ MAX_HELD_BODY_BYTES: String(2 * LIMIT) });
    const hog = raw(at, `Content-Length: ${LIMIT}\r\n\r\n${'x'.repeat(LIMIT - 1)}`, 'hog/1');
    await waitUntil('it to be here', async () => (await at.held()) >= LIMIT - 1);
    const chunks = () =>
      read.mock.results.map(({ value }) => value as unknown).filter((chunk) => Buffer.isBuffer(chunk));
    const brought = chunks();
    expect(brought.length).toBeGreaterThan(2);
    const held = ['b/1', 'c/1'].map((owner) => post(at, 'y'.repeat(600_000), { path: '/held', owner }));
    await hog.answered(503);
    // Mutation: its request lives on while the refusal is read, and keeps a mebibyte with it.
    expect(brought.reduce((bytes, { length }) => bytes + length, 0)).toBeLessThan(0.2 * LIMIT);
    await waitUntil('the others to be here', async () => (await at.held()) >= 1_200_000);
    at.release();
    await Promise.all(held);
    read.mockRestore();
  });

  it('cost nothing once they are given up, though their turn to be read comes later', async () => {
    const at = await open({ BODY_TIMEOUT_MS: '100' });
    const tooLarge = raw(at, `Transfer-Encoding: chunked\r\n\r\n200000\r\n${'x'.repeat(2 * LIMIT)}\r\n`);
    await tooLarge.answered(413);
    const slow = raw(at, `X-Late: 1\r\nContent-Length: ${LIMIT}\r\n\r\n${'x'.repeat(LIMIT - 1)}`);
    await slow.answered(408);
    // Mutation: what is read after the end is charged, and never given back.
    expect(await at.held()).toBe(0);
  });

  it('have to keep coming', async () => {
    const at = await open({ BODY_STALL_MS: '200' });
    const stalled = raw(at, `Content-Length: ${LIMIT}\r\n\r\n${'x'.repeat(LIMIT - 1)}`);
    expect(await stalled.answered(408)).toMatch(/REQUEST_TIMEOUT$/);
    // One that brings a byte now and then is no better.
    const trickle = raw(at, `Content-Length: ${LIMIT}\r\n\r\n`);
    every20Ms(trickle.socket, 'x');
    expect(await trickle.answered(408)).toMatch(/REQUEST_TIMEOUT$/);
    expect([await at.held(), await at.refused()]).toEqual([0, { ...NONE, slow: 2 }]);
  });

  it('have to be here in time, however they come', async () => {
    const at = await open({ BODY_TIMEOUT_MS: '400' });
    const slow = raw(at, `Content-Length: ${LIMIT}\r\n\r\n`);
    every20Ms(slow.socket, 'x'.repeat(2_000));
    expect(await slow.answered(408)).toMatch(/REQUEST_TIMEOUT$/);
    expect(await at.refused()).toEqual({ ...NONE, timeout: 1 });
  });

  it('of one key are so many at once, and those of others are none of its concern', async () => {
    const at = await open({ MAX_ARRIVING_BODIES: '4' });
    for (let n = 0; n < 4; n += 1) raw(at, CHUNKED, 'a/1');
    await waitUntil('all to have begun', async () => (await at.held()) >= 4 * 128);
    const refused = await raw(at, CHUNKED, 'a/1').answered(429);
    expect(refused).toMatch(/Retry-After: 1\r\n[^]*RATE_LIMITED$/);
    expect(await at.refused()).toEqual({ ...NONE, many: 1 });
    expect(await post(at, 'x'.repeat(200_000), { owner: 'b/1' })).toMatch(/^200/);
  });

  it('of one key that are here are not on their way any more, though their answers are not out', async () => {
    const at = await open({ MAX_ARRIVING_BODIES: '4' });
    const body = 'x'.repeat(200_000);
    const answers = Array.from({ length: 4 }, () => post(at, body, { path: '/held' }));
    await waitUntil('all to be here', async () => (await at.held()) >= 4 * body.length);
    // Mutation: bodies that are never told complete leave room for none.
    expect(await post(at, body)).toMatch(/^200/);
    at.release();
    await Promise.all(answers);
  });

  it('of callers who hang up are forgotten', async () => {
    const at = await open();
    const gone = raw(at, `Content-Length: ${LIMIT}\r\n\r\n${'x'.repeat(1_000)}`);
    await waitUntil('it to be here', async () => (await at.held()) > 0);
    gone.socket.destroy();
    await waitUntil('it to be gone', async () => (await at.held()) === 0);
  });
});
