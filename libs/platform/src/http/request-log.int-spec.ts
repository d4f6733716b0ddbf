import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { VERSION } from '../runtime/version';
import { RequestLog } from './request-log';

describe('the log of requests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'access-log-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('writes its lines together, and the last of them when it is told to', async () => {
    const file = join(folder, 'log');
    const registry = new Registry();
    const log = new RequestLog('a-service', 'info', registry, file);
    const lines = () => readFileSync(file, 'utf8').split('\n').slice(0, -1);
    const note = (requestId: string, traceId?: string) =>
      log.note({
        ...{ requestId, traceId, method: 'GET', route: '/v1/a "quoted" route', status: 200 },
        ...{ seconds: 0.0123456, aborted: false },
      });
    for (let n = 0; n < 3; n += 1) note(`id-${n}`);
    // Mutation: a write for each line.
    expect(lines()).toEqual([]);
    // Mutation: without it these would be lost at the end of the process.
    log.flush();
    const parsed = lines().map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(parsed.map(({ requestId }) => requestId)).toEqual(['id-0', 'id-1', 'id-2']);
    expect(parsed[0]).toEqual({
      ...{ level: 'info', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), service: 'a-service' },
      version: VERSION,
      ...{ method: 'GET', route: '/v1/a "quoted" route', status: 200, requestId: 'id-0' },
      ...{ ms: 12.35, aborted: false, msg: 'request' },
    });
    note('id-3', 'c0ffee');
    log.flush();
    expect(JSON.parse(lines()[3] ?? '')).toMatchObject({ requestId: 'id-3', traceId: 'c0ffee' });
    for (let n = 0; n < 999; n += 1) note(`id-${n}`);
    expect(lines().length).toBeGreaterThan(500);
    log.flush();
    expect(lines()).toHaveLength(1_003);
    expect(await registry.metrics()).toContain(
      'http_request_duration_seconds_count{method="GET",route="/v1/a \\"quoted\\" route",status="200"} 1003',
    );
  });

  it('writes the last lines by itself after a moment', () => {
    jest.useFakeTimers();
    const file = join(folder, 'alone');
    const log = new RequestLog('a-service', 'info', new Registry(), file);
    log.note({ requestId: 'a', method: 'GET', route: '/', status: 200, seconds: 0, aborted: true });
    jest.advanceTimersByTime(100);
    jest.useRealTimers();
    expect(readFileSync(file, 'utf8')).toContain('"aborted":true');
  });

  it.each(['warn', 'silent'])('writes nothing at level %s, and counts all the same', async (level) => {
    const file = join(folder, level);
    const registry = new Registry();
    const log = new RequestLog('a-service', level, registry, file);
    log.note({ requestId: 'a', method: 'GET', route: '/', status: 200, seconds: 0, aborted: false });
    log.flush();
    expect(existsSync(file)).toBe(false);
    expect(await registry.metrics()).toContain('http_request_duration_seconds_count');
  });
});
