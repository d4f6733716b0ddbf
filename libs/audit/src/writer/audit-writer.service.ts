import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Counter, LOGGER, Management, type Logger } from '@outcomes/platform';
import { TenantDatabase } from '@outcomes/tenancy';
import type { AuditEntry } from './audit-entry';
import { insertEntries, mayInsert } from './audit-row.repository';
import { GroupCommit } from './group-commit';

/** Rows that one INSERT takes at most; a second's worth at the rate of one busy pod. */
const LARGEST_GROUP = 1_000;
/** How long the answer to "can rows be written?" is believed. */
const CACHE_TTL_MS = 10_000;

export type AuditState = 'operational' | 'degraded';

/** Writes audit rows. A call whose row cannot be written must not be answered. */
@Injectable()
export class AuditWriter implements OnApplicationShutdown {
  private readonly commits = new GroupCommit<AuditEntry>((entries) => this.insert(entries), LARGEST_GROUP);
  private readonly rows: Counter<'result'>;
  private lastWrite: AuditState = 'operational';
  private cached?: { readonly state: Promise<AuditState>; readonly untilMs: number };

  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Management) management: Management,
  ) {
    this.rows = new Counter({
      name: 'outcomes_audit_rows_total',
      help: 'Audit rows, by what became of them: committed or failed. A call whose row failed was not answered.',
      labelNames: ['result'],
      registers: [management.registry],
    });
    for (const result of ['committed', 'failed'] as const) this.rows.inc({ result }, 0);
    // Not the last write's fate: a pod without traffic would never get the chance to do better.
    management.addReadinessCheck('audit', async () => (await this.asked()) === 'operational');
  }

  /**
   * Resolves after COMMIT of the row.
   * @throws AppError SERVICE_UNAVAILABLE or INTERNAL_ERROR; every record of a failed group gets it
   */
  async record(entry: AuditEntry): Promise<void> {
    await this.commits.add(entry);
  }

  /** Whether rows can be written: what the database says, and what became of the last row. */
  async state(): Promise<AuditState> {
    const asked = await this.asked();
    return this.lastWrite === 'degraded' ? 'degraded' : asked;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.commits.idle();
  }

  private async asked(): Promise<AuditState> {
    const now = performance.now();
    this.cached =
      this.cached && now < this.cached.untilMs
        ? this.cached
        : { state: this.ask(), untilMs: now + CACHE_TTL_MS };
    const state = await this.cached.state;
    if (state === 'degraded') this.cached = undefined;
    return state;
  }

  private async ask(): Promise<AuditState> {
    try {
      return (await mayInsert(this.database)) ? 'operational' : 'degraded';
    } catch {
      return 'degraded';
    }
  }

  private async insert(entries: readonly AuditEntry[]): Promise<void> {
    try {
      await insertEntries(this.database, entries);
      this.lastWrite = 'operational';
      this.rows.inc({ result: 'committed' }, entries.length);
    } catch (error) {
      this.lastWrite = 'degraded';
      this.rows.inc({ result: 'failed' }, entries.length);
      this.logger.error({ err: error, rows: entries.length }, 'audit rows could not be written');
      throw error;
    }
  }
}
