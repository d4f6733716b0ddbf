import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ImportPace } from './import-pace';

describe('the pace of an import', () => {
  let server: Server;
  /** What each question for the status is answered: events that wait, or a status of HTTP. The last one stays. */
  let answers: ({ waiting: number } | { status: number })[];
  let asked: number;

  beforeEach(async () => {
    asked = 0;
    server = createServer((_, response) => {
      const answer = answers[Math.min(asked, answers.length - 1)] ?? { waiting: 0 };
      asked += 1;
      const isStatus = 'status' in answer;
      response.writeHead(isStatus ? answer.status : 200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(isStatus ? { error: 'RATE_LIMITED' } : { events_pending: answer.waiting }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  function pace(patienceSeconds?: number): ImportPace {
    const { port } = server.address() as AddressInfo;
    return new ImportPace({ ingestApiUrl: `http://127.0.0.1:${port}`, apiKey: 'svc_key' }, patienceSeconds);
  }

  it('waits until few enough events wait to be counted', async () => {
    answers = [{ waiting: 90_000 }, { waiting: 60_000 }, { waiting: 40_000 }];
    await pace().wait(10_000);
    expect(asked).toBe(3);
  });

  it('looks after ten thousand events, not after every batch', async () => {
    answers = [{ waiting: 0 }];
    const own = pace();
    for (let batch = 0; batch < 60; batch += 1) await own.wait(500);
    expect(asked).toBe(3);
  });

  it('waits no more for a count that stands still', async () => {
    answers = [{ waiting: 50_000 }];
    const own = pace(0.1);
    await own.wait(10_000);
    expect(asked).toBe(2);
    await own.wait(100_000);
    expect(asked).toBe(2);
  });

  it('asks no more where the key may not ask, and again where the service was away', async () => {
    answers = [{ status: 503 }, { status: 429 }];
    const own = pace();
    await own.wait(10_000);
    expect(asked).toBe(1);
    await own.wait(10_000);
    expect(asked).toBe(2);
    await own.wait(10_000);
    expect(asked).toBe(2);
  });
});
