import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { SourceRepository } from './source.repository';
import { OBSERVED_AFTER_MS } from './source';

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
    const { rows, types, held } = await this.database.snapshot(scope, async ({ client }) => ({
      rows: await this.sources.all(scope, client),
      types: await this.sources.types(scope, client),
      held: await this.sources.heldCounts(scope, client, this.clock.now()),
    }));
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
        types: types
          .filter((one) => one.sourceId === sourceId)
          .map(({ type, records, lastAt }) => ({ type, records, last_at: lastAt.toISOString() })),
        held: held
          .filter((one) => one.sourceId === sourceId)
          .map(({ reason, records }) => ({ reason, records })),
      })),
    };
  }
}
