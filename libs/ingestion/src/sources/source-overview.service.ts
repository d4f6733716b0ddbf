import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { retentionCutoff } from '../storage/retention-cutoff';
import { noSentEvents, type NoSentEvents } from './no-sent-events';
import { OBSERVED_AFTER_MS } from './source';
import { SourceRepository } from './source.repository';

export interface SourceOverview {
  readonly source: string;
  readonly tool: string;
  readonly state: 'active' | 'revoked';
  readonly created_at: string;
  /** Null where nothing ever came. */
  readonly last_delivery_at: string | null;
  /** Up to when everything is taken to be here. */
  readonly observed_until: string | null;
  readonly types: readonly { readonly type: string; readonly records: number; readonly last_at: string }[];
  readonly held: readonly { readonly reason: string; readonly records: number }[];
  /** Facts that are stored and wait for their message; up to MAX_WAITING. */
  readonly waiting: number;
  /** Null where something sent came, or where nothing tells of a message yet. */
  readonly no_sent_events: NoSentEvents | null;
}

/** What the sources of a company delivered. */
@Injectable()
export class SourceOverviews {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(SourceRepository) private readonly sources: SourceRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async of(scope: TenantScope): Promise<{ readonly sources: readonly SourceOverview[] }> {
    const now = this.clock.now();
    const { rows, types, held, waiting } = await this.database.snapshot(scope, async (transaction) => ({
      rows: await this.sources.all(transaction),
      types: Map.groupBy(await this.sources.types(transaction), ({ sourceId }) => sourceId),
      held: Map.groupBy(await this.sources.heldCounts(transaction, now), ({ sourceId }) => sourceId),
      waiting: await this.sources.waitingCounts(transaction, retentionCutoff(now)),
    }));
    const waitingOf = new Map(waiting.map(({ sourceId, facts }) => [sourceId, facts]));
    return {
      sources: rows.map(({ sourceId, tool, createdAt, revokedAt, lastDeliveryAt }) => ({
        source: sourceId,
        tool,
        state: revokedAt === null ? 'active' : 'revoked',
        created_at: createdAt.toISOString(),
        last_delivery_at: lastDeliveryAt?.toISOString() ?? null,
        observed_until: lastDeliveryAt
          ? new Date(lastDeliveryAt.getTime() - OBSERVED_AFTER_MS).toISOString()
          : null,
        types: (types.get(sourceId) ?? []).map(({ type, records, lastAt }) => ({
          ...{ type, records, last_at: lastAt.toISOString() },
        })),
        held: (held.get(sourceId) ?? []).map(({ reason, records }) => ({ reason, records })),
        waiting: waitingOf.get(sourceId) ?? 0,
        no_sent_events: revokedAt === null ? noSentEvents(tool, createdAt, types.get(sourceId) ?? []) : null,
      })),
    };
  }
}
