import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { DAY_MS } from '@outcomes/contracts';
import { IngestionService } from '@outcomes/ingestion';
import { JOBS, QUEUES } from '@outcomes/queues';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import {
  createTestDatabase,
  Installation,
  tcpProxy,
  testRedisUrl,
  type ServiceProcess,
  type TcpProxy,
  type TestDatabase,
} from '@outcomes/testing';
import { Queue } from 'bullmq';
import { openIngestion } from './open-ingestion';

/** The built worker on a database and a Redis prefix of its own, with a way to Redis that can be cut. */
export class WorkerInstallation extends Installation {
  private constructor(
    database: TestDatabase,
    readonly redis: TcpProxy,
    readonly ingestion: INestApplicationContext,
    environment: Record<string, string>,
  ) {
    // Swept quickly enough that the tests need not wait for a real second.
    super(database, { redisUrl: redis.url, environment: { SWEEP_INTERVAL_MS: '50', ...environment } });
  }

  static async create(environment: Record<string, string> = {}): Promise<WorkerInstallation> {
    const database = await createTestDatabase();
    const ingestion = await openIngestion(await database.loginAs('outcomes_ingest'));
    return new WorkerInstallation(database, await tcpProxy(testRedisUrl()), ingestion, environment);
  }

  startWorker(): Promise<ServiceProcess> {
    return this.start('analysis-worker');
  }

  /** Without waiting for what the workers have under way: a test may have cut them off. */
  async close(): Promise<void> {
    await this.stopServices({ signal: 'SIGKILL' });
    await this.ingestion.close();
    await this.redis.close();
    await this.stop();
  }

  async management(path: string): Promise<{ status: number; text: string }> {
    const { managementPort } = this.service('analysis-worker');
    const response = await fetch(`http://127.0.0.1:${managementPort}${path}`);
    return { status: response.status, text: await response.text() };
  }

  metrics(): Promise<string> {
    return this.service('analysis-worker').metrics();
  }

  /** Ten messages of one day, the first `replies` of them answered. The worker is not told. */
  async ingest(companyId: string, replies = 3): Promise<void> {
    const [sentAt, outcomeAt] = [3, 1].map((days) => new Date(Date.now() - days * DAY_MS));
    const events = Array.from({ length: 10 }, (_, index) => ({
      channel: 'email',
      sequence_step: 0,
      recipient_id: randomUUID(),
      sent_at: sentAt,
      outcome_at: outcomeAt,
      outcome: index < replies ? 'responded' : 'no_response',
    }));
    await this.ingestEvents(companyId, events);
  }

  /** One batch; the worker is not told. */
  async ingestEvents(companyId: string, events: readonly unknown[]): Promise<void> {
    const body = Buffer.from(JSON.stringify({ events }));
    await this.ingestion.get(IngestionService).ingestJson(mintTenantScope(companyId), body);
  }

  async requestAnalysis(companyId: string, runKey: string): Promise<void> {
    const queue = new Queue(QUEUES.analysis, {
      connection: { url: testRedisUrl() },
      prefix: this.redisPrefix,
    });
    await queue.add(JOBS.analysis.analyse, { companyId, runKey });
    await queue.close();
  }

  /** Body of a document, once it is there. */
  async document<Content>(companyId: string, name: string): Promise<Content | undefined> {
    const rows = await this.database.query<{ body: string }>(
      'SELECT body FROM snapshots WHERE company_id = $1 AND document = $2',
      [companyId, name],
    );
    return rows[0] && (JSON.parse(rows[0].body) as Content);
  }

  async runKeys(companyId: string): Promise<string[]> {
    const rows = await this.database.query<{ run_key: string }>(
      `SELECT run_key FROM analysis_runs WHERE company_id = $1 AND state = 'succeeded' ORDER BY started_at`,
      [companyId],
    );
    return rows.map((row) => row.run_key);
  }

  /** Whether a run has succeeded and made its decisions, which it does afterwards. */
  async isDecided(companyId: string, runKey: string): Promise<boolean> {
    const rows = await this.database.query(
      'SELECT FROM analysis_runs WHERE company_id = $1 AND run_key = $2 AND decisions_made_at IS NOT NULL',
      [companyId, runKey],
    );
    return rows.length > 0;
  }

  async touches(companyId: string): Promise<number> {
    const rows = await this.database.query<{ touches: number }>(
      'SELECT coalesce(sum(touches), 0)::int AS touches FROM cohort_counts WHERE company_id = $1',
      [companyId],
    );
    return rows[0]?.touches ?? 0;
  }
}
