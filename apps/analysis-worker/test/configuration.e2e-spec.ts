import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ENTRY = join(__dirname, '../bundle/main.js');

describe('the configuration of the worker', () => {
  it('is refused as a whole, with one line per fault and no value shown', async () => {
    const environment = {
      DATABASE_URL: 'mysql://secret@db',
      BATCH_CONCURRENCY: '0',
      DAILY_ANALYSIS_CRON: '0 25 * * *',
      SWEEP_INTERVAL_MS: 'soon',
      SMTP_URL: 'http://user:secret@mail',
      SMTP_FROM: 'nobody',
    };
    const failure = await promisify(execFile)(process.execPath, [ENTRY], {
      env: environment,
      timeout: 20_000,
    }).catch((error: unknown) => error as { code: number; stderr: string });
    expect(failure).toMatchObject({ code: 1 });
    const lines = failure.stderr.trim().split('\n');
    expect(lines.map((line) => line.split(':')[1]?.trim()).sort()).toEqual([
      'BATCH_CONCURRENCY',
      'DAILY_ANALYSIS_CRON',
      'DATABASE_URL',
      'REDIS_URL',
      'SMTP_FROM',
      'SMTP_URL',
      'SWEEP_INTERVAL_MS',
    ]);
    expect(failure.stderr).not.toMatch(/secret|soon/);
  });

  it('names the sender that a mail server is set without', async () => {
    const environment = {
      DATABASE_URL: 'postgres://db/outcomes',
      REDIS_URL: 'redis://redis',
      SMTP_URL: 'smtp://mail:25',
    };
    const failure = await promisify(execFile)(process.execPath, [ENTRY], {
      env: environment,
      timeout: 20_000,
    }).catch((error: unknown) => error as { code: number; stderr: string });
    expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining('SMTP_FROM') });
  });
});
