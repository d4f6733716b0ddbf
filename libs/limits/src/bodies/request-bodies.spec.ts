import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import zlib from 'node:zlib';
import { NONE_REFUSED as NONE, observedBodies, type BodySettings } from '../../test/observed-bodies';
import type { BodySource } from './request-bodies.service';

const MEBIBYTE = 2 ** 20;
const OWNER = { companyId: 'a', keyId: '1' };

function bodiesWith(settings: BodySettings = {}) {
  const { bodies, held, refused } = observedBodies(settings);
  const read = (source: BodySource, limit = MEBIBYTE, owner = OWNER) =>
    Promise.resolve(bodies.read(source, owner, limit));
  return { read, held, refused };
}

/** A request of which nothing has arrived but its head, and the means to have more of it arrive. */
function requestWith(headers: Record<string, string>) {
  const request = new IncomingMessage(new Socket());
  request.headers = headers;
  const response = new ServerResponse(request);
  const source: BodySource = { request, response };
  return {
    request,
    response,
    source,
    bring: (chunk: Buffer | string) => request.push(Buffer.from(chunk)),
    end: () => {
      request.complete = true;
      request.push(null);
    },
  };
}

const announcing = (bytes: number) => requestWith({ 'content-length': String(bytes) });
const ofUnknownLength = () => requestWith({ 'transfer-encoding': 'chunked' });

/** What became of a promise so far. */
function watched<Value>(promise: Promise<Value>) {
  const state: { value?: Value; error?: unknown } = {};
  promise.then(
    (value) => (state.value = value),
    (error: unknown) => (state.error = error),
  );
  return state;
}

describe('refused bodies', () => {
  it.each([
    [MEBIBYTE, '1 MiB (1048576 bytes)'],
    [8 * MEBIBYTE, '8 MiB (8388608 bytes)'],
    [MEBIBYTE - 512, '1023.5 KiB (1048064 bytes)'],
    [64 * 1_024, '64 KiB (65536 bytes)'],
  ])('say the limit of %d bytes, by their head and on their way', async (limit, told) => {
    const bodies = bodiesWith();
    const error = {
      code: 'PAYLOAD_TOO_LARGE',
      fields: { limit },
      message: `The body is larger than ${told}. Split it into several requests.`,
    };
    await expect(bodies.read(announcing(limit + 1).source, limit)).rejects.toMatchObject(error);
    const onItsWay = ofUnknownLength();
    const read = bodies.read(onItsWay.source, limit);
    onItsWay.bring(Buffer.alloc(limit));
    onItsWay.bring('x');
    await expect(read).rejects.toMatchObject(error);
    expect([await bodies.refused(), await bodies.held()]).toEqual([{ ...NONE, large: 2 }, 0]);
  });

  it('say that there are too many of one key, and when to come again', async () => {
    const bodies = bodiesWith({ MAX_ARRIVING_BODIES: '1' });
    watched(bodies.read(announcing(2).source));
    await expect(bodies.read(announcing(2).source)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: 'Too many bodies of this key are on their way at once. Send more when these are answered.',
      headers: { 'Retry-After': '1' },
    });
  });

  it('are listened to no longer', async () => {
    const bodies = bodiesWith();
    const plain = ofUnknownLength();
    const compressed = requestWith({ 'transfer-encoding': 'chunked', 'content-encoding': 'gzip' });
    const read = [plain, compressed].map(({ source }) => bodies.read(source, 1_024));
    plain.bring('x'.repeat(1_025));
    compressed.bring(zlib.gzipSync('x'.repeat(1_025)));
    for (const one of read) await expect(one).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    // Mutation: a bomb goes on being decoded while its refusal is read.
    for (const { request } of [plain, compressed])
      expect([request.listenerCount('readable'), request.listenerCount('data')]).toEqual([0, 0]);
    compressed.bring('no gzip');
    await turn();
  });

  it('tell what was wrong with their coding to whoever looks into the cause', async () => {
    const broken = requestWith({ 'transfer-encoding': 'chunked', 'content-encoding': 'gzip' });
    const read = bodiesWith().read(broken.source);
    broken.bring('no gzip');
    await expect(read).rejects.toMatchObject({
      code: 'INVALID_ENCODING',
      cause: { code: 'Z_DATA_ERROR' },
    });
  });

  it('of callers who hang up half-way are told so, and give their memory back', async () => {
    const bodies = bodiesWith();
    const gone = announcing(10);
    const read = bodies.read(gone.source);
    gone.bring('half');
    await turn();
    expect(await bodies.held()).toBeGreaterThan(0);
    gone.request.destroy();
    // Mutation: nobody notices before the time-out.
    await expect(read).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await bodies.held()).toBe(0);
  });
});

describe('bodies that are here', () => {
  it('are taken as they are, and the request is known to be read', async () => {
    const { source, bring } = announcing(2);
    bring('{}');
    const body = await bodiesWith().read(source);
    expect(String(body)).toBe('{}');
    expect(source.isBodyRead).toBe(true);
  });

  it('are decoded all the same', async () => {
    const whole = zlib.gzipSync('payload');
    const { source, bring, end } = requestWith({
      'content-length': String(whole.length),
      'content-encoding': 'gzip',
    });
    bring(whole);
    const read = bodiesWith().read(source);
    end();
    // Mutation: taken as they lie in the buffer.
    expect(String(await read)).toBe('payload');
  });

  it('have been asked for where their callers wait to be asked', async () => {
    const { source, response, bring, end } = requestWith({ 'content-length': '2', expect: '100-continue' });
    const asked = jest.spyOn(response, 'writeContinue').mockReturnValue(undefined);
    bring('{}');
    const read = bodiesWith().read(source);
    end();
    expect(String(await read)).toBe('{}');
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('of one piece are handed on without a copy; those of several are joined', async () => {
    const bodies = bodiesWith();
    const [one, several] = [ofUnknownLength(), ofUnknownLength()];
    const piece = Buffer.from('in one piece');
    const read = [one, several].map(({ source }) => bodies.read(source));
    one.request.push(piece);
    several.bring('in ');
    await turn();
    several.bring('two');
    [one, several].forEach(({ end }) => end());
    expect(await read[0]).toBe(piece);
    expect(String(await read[1])).toBe('in two');
  });

  it('of callers who are gone by then hold no memory', async () => {
    const bodies = bodiesWith();
    const { source, response, bring, end } = announcing(4);
    const read = bodies.read(source);
    bring('half');
    response.destroy();
    end();
    await read;
    // Mutation: held until an answer is out that nobody gets.
    expect(await bodies.held()).toBe(0);
  });
});

describe('the pace of a body', () => {
  beforeEach(() => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'hrtime', 'Date'],
    });
  });
  afterEach(() => jest.useRealTimers());

  /** So much time later, and all that it set off done. */
  const after = async (ms: number) => {
    await turn();
    await jest.advanceTimersByTimeAsync(ms);
    await turn();
  };
  const REQUEST_TIMEOUT = expect.objectContaining({ code: 'REQUEST_TIMEOUT' }) as unknown;

  it('has to be a kibibyte a second in every span', async () => {
    const bodies = bodiesWith({ BODY_STALL_MS: '2000', BODY_TIMEOUT_MS: '60000' });
    const [fast, slow] = [announcing(MEBIBYTE), announcing(MEBIBYTE)];
    const read = [fast, slow].map(({ source }) => watched(bodies.read(source)));
    // Nothing for a while, and then all at once, is no fault.
    await after(1_999);
    fast.bring(Buffer.alloc(2_048));
    slow.bring(Buffer.alloc(2_047));
    await after(1);
    expect(read).toEqual([{}, { error: REQUEST_TIMEOUT }]);
    // What came in the span before does not count in the next.
    await after(1_999);
    expect(read[0]).toEqual({});
    await after(1);
    expect(read[0]).toEqual({ error: REQUEST_TIMEOUT });
    expect(await bodies.refused()).toEqual({ ...NONE, slow: 2 });
  });

  it('does not save a body that takes too long as a whole', async () => {
    const bodies = bodiesWith({ BODY_STALL_MS: '1000', BODY_TIMEOUT_MS: '3000' });
    const body = announcing(MEBIBYTE);
    const read = watched(bodies.read(body.source));
    for (let second = 1; second <= 3; second += 1) {
      expect(read).toEqual({});
      body.bring(Buffer.alloc(2_000));
      await after(999);
      expect(read).toEqual({});
      await after(1);
    }
    expect(read).toEqual({ error: REQUEST_TIMEOUT });
    expect(await bodies.refused()).toEqual({ ...NONE, timeout: 1 });
  });

  it.each([
    ['BODY_STALL_MS', 'slow'],
    ['BODY_TIMEOUT_MS', 'timeout'],
  ] as const)('is looked at often enough for a short %s', async (setting, reason) => {
    const bodies = bodiesWith({ [setting]: '100' });
    const read = watched(bodies.read(announcing(2).source));
    await after(99);
    expect(read).toEqual({});
    await after(1);
    expect(read).toEqual({ error: REQUEST_TIMEOUT });
    expect(await bodies.refused()).toEqual({ ...NONE, [reason]: 1 });
  });

  it('is looked at no longer when nobody sends, and again when somebody does', async () => {
    const bodies = bodiesWith({ BODY_STALL_MS: '1000' });
    for (let time = 1; time <= 2; time += 1) {
      const { source } = announcing(2);
      const read = watched(bodies.read(source));
      await after(1_000);
      expect(read).toEqual({ error: REQUEST_TIMEOUT });
      await after(250);
      // Mutation: a timer that goes on for as long as the process lives.
      expect(jest.getTimerCount()).toBe(0);
    }
  });

  it('is slow for companies whose bodies were read for nothing, and for nobody else', async () => {
    const bodies = bodiesWith();
    const wasted = ofUnknownLength();
    const refused = bodies.read(wasted.source, 256 * 1_024);
    wasted.bring(Buffer.alloc(256 * 1_024 + 1));
    await expect(refused).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    await after(100);
    const owners = [OWNER, { companyId: 'b', keyId: '2' }];
    const sent = owners.map((owner) => {
      const body = ofUnknownLength();
      return { ...body, read: watched(bodies.read(body.source, MEBIBYTE, owner)) };
    });
    for (let piece = 0; piece < 3; piece += 1) {
      for (const { bring } of sent) bring(Buffer.alloc(64 * 1_024));
      await turn();
    }
    for (const { end } of sent) end();
    await turn();
    // Mutation: what a company has others read for nothing is forgotten.
    expect(sent.map(({ read: { value } }) => value?.length)).toEqual([undefined, 3 * 64 * 1_024]);
    for (let ms = 0; ms < 100; ms += 1) await after(1);
    expect(sent.map(({ read: { value } }) => value?.length)).toEqual([3 * 64 * 1_024, 3 * 64 * 1_024]);
  });
});
