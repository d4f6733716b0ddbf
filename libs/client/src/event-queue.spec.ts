import {
  LimitError,
  refusalOf,
  UnavailableError,
  WaitTimeoutError,
  type ErrorBody,
  type ErrorCode,
} from './errors.ts';
import { EventQueue, type EventQueueOptions } from './event-queue.ts';
import { Transport } from './transport.ts';
import type { EventsAnswer, OutcomeEvent } from './outcomes-client.ts';

const event = (n: number, more: Partial<OutcomeEvent> = {}) =>
  ({
    channel: 'email',
    sequence_step: n,
    recipient_id: 'person',
    fact: 'sent',
    sent_at: '2026-01-05',
    ...more,
  }) as OutcomeEvent;

const taken = (events: readonly OutcomeEvent[], errors: EventsAnswer['errors'] = []): EventsAnswer => ({
  accepted: events.length - errors.length,
  rejected: errors.length,
  duplicates: 0,
  errors,
});
const refused = (status: number, error: ErrorCode, headers: Record<string, string> = {}) =>
  refusalOf({
    status,
    body: { success: false, error, message: 'No.' } as ErrorBody,
    headers: new Headers(headers),
    attempts: 1,
  });

/** A queue, with the batches that it sent: `answers` says what becomes of each in turn. */
function queueTo(options: EventQueueOptions = {}, ...answers: (() => Promise<EventsAnswer>)[]) {
  const batches: OutcomeEvent[][] = [];
  const queue = new EventQueue(async (events) => {
    batches.push([...events]);
    return (await answers[batches.length - 1]?.()) ?? taken(events);
  }, options);
  const steps = () => batches.map((batch) => batch.map(({ sequence_step }) => sequence_step));
  return { queue, batches, steps };
}

/** Something that a test finishes. */
function open<Value>() {
  let resolve: (value: Value) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<Value>((done, fail) => ([resolve, reject] = [done, fail]));
  return { promise, resolve, reject };
}

const failing = (error: unknown) => async () => {
  throw error;
};

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('the queue of events', () => {
  it('sends a full batch at once, and the rest when it has lingered', async () => {
    const { queue, steps } = queueTo({ batchSize: 2, lingerMs: 500 });
    for (let n = 0; n < 3; n += 1) await queue.add(event(n));
    await jest.advanceTimersByTimeAsync(499);
    expect(steps()).toEqual([[0, 1]]);
    await jest.advanceTimersByTimeAsync(1);
    expect([steps(), queue.size]).toEqual([[[0, 1], [2]], 0]);
  });

  it('sends what has come while it was sending, without being asked again', async () => {
    const first = open<EventsAnswer>();
    const { queue, steps } = queueTo({ batchSize: 2, lingerMs: 500 }, () => first.promise);
    for (let n = 0; n < 5; n += 1) await queue.add(event(n));
    expect(steps()).toEqual([[0, 1]]);
    first.resolve(taken([]));
    await jest.advanceTimersByTimeAsync(0);
    expect(steps()).toEqual([
      [0, 1],
      [2, 3],
    ]);
    await jest.advanceTimersByTimeAsync(500);
    expect(steps().at(-1)).toEqual([4]);
  });

  it('gives an event its id when it is added, takes it as it was then, and sends both again as they were', async () => {
    const { queue, batches } = queueTo({}, failing(new UnavailableError(5, 'gone')));
    const mine = { ...event(0), metadata: { campaign_id: 'before' } };
    const id = await queue.add(mine);
    await queue.add(event(1, { event_id: 'my-own' }));
    mine.metadata.campaign_id = 'after';
    await expect(queue.flush()).rejects.toThrow(UnavailableError);
    expect(queue.size).toBe(2);
    await queue.flush();
    expect(batches[0]).toEqual(batches[1]);
    expect(batches[1]?.map(({ event_id }) => event_id)).toEqual([id, 'my-own']);
    expect(batches[1]?.[0]?.metadata).toEqual({ campaign_id: 'before' });
  });

  it('goes on by itself after a failure, later each time, and not before it was told to', async () => {
    const failures: unknown[] = [];
    const limited = refused(429, 'RATE_LIMITED', { 'Retry-After': '30' });
    const { queue, batches } = queueTo(
      { lingerMs: 100, onFailed: (error) => failures.push(error) },
      failing('one'),
      failing('two'),
      failing(limited),
    );
    await queue.add(event(0));
    await jest.advanceTimersByTimeAsync(100 + 999);
    expect(batches.length).toBe(1);
    await jest.advanceTimersByTimeAsync(1 + 1_999);
    expect(batches.length).toBe(2);
    await jest.advanceTimersByTimeAsync(1 + 29_999);
    expect([batches.length, limited instanceof LimitError]).toEqual([3, true]);
    await jest.advanceTimersByTimeAsync(1);
    expect([batches.length, queue.size, failures]).toEqual([4, 0, ['one', 'two', limited]]);
  });

  it('holds no more than it may: who adds waits for room, in turn, and not for ever', async () => {
    const first = open<EventsAnswer>();
    const options = { batchSize: 2, capacity: 3, roomTimeoutMs: 1_000 };
    const { queue, steps } = queueTo(options, () => first.promise);
    for (let n = 0; n < 3; n += 1) await queue.add(event(n));
    const waiting = Promise.allSettled([queue.add(event(3)), queue.add(event(4)), queue.add(event(5))]);
    await jest.advanceTimersByTimeAsync(999);
    expect([steps(), queue.size]).toEqual([[[0, 1]], 3]);
    first.resolve(taken([]));
    await jest.advanceTimersByTimeAsync(1);
    await waiting;
    await queue.flush();
    expect(steps().flat()).toEqual([0, 1, 2, 3, 4, 5]);

    const stuck = queueTo(options, () => open<EventsAnswer>().promise);
    for (let n = 0; n < 3; n += 1) await stuck.queue.add(event(n));
    const late = stuck.queue.add(event(3)).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await late).toBeInstanceOf(WaitTimeoutError);
    expect(stuck.queue.size).toBe(3);
  });

  it('counts bytes too, of what it holds and of what it sends', async () => {
    const { queue, steps } = queueTo({ capacityBytes: 30 * 1_048_576 });
    const long = 'é'.repeat(1_048_576);
    for (let n = 0; n < 10; n += 1) await queue.add(event(n, { body: long }));
    await queue.flush();
    // Two mebibytes each, and the service takes eight.
    expect(steps()).toEqual([[0, 1, 2], [3, 4, 5], [6, 7, 8], [9]]);
    const narrow = queueTo({ capacityBytes: 1_000, roomTimeoutMs: 10 }, () => open<EventsAnswer>().promise);
    await narrow.queue.add(event(0, { body: long }));
    const late = narrow.queue.add(event(1)).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(10);
    expect(await late).toBeInstanceOf(WaitTimeoutError);
  });

  it.each([
    [400, 'INVALID_JSON'],
    [400, 'INVALID_REQUEST'],
    [400, 'INVALID_ENCODING'],
    [413, 'TOO_MANY_EVENTS'],
    [413, 'PAYLOAD_TOO_LARGE'],
  ] as const)(
    'tells of every fault, and of every event of a batch refused as %i %s, and goes on',
    async (status, code) => {
      const told: unknown[] = [];
      const faults = [{ index: 1, field: 'tone', code: 'NOT_ALLOWED', message: 'No.' }];
      const { queue } = queueTo(
        {
          batchSize: 2,
          onRejected: ({ event: { sequence_step }, field }) => told.push([sequence_step, field]),
        },
        () => Promise.resolve(taken([event(0), event(1)], faults)),
        failing(refused(status, code)),
      );
      for (let n = 0; n < 5; n += 1) await queue.add(event(n));
      await queue.flush();
      expect([told, queue.size]).toEqual([
        [
          [1, 'tone'],
          [2, ''],
          [3, ''],
        ],
        0,
      ]);
    },
  );

  const ours = (error: ErrorCode) =>
    JSON.stringify({ success: false, error, message: 'No.', requestId: 'r' });
  it.each([
    ['text/html', 404, '404 page not found'],
    ['text/html', 200, '<html>Sign in to this network</html>'],
    ['text/html', 301, ''],
    ['application/json', 404, '{"statusCode":404,"error":"Not Found","message":["Cannot POST"]}'],
    ['application/json', 404, '{"error":{"code":404,"message":"No route."}}'],
    ['application/json', 400, '{"error":"INVALID_REQUEST"}'],
    ['application/json', 400, ours('INVALID_ACTOR')],
    ['application/json', 400, ours('TENANT_REQUIRED')],
    ['application/json', 404, ours('NOT_FOUND')],
    ['application/json', 405, ours('METHOD_NOT_ALLOWED')],
    ['application/json', 415, ours('UNSUPPORTED_MEDIA_TYPE')],
  ])('keeps what was refused for anything but the events: %s %i %s', async (type, status, text) => {
    const told: unknown[] = [];
    const failures: unknown[] = [];
    let calls = 0;
    const fetch = () => {
      calls += 1;
      return Promise.resolve(
        calls > 1
          ? Response.json(taken([event(0)]), { status: 202 })
          : new Response(text, { status, headers: { 'content-type': type } }),
      );
    };
    const transport = new Transport({ apiKey: 'svc_key', fetch });
    const queue = new EventQueue(
      async (events) =>
        (await transport.send<EventsAnswer>({ url: 'http://localhost', body: JSON.stringify({ events }) }))
          .body,
      {
        ...{ lingerMs: 0, onRejected: (rejection) => told.push(rejection) },
        onFailed: (error) => failures.push(error),
      },
    );
    await queue.add(event(0));
    await jest.advanceTimersByTimeAsync(0);
    expect([calls, queue.size, told, failures.length]).toEqual([1, 1, [], 1]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect([calls, queue.size, told]).toEqual([2, 0, []]);
  });

  it('goes on where a callback throws or rejects, tells of the rest, and shows what was thrown', async () => {
    const shown = jest.spyOn(console, 'error').mockImplementation(() => {});
    const told: number[] = [];
    const faults = [0, 1].map((index) => ({ index, field: 'tone', code: 'NOT_ALLOWED', message: 'No.' }));
    const { queue, steps } = queueTo(
      {
        batchSize: 3,
        onRejected: ({ event: { sequence_step } }) => {
          told.push(sequence_step);
          if (sequence_step === 0) throw new Error('of onRejected');
        },
        onFailed: jest.fn().mockRejectedValue(new Error('of onFailed')),
      },
      () => Promise.resolve(taken([], faults)),
      failing('away'),
    );
    for (let n = 0; n < 6; n += 1) await queue.add(event(n));
    await jest.advanceTimersByTimeAsync(0);
    expect([told, queue.size]).toEqual([[0, 1], 3]);
    await jest.advanceTimersByTimeAsync(1_000);
    await queue.close();
    expect(steps()).toEqual([
      [0, 1, 2],
      [3, 4, 5],
      [3, 4, 5],
    ]);
    expect(shown.mock.calls).toEqual([[new Error('of onRejected')], [new Error('of onFailed')]]);
    shown.mockRestore();
  });

  it('flushes for so long only, and keeps what it could not send', async () => {
    const { queue } = queueTo({}, () => open<EventsAnswer>().promise);
    await queue.add(event(0));
    const flushed = queue.flush({ timeoutMs: 5_000 }).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await flushed).toBeInstanceOf(WaitTimeoutError);
    expect(queue.size).toBe(1);
  });

  it('sends everything before it closes, takes nothing afterwards, and leaves no timer', async () => {
    const { queue, steps } = queueTo({ batchSize: 2 });
    for (let n = 0; n < 5; n += 1) await queue.add(event(n));
    await queue.close();
    expect(steps().flat()).toEqual([0, 1, 2, 3, 4]);
    await expect(queue.add(event(5))).rejects.toThrow('closed');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('may be closed again where that failed', async () => {
    const { queue } = queueTo({}, failing('away'));
    await queue.add(event(0));
    await expect(queue.close()).rejects.toBe('away');
    expect([queue.size, jest.getTimerCount()]).toEqual([1, 0]);
    await queue.close();
    expect(queue.size).toBe(0);
  });
});
