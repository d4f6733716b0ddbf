import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccessLog } from './logger';

describe('the log of requests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'access-log-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('writes its lines together, and the last of them when it is told to', () => {
    const file = join(folder, 'log');
    const { logger, flush } = createAccessLog('a-service', 'info', file);
    const lines = () => readFileSync(file, 'utf8').split('\n').slice(0, -1);
    for (let n = 0; n < 3; n += 1) logger.info({ n }, 'request');
    // Mutation: a write for each line.
    expect(lines()).toEqual([]);
    // Mutation: without it these would be lost at the end of the process.
    flush();
    expect(lines().map((line) => (JSON.parse(line) as { n: number }).n)).toEqual([0, 1, 2]);
    for (let n = 0; n < 1_000; n += 1) logger.info({ n }, 'request');
    expect(lines().length).toBeGreaterThan(500);
    flush();
    expect(lines()).toHaveLength(1_003);
  });
});
