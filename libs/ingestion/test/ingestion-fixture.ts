import { randomUUID } from 'node:crypto';
import { Test, type TestingModule } from '@nestjs/testing';
import { createDataSource, PersistenceModule } from '@outcomes/persistence';
import {
  createLogger,
  Management,
  PlatformModule,
  serviceConfigSchema,
  type ServiceConfig,
} from '@outcomes/platform';
import { QueueProducer, type AnalysisJob } from '@outcomes/queues';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import {
  createTestDatabase,
  StandingClock,
  testRedisPrefix,
  testRedisUrl,
  type TestDatabase,
} from '@outcomes/testing';
import { BatchProcessing, IngestionModule, IngestionService, Reanalyses, Retention } from '../src';
import { recount, stored, type Counted } from '../src/testing';
import { jsonBody } from './ingestion-events';

export * from './ingestion-events';

/** Notes what would go to Redis. */
export class NotedQueue {
  readonly nudges: string[] = [];
  readonly analyses: AnalysisJob[] = [];
  dailyRun: Date | undefined;

  nextDailyRun(): Promise<Date | undefined> {
    return Promise.resolve(this.dailyRun);
  }

  nudgeBatches(companyId: string): Promise<boolean> {
    this.nudges.push(companyId);
    return Promise.resolve(true);
  }

  requestAnalysis(job: AnalysisJob): Promise<boolean> {
    this.analyses.push(job);
    return Promise.resolve(true);
  }
}

/** One running copy of the lib, with its own pool and login. */
export interface IngestionPod {
  readonly module: TestingModule;
  readonly ingestion: IngestionService;
  readonly processing: BatchProcessing;
  readonly reanalyses: Reanalyses;
  readonly retention: Retention;
  readonly database: TenantDatabase;
}

export interface IngestionFixture {
  readonly database: TestDatabase;
  readonly clock: StandingClock;
  readonly queue: NotedQueue;
  /** Takes and deletes events, as the ingest API does. */
  readonly api: IngestionPod;
  /** Processes them, as the worker does. */
  readonly worker: IngestionPod;
  newCompany(timeZone?: string): Promise<TenantScope>;
  /** Everything computed anew from the events. */
  recount(scope: TenantScope): Promise<Counted>;
  /** What the service keeps. */
  stored(scope: TenantScope): Promise<Counted>;
  ingest(scope: TenantScope, ...events: object[]): ReturnType<IngestionService['ingestJson']>;
  stop(): Promise<void>;
}

export async function ingestionFixture(): Promise<IngestionFixture> {
  const database = await createTestDatabase();
  const clock = new StandingClock('2026-06-15T12:00:00Z');
  const queue = new NotedQueue();
  const api = await startPod(await database.loginAs('outcomes_ingest'), clock, queue);
  const worker = await startPod(await database.loginAs('outcomes_worker'), clock, queue);
  const owner = {
    query: async (text: string, values?: unknown[]) => ({ rows: await database.query(text, values) }),
  } as unknown as Parameters<typeof recount>[0];
  return {
    database,
    clock,
    queue,
    api,
    worker,
    async newCompany(timeZone = 'UTC') {
      const companyId = randomUUID();
      await database.query('INSERT INTO companies (company_id, name, time_zone) VALUES ($1, $2, $3)', [
        companyId,
        'Test company',
        timeZone,
      ]);
      return mintTenantScope(companyId);
    },
    recount: (scope) => recount(owner, scope.companyId),
    stored: (scope) => stored(owner, scope.companyId),
    ingest: (scope, ...events) => api.ingestion.ingestJson(scope, jsonBody(...events)),
    async stop() {
      await api.module.close();
      await worker.module.close();
      await database.drop();
    },
  };
}

/** A pool of the owner of the tables, as the command line has one. */
export function connectAsOwner({ database }: Pick<IngestionFixture, 'database'>) {
  return createDataSource({
    url: database.ownerUrl,
    applicationName: 'ingestion-test-owner',
    poolSize: 2,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 5_000,
  }).initialize();
}

export async function startPod(
  databaseUrl: string,
  clock: StandingClock,
  queue: NotedQueue,
  overrides: Partial<Record<keyof ServiceConfig, string>> = {},
): Promise<IngestionPod> {
  const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
    DATABASE_URL: databaseUrl,
    REDIS_URL: testRedisUrl(),
    REDIS_PREFIX: testRedisPrefix(),
    LOG_LEVEL: 'silent',
    ...overrides,
  });
  const logger = createLogger('ingestion-test', config.LOG_LEVEL);
  const management = new Management('ingestion-test');
  const module = await Test.createTestingModule({
    imports: [
      PlatformModule.register({ clock, config, logger, management }),
      PersistenceModule.register('ingestion-test'),
      IngestionModule,
    ],
  })
    .overrideProvider(QueueProducer)
    .useValue(queue)
    .compile();
  await module.init();
  return {
    module,
    ingestion: module.get(IngestionService),
    processing: module.get(BatchProcessing),
    reanalyses: module.get(Reanalyses),
    retention: module.get(Retention),
    database: module.get(TenantDatabase),
  };
}
