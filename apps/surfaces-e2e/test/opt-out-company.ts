import { randomUUID } from 'node:crypto';
import { Test, type TestingModule } from '@nestjs/testing';
import { AnalysisModule, AnalysisService } from '@outcomes/analysis';
import { EVENT_KINDS, type WorkflowDecision } from '@outcomes/contracts';
import {
  BatchProcessing,
  hashOfAddress,
  IngestionModule,
  IngestionService,
  Retention,
} from '@outcomes/ingestion';
import { migrateDatabase, PersistenceModule } from '@outcomes/persistence';
import { createLogger, Management, PlatformModule, serviceConfigSchema } from '@outcomes/platform';
import { QueueProducer } from '@outcomes/queues';
import { IntelligenceService, ReadModelModule } from '@outcomes/read-model';
import type { TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { createTestDatabase, testRedisPrefix, testRedisUrl, type TestDatabase } from '@outcomes/testing';
import type { ToldEvent } from './opt-out-model';

const QUEUE = { nudgeBatches: () => Promise.resolve(true), requestAnalysis: () => Promise.resolve(true) };

/** What takes events in, works on them and answers, each under its own role, in one process and with one clock. */
export class OptOutServices {
  private constructor(
    readonly database: TestDatabase,
    private readonly time: { ms: number },
    private readonly modules: readonly TestingModule[],
    private readonly ingestion: IngestionService,
    private readonly processing: BatchProcessing,
    private readonly retention: Retention,
    private readonly analysis: AnalysisService,
    private readonly intelligence: IntelligenceService,
  ) {}

  static async start(): Promise<OptOutServices> {
    const database = await createTestDatabase(migrateDatabase);
    const time = { ms: 0 };
    const clock = { now: () => new Date(time.ms) };
    const pod = async (
      role: string,
      imports: NonNullable<Parameters<typeof Test.createTestingModule>[0]['imports']>,
    ) => {
      const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
        DATABASE_URL: await database.loginAs(role),
        REDIS_URL: testRedisUrl(),
        REDIS_PREFIX: testRedisPrefix(),
        LOG_LEVEL: 'silent',
      });
      const logger = createLogger('opt-outs', config.LOG_LEVEL);
      const module = await Test.createTestingModule({
        imports: [
          PlatformModule.register({ clock, config, logger, management: new Management('opt-outs') }),
          PersistenceModule.register('opt-outs'),
          ...imports,
        ],
      })
        .overrideProvider(QueueProducer)
        .useValue(QUEUE)
        .compile();
      await module.init();
      return module;
    };
    const api = await pod('outcomes_ingest', [IngestionModule]);
    const worker = await pod('outcomes_worker', [IngestionModule, AnalysisModule.register(null)]);
    const reader = await pod('outcomes_reader', [ReadModelModule]);
    return new OptOutServices(
      database,
      time,
      [api, worker, reader],
      api.get(IngestionService),
      worker.get(BatchProcessing),
      worker.get(Retention),
      worker.get(AnalysisService),
      reader.get(IntelligenceService),
    );
  }

  set now(ms: number) {
    this.time.ms = ms;
  }

  async newCompany(): Promise<TenantScope> {
    const companyId = randomUUID();
    await this.database.query('INSERT INTO companies (company_id, name) VALUES ($1, $2)', [
      companyId,
      'Opt-outs',
    ]);
    return mintTenantScope(companyId);
  }

  /** Through the ingest API's own door; an event of no message as the database holds such events. */
  async tell(scope: TenantScope, event: ToldEvent, step: number, sentAt: number): Promise<void> {
    if (event.isAlone) {
      await this.database.query(
        `INSERT INTO outcome_events (company_id, event_id, channel, sequence_step, outcome, sent_has_time, outcome_at,
           ingested_at, recipient_id, thread_id, recipient_hash)
         VALUES ($1, $2, 0, $3, $4, false, $5, $6, $7, 'none', $8)`,
        [
          scope.companyId,
          event.id,
          step,
          EVENT_KINDS.indexOf(event.kind),
          new Date(event.at),
          new Date(event.ingestedAt),
          event.recipient,
          event.address === null ? null : hashOfAddress(event.address),
        ],
      );
      return;
    }
    const { accepted } = await this.ingestion.ingestJson(
      scope,
      Buffer.from(
        JSON.stringify({
          event_id: event.id,
          channel: 'email',
          sequence_step: step,
          recipient_id: event.recipient,
          recipient_position: 'VP Sales',
          sent_at: new Date(sentAt).toISOString(),
          outcome_at: new Date(event.at).toISOString(),
          outcome: event.kind,
          ...(event.address !== null && { recipient_email: ` ${event.address.toUpperCase()}` }),
        }),
      ),
    );
    expect(accepted).toBe(1);
  }

  process = async (scope: TenantScope) => void (await this.processing.processPending(scope));
  expire = async (scope: TenantScope) => void (await this.retention.expire(scope));
  analyse = async (scope: TenantScope) =>
    void (await this.analysis.run(scope, { runKey: `manual-${randomUUID()}` }));
  deleteEvent = async (scope: TenantScope, id: string) => void (await this.ingestion.deleteEvent(scope, id));
  erase = async (
    scope: TenantScope,
    recipient: string,
    keeps: boolean,
  ): Promise<'kept' | 'removed' | 'none'> =>
    (await this.ingestion.deleteRecipient(scope, recipient, keeps ? 'true' : undefined)).suppression;
  contact = (scope: TenantScope, contact_id: string) =>
    this.intelligence.recipientIntelligence(scope, { contact_id });

  /** Every decision that is served, newest first. */
  async decisions(scope: TenantScope): Promise<WorkflowDecision[]> {
    const all: WorkflowDecision[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.intelligence.workflowDecisions(scope, {
        limit: 50,
        ...(cursor !== undefined && { cursor }),
      });
      all.push(...page.decisions);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return all;
  }

  async stop(): Promise<void> {
    for (const module of this.modules) await module.close();
    await this.database.drop();
  }
}
