import { randomUUID } from 'node:crypto';
import type { TestingModule } from '@nestjs/testing';
import { AnalysisModule, AnalysisService } from '@outcomes/analysis';
import { EVENT_KINDS, STORED_MEANINGS, type Channel, type WorkflowDecision } from '@outcomes/contracts';
import {
  BatchProcessing,
  hashOfAddress,
  IngestionModule,
  IngestionService,
  Retention,
} from '@outcomes/ingestion';
import { Answers, PatternsService, ReadModelModule } from '@outcomes/read-model';
import type { TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import type { ToldEvent } from './opt-out-model';
import { startPod, type Imports } from './opt-out-pod';

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
    readonly answers: Answers,
    readonly patterns: PatternsService,
  ) {}

  /** @param given - a database that others use too; one of its own where none is given */
  static async start(given?: TestDatabase): Promise<OptOutServices> {
    const database = given ?? (await createTestDatabase());
    const time = { ms: 0 };
    const clock = { now: () => new Date(time.ms) };
    const pod = (role: string, imports: Imports) => startPod(database, clock, role, imports);
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
      reader.get(Answers),
      reader.get(PatternsService),
    );
  }

  set now(ms: number) {
    this.time.ms = ms;
  }

  async newCompany(): Promise<TenantScope> {
    const companyId = randomUUID();
    const company = [companyId, 'A company'];
    await this.database.query('INSERT INTO companies (company_id, name) VALUES ($1, $2)', company);
    return mintTenantScope(companyId);
  }

  /** Through the ingest API's own door, unless it is of no message. */
  async tell(scope: TenantScope, event: ToldEvent, step: number, sentAt: number): Promise<void> {
    if (event.isAlone) return storeAlone(this.database, scope, event, step);
    const told = {
      event_id: event.id,
      channel: 'email',
      sequence_step: step,
      recipient_id: event.recipient,
      recipient_position: 'VP Sales',
      sent_at: new Date(sentAt).toISOString(),
      outcome_at: new Date(event.at).toISOString(),
      outcome: event.kind,
      ...(event.since !== event.at && { outcome_at_is: 'not_after' }),
      ...(step % 2 === 1 && { metadata: { complaint: true, bounce: 'hard' } }), // decides nothing
      ...(event.email !== null && { recipient_email: ` ${event.email.toUpperCase()}` }),
    };
    await this.send(scope, [told]);
  }

  process = async (scope: TenantScope) => void (await this.processing.processPending(scope));
  refreshArms = async (scope: TenantScope) => void (await this.analysis.refreshArms(scope));
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
  contact = (scope: TenantScope, contact_id: string, channel?: Channel) =>
    this.answers.answer('RecipientIntelligence', scope, { contact_id, ...(channel && { channel }) });

  /** Events as a caller sends them. */
  async send(scope: TenantScope, events: readonly Record<string, unknown>[]): Promise<void> {
    const { errors } = await this.ingestion.ingestJson(scope, Buffer.from(JSON.stringify({ events })));
    expect(errors).toEqual([]);
  }

  /** Every decision that is served, newest first. */
  async decisions(scope: TenantScope): Promise<WorkflowDecision[]> {
    const all: WorkflowDecision[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.answers.answer('WorkflowDecisions', scope, {
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

/** An event that waits for its message, as the database holds such events. */
async function storeAlone(
  database: TestDatabase,
  { companyId }: TenantScope,
  event: ToldEvent,
  step: number,
) {
  const { id, kind, at, since, ingestedAt, recipient, email, address } = event;
  await database.query(
    `INSERT INTO outcome_events (company_id, event_id, channel, sequence_step, outcome, sent_has_time, outcome_at,
       ingested_at, recipient_id, thread_id, recipient_hash, id_address_hash, outcome_at_is)
     SELECT $1, $2, 0, $3, $4, false, $5, $6, $7, 'none', $8, $9, $10`,
    [
      companyId,
      ...[id, step, EVENT_KINDS.indexOf(kind), new Date(at), new Date(ingestedAt), recipient],
      email === null ? null : hashOfAddress(email),
      email !== null || address === null ? null : hashOfAddress(address),
      STORED_MEANINGS.indexOf(since === at ? 'exact' : 'not_after'),
    ],
  );
}
