import { randomUUID } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { migrateDatabase } from '@outcomes/persistence';
import {
  createTestDatabase,
  startServiceProcess,
  testRedisPrefix,
  testRedisUrl,
  type ServiceProcess,
  type TestDatabase,
} from '@outcomes/testing';

const ENTRY = join(__dirname, '../dist/main.js');
/** Quick enough that the tests need not wait for a real second. */
const SWEEP_INTERVAL_MS = '50';

/** The built worker on a database and a Redis prefix of its own, with a wire to Redis that can be cut. */
export class WorkerInstallation {
  private worker?: ServiceProcess;

  private constructor(
    readonly database: TestDatabase,
    readonly redis: RedisWire,
    readonly redisPrefix: string,
    private readonly environment: Record<string, string>,
  ) {}

  static async create(environment: Record<string, string> = {}): Promise<WorkerInstallation> {
    const database = await createTestDatabase(migrateDatabase);
    const redis = await RedisWire.open();
    const redisPrefix = testRedisPrefix();
    return new WorkerInstallation(database, redis, redisPrefix, {
      DATABASE_URL: await database.loginAs('outcomes_worker'),
      REDIS_URL: redis.url,
      REDIS_PREFIX: redisPrefix,
      SWEEP_INTERVAL_MS,
      ...environment,
    });
  }

  async start(): Promise<ServiceProcess> {
    this.worker = await startServiceProcess(ENTRY, this.environment);
    return this.worker;
  }

  async close(): Promise<void> {
    await this.worker?.stop('SIGKILL');
    await this.redis.close();
    await this.database.drop();
  }

  async management(path: string): Promise<{ status: number; text: string }> {
    const response = await fetch(`http://127.0.0.1:${this.worker?.managementPort}${path}`);
    return { status: response.status, text: await response.text() };
  }

  async createCompany(): Promise<string> {
    const companyId = randomUUID();
    await this.database.query(`INSERT INTO companies (company_id, name) VALUES ($1, 'Test')`, [companyId]);
    return companyId;
  }

  /** Events and their batch, as ingestion commits them: ten messages of one day, the first `replies` answered. */
  async ingest(companyId: string, replies = 3, receivedAt = new Date()): Promise<void> {
    const events = Array.from({ length: 10 }, (_, index) => ({
      event_id: randomUUID(),
      outcome: index < replies ? 1 : 0,
    }));
    await this.database.query(
      `WITH events AS (
         INSERT INTO outcome_events (company_id, event_id, channel, sequence_step, outcome, tone, sent_has_time, sent_at,
           outcome_at, ingested_at, recipient_id, thread_id)
         SELECT $1, event_id, 0, 0, outcome, 0, true, $3::timestamptz - interval '3 days', $3::timestamptz - interval '1 day',
           $3, event_id::text, event_id::text
         FROM jsonb_to_recordset($2) AS given (event_id uuid, outcome smallint)
         RETURNING event_id)
       INSERT INTO ingest_batches (company_id, batch_id, event_ids, received_at)
       SELECT $1, $4, array_agg(event_id), $3 FROM events`,
      [companyId, JSON.stringify(events), receivedAt.toISOString(), randomUUID()],
    );
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

  async touches(companyId: string): Promise<number> {
    const rows = await this.database.query<{ touches: number }>(
      'SELECT coalesce(sum(touches), 0)::int AS touches FROM cohort_counts WHERE company_id = $1',
      [companyId],
    );
    return rows[0]?.touches ?? 0;
  }
}

/** Carries bytes between the worker and Redis until it is cut. */
class RedisWire {
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    readonly url: string,
  ) {}

  static async open(): Promise<RedisWire> {
    const target = new URL(testRedisUrl());
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const url = new URL(target);
    url.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    const wire = new RedisWire(server, url.toString());
    server.on('connection', (socket) =>
      wire.carry(socket, connect(Number(target.port || 6379), target.hostname)),
    );
    return wire;
  }

  /** From now on Redis is away. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private carry(near: Socket, far: Socket): void {
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      if (this.isCut) socket.destroy();
      else socket.pipe(other);
    }
  }
}
