import { AccessError, LimitError, OutcomesError, RequestError, UnavailableError } from './errors.ts';
import { answer, transportTo, type Send } from '../test/answers.ts';

/** Answers in turn, the last one for ever. */
const inTurn = (...answers: (() => Response)[]) => {
  const urls: string[] = [];
  const send: Send = (url) => {
    urls.push(url.href);
    return answers[Math.min(urls.length, answers.length) - 1]?.() ?? answer(200, {});
  };
  return { send, urls };
};
const lost = () => {
  throw new TypeError('fetch failed');
};
const refusal =
  (error: string, headers?: Record<string, string>, status = 429) =>
  () =>
    answer(status, { success: false, error, message: 'No.', requestId: 'r-1' }, headers);
const faultOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

describe('requests', () => {
  it('carry the key, their settings and their query, lists once for each of their values', async () => {
    const seen: { url: string; headers: Headers }[] = [];
    const { transport } = transportTo(
      (url, init) => {
        seen.push({ url: url.href, headers: new Headers(init.headers) });
        return answer(200, { here: true });
      },
      { headers: { 'X-Actor-Type': 'service', 'X-Actor-Id': 'nightly', Authorization: 'something else' } },
    );
    const query = { list: ['a,b', 'c'], none: undefined, yes: true };
    expect((await transport.send({ url: 'http://x/a', query })).body).toEqual({ here: true });
    expect(seen[0]?.url).toBe('http://x/a?list=a%2Cb&list=c&yes=true');
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer svc_key');
    expect(seen[0]?.headers.get('x-actor-id')).toBe('nightly');
  });

  it.each([
    [{ apiKey: 'svc_\u2026' }],
    [{ apiKey: 'svc_a\nb' }],
    [{ apiKey: 'svc_key', headers: { 'X-Actor-Id': 'Ren\u0117' } }],
  ])('are not even begun with what no header can hold, and nothing of it is quoted: %j', (options) => {
    const fault = 'apiKey or headers have a character that no HTTP header can have.';
    expect(() => transportTo(lost, options)).toThrow(new TypeError(fault));
  });

  it('are repeated after losses and what passes, each time after twice as long or as long as was asked', async () => {
    const { send, urls } = inTurn(
      lost,
      refusal('SERVICE_UNAVAILABLE', {}, 503),
      refusal('REQUEST_TIMEOUT', {}, 408),
      refusal('RATE_LIMITED', { 'Retry-After': '7' }),
      () => answer(200, 'done'),
    );
    const { transport, waits } = transportTo(send);
    expect((await transport.send({ url: 'http://x/' })).body).toBe('done');
    expect([urls.length, waits]).toEqual([5, [200, 400, 800, 7_200]]);
  });

  it('understand a time in Retry-After', async () => {
    const later = new Date(Date.now() + 20_000).toUTCString();
    const { send } = inTurn(refusal('RATE_LIMITED', { 'Retry-After': later }), () => answer(200, 1));
    const { transport, waits } = transportTo(send);
    await transport.send({ url: 'http://x/' });
    expect(waits[0]).toBeGreaterThan(15_000);
    expect(waits[0]).toBeLessThan(20_500);
  });

  it('are repeated where an answer breaks off', async () => {
    const { send } = inTurn(
      () => new Response('{"half', { headers: { 'Content-Type': 'application/json' } }),
      () => answer(200, 1),
    );
    const { transport, waits } = transportTo(send);
    expect((await transport.send({ url: 'http://x/' })).body).toBe(1);
    expect(waits).toEqual([200]);
  });

  it.each([
    [401, 'invalid_token', AccessError],
    [403, 'Forbidden', AccessError],
    [400, 'INVALID_REQUEST', RequestError],
    [404, 'EVENT_NOT_FOUND', RequestError],
  ])('are not repeated after %s', async (status, code, kind) => {
    const { send, urls } = inTurn(refusal(code, {}, status));
    const fault = await faultOf(transportTo(send).transport.send({ url: 'http://x/' }));
    expect(fault).toBeInstanceOf(kind);
    expect(fault).toMatchObject({ status, code, requestId: 'r-1', attempts: 1, message: 'No.' });
    expect(urls.length).toBe(1);
  });

  it('do not wait for longer than was allowed, and say for how long it would have been', async () => {
    const { send, urls } = inTurn(refusal('QUOTA_EXCEEDED', { 'Retry-After': '86400' }));
    const { transport, waits } = transportTo(send);
    const fault = (await faultOf(transport.send({ url: 'http://x/' }))) as OutcomesError;
    expect(fault).toBeInstanceOf(LimitError);
    expect([fault.retryAfterSeconds, fault.is('QUOTA_EXCEEDED'), fault.is('RATE_LIMITED')]).toEqual([
      86_400,
      true,
      false,
    ]);
    expect([urls.length, waits]).toEqual([1, []]);
  });

  it('end after so many attempts with the last fault', async () => {
    const gone = await faultOf(transportTo(lost, { attempts: 3 }).transport.send({ url: 'http://x/' }));
    expect(gone).toBeInstanceOf(UnavailableError);
    expect(gone).toMatchObject({ attempts: 3, cause: { message: 'fetch failed' } });
    const { send } = inTurn(refusal('RATE_LIMITED', { 'Retry-After': '1' }));
    const limited = await faultOf(transportTo(send, { attempts: 2 }).transport.send({ url: 'http://x/' }));
    expect(limited).toBeInstanceOf(LimitError);
    expect(limited).toMatchObject({ attempts: 2 });
  });

  it('have a time-out each', async () => {
    const signals: (AbortSignal | null | undefined)[] = [];
    const never: Send = (_url, { signal }) => {
      signals.push(signal);
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
    };
    const { transport } = transportTo(never, { attempts: 2, timeoutMs: 10 });
    const fault = await faultOf(transport.send({ url: 'http://x/' }));
    expect(fault).toMatchObject({ name: 'UnavailableError', cause: { name: 'TimeoutError' } });
    expect(signals.length).toBe(2);
  });

  it('end at once with the reason of a signal, also while they wait', async () => {
    const controller = new AbortController();
    const { transport } = transportTo(lost, {
      wait: undefined,
      onRetry: () => controller.abort(new Error('enough')),
    });
    const fault = await faultOf(transport.send({ url: 'http://x/', signal: controller.signal }));
    expect(fault).toMatchObject({ message: 'enough' });
  });

  it('tell before each wait, and end with what is thrown there', async () => {
    const told: unknown[] = [];
    const { transport } = transportTo(lost, {
      attempts: Infinity,
      onRetry: (retry) => {
        told.push(retry);
        if (told.length === 3) throw new Error('out of patience');
      },
    });
    expect(await faultOf(transport.send({ url: 'http://x/' }))).toMatchObject({ message: 'out of patience' });
    expect(told).toMatchObject([
      { attempts: 1, waitMs: 200 },
      { attempts: 2, waitMs: 400 },
      { attempts: 3, waitMs: 800 },
    ]);
  });

  it.each([404, 200])('take a page for what it is, and ask no more: %s', async (status) => {
    const { send, urls } = inTurn(
      () => new Response('<html>', { status, headers: { 'X-Request-Id': 'edge-1' } }),
    );
    const fault = await faultOf(transportTo(send).transport.send({ url: 'http://x/' }));
    expect(fault).toBeInstanceOf(RequestError);
    expect(fault).toMatchObject({ code: 'UNKNOWN', status, requestId: 'edge-1' });
    expect(urls.length).toBe(1);
  });
});
