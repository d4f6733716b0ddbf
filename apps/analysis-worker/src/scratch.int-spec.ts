import { randomUUID } from 'node:crypto';
import { createServer, connect, type Socket } from 'node:net';
import { Module, Injectable, Inject } from '@nestjs/common';
import { migrateDatabase } from '@outcomes/persistence';
import { startWorker } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import { createTestDatabase, freePort, testRedisPrefix, testRedisUrl, waitUntil } from '@outcomes/testing';

jest.mock('@outcomes/ingestion', () => {
  class BatchProcessing {
    constructor(private readonly database: any) {}
    async processPending(scope: any) {
      return this.database.transaction(scope, async ({ client, companyId }: any) => {
        const r = await client.query(
          `UPDATE ingest_batches SET processed_at = now() WHERE company_id = $1 AND processed_at IS NULL`,
          [companyId],
        );
        return { batches: r.rowCount, events: r.rowCount };
      });
    }
    async companiesWithPending(limit: number) {
      return this.database.unscoped({}, async (client: any) =>
        (
          await client.query(
            `SELECT DISTINCT company_id FROM ingest_batches WHERE processed_at IS NULL LIMIT $1`,
            [limit],
          )
        ).rows.map((r: any) => r.company_id),
      );
    }
  }
  const common = jest.requireActual('@nestjs/common');
  const tenancy = jest.requireActual('@outcomes/tenancy');
  class IngestionModule {}
  common.Module({
    providers: [
      {
        provide: BatchProcessing,
        inject: [tenancy.TenantDatabase],
        useFactory: (d: any) => new BatchProcessing(d),
      },
    ],
    exports: [BatchProcessing],
  })(IngestionModule);
  return { BatchProcessing, IngestionModule };
});
import { AnalysisWorkerModule } from './analysis-worker.module';

async function proxy(target: URL) {
  const sockets = new Set<Socket>();
  let down = false;
  const server = createServer((s) => {
    if (down) return void s.destroy();
    const t = connect(Number(target.port), target.hostname);
    sockets.add(s);
    sockets.add(t);
    s.on('error', () => t.destroy());
    t.on('error', () => s.destroy());
    s.on('close', () => t.destroy());
    t.on('close', () => s.destroy());
    s.pipe(t);
    t.pipe(s);
  });
  const port = await freePort();
  await new Promise<void>((r) => server.listen(port, '127.0.0.1', r));
  return {
    url: `redis://127.0.0.1:${port}`,
    cut() {
      down = true;
      for (const s of sockets) s.destroy();
    },
    mend() {
      down = false;
    },
    close: () =>
      new Promise<void>((r) => {
        down = true;
        for (const s of sockets) s.destroy();
        server.close(() => r());
      }),
  };
}

it('works', async () => {
  const database = await createTestDatabase(migrateDatabase);
  const redis = await proxy(new URL(testRedisUrl()));
  const config: any = {
    PORT: 0,
    MANAGEMENT_PORT: await freePort(),
    HOST: '127.0.0.1',
    DATABASE_URL: await database.loginAs('outcomes_worker'),
    DATABASE_POOL_SIZE: 5,
    DATABASE_STATEMENT_TIMEOUT_MS: 5000,
    DATABASE_CONNECT_TIMEOUT_MS: 1000,
    REDIS_URL: redis.url,
    REDIS_PREFIX: testRedisPrefix(),
    LOG_LEVEL: 'warn',
    DRAIN_DELAY_MS: 0,
    BATCH_CONCURRENCY: 2,
    ANALYSIS_CONCURRENCY: 1,
    DAILY_ANALYSIS_CRON: '0 2 * * *',
    SWEEP_INTERVAL_MS: 200,
  };
  const worker = await startWorker('analysis-worker', config, (p) =>
    AnalysisWorkerModule.register(p, config),
  );
  const company = async () => {
    const id = randomUUID();
    await database.query(`INSERT INTO companies (company_id, name) VALUES ($1,'x')`, [id]);
    return id;
  };
  const batch = (id: string) =>
    database.query(`INSERT INTO ingest_batches (company_id, batch_id, event_ids) VALUES ($1,$2,'{}')`, [
      id,
      randomUUID(),
    ]);
  const a = await company();
  let t = Date.now();
  await batch(a);
  await waitUntil(
    'docs',
    async () => (await database.query(`SELECT 1 FROM snapshots WHERE company_id=$1`, [a])).length > 0,
  );
  console.log('with redis', Date.now() - t);
  console.log(
    (await (await fetch(`http://127.0.0.1:${config.MANAGEMENT_PORT}/metrics`)).text())
      .split('\n')
      .filter((l) => /^outcomes/.test(l) && !/bucket/.test(l))
      .join('\n'),
  );
  redis.cut();
  const b = await company();
  t = Date.now();
  await batch(b);
  await waitUntil(
    'docs',
    async () => (await database.query(`SELECT 1 FROM snapshots WHERE company_id=$1`, [b])).length > 0,
  );
  console.log('without redis', Date.now() - t);
  console.log(await (await fetch(`http://127.0.0.1:${config.MANAGEMENT_PORT}/readyz`)).text());
  if (process.env.MEND) redis.mend();
  t = Date.now();
  await worker.stop();
  console.log('stopped', Date.now() - t);
  await redis.close();
  await database.drop();
}, 60000);
