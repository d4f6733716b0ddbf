import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendBatches } from './send-batches';

describe('sending batches', () => {
  let server: Server;
  let log: string[];
  /** Events that wait to be counted, at each look. */
  let waiting: number[];

  beforeEach(async () => {
    log = [];
    server = createServer((_, response) => {
      const events_pending = waiting.shift() ?? 0;
      log.push(`looked ${events_pending}`);
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ events_pending }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function* numbers(count: number): AsyncGenerator<number> {
    for (let batch = 1; batch <= count; batch += 1) yield await Promise.resolve(batch);
  }

  function sendAll(count: number, size: number, send: (batch: number) => Promise<string>): Promise<void> {
    return sendBatches(numbers(count), {
      ingestApiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      apiKey: 'svc_key',
      sizeOf: () => size,
      send: (batch) => {
        log.push(`sent ${batch}`);
        return send(batch);
      },
      settle: (batch, answer) => {
        log.push(`settled ${batch} ${answer}`);
        return Promise.resolve();
      },
    });
  }

  it('sends nothing while too much waits to be counted', async () => {
    waiting = [60_000, 20_000, 30_000];
    await sendAll(2, 10_000, () => Promise.resolve('yes'));
    expect(log).toEqual([
      ...['looked 60000', 'looked 20000', 'sent 1', 'looked 30000', 'sent 2'],
      ...['settled 1 yes', 'settled 2 yes'],
    ]);
  });

  it('settles batches in their order, whichever is answered first', async () => {
    const waits = [30, 10, 1, 20, 5];
    await sendAll(5, 1, (batch) => new Promise((resolve) => setTimeout(resolve, waits[batch - 1], 'yes')));
    expect(log.filter((line) => line.startsWith('settled'))).toEqual(
      [1, 2, 3, 4, 5].map((batch) => `settled ${batch} yes`),
    );
    expect(log.indexOf('sent 4')).toBeGreaterThan(log.indexOf('settled 1 yes'));
  });

  it('fails by what refuses a batch, behind those before it', async () => {
    // The second look has the refusal wait, where nobody has asked for it yet.
    waiting = [0, 60_000, 0];
    const refused = sendAll(2, 10_000, () => Promise.reject(new Error('refused')));
    await expect(refused).rejects.toThrow('refused');
    expect(log).not.toContainEqual(expect.stringMatching(/^settled/));
  });
});
