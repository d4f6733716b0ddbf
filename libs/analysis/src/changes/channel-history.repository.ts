import { Inject, Injectable } from '@nestjs/common';
import { copiedRows, doublesOf } from '@outcomes/persistence';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { dayOf } from '../cohorts/days';
import type { CohortTable } from '../cohorts/cohort-table';
import {
  NEW_CHANNEL,
  type ChannelDays,
  type ChannelHistory,
  type ChannelState,
  type KeptChange,
} from './channel-history';
import { ChannelColumns } from './channel-columns';
import { historyOfCohorts } from './cohort-history';

/** Of the stored memories. It changes whenever the same state would be read otherwise. */
export const MEMORY_MAKE = 1;

const day = (column: string) => `${column} - date '1970-01-01'`;

const STATES = `
  SELECT channel, generation, ${day('looked_through')} AS "lookedThrough",
    CASE WHEN make = $2 THEN memory END AS memory, recounted_at AS "recountedAt",
    ${day('recount_from')} AS "recountFrom", ${day('rescore_from')} AS "rescoreFrom", revision, writes
  FROM channel_states WHERE company_id = $1`;

const LEDGER = `
  SELECT changes.channel, ${day('since')} AS since, ${day('settled_on')} AS "settledOn",
    CASE WHEN is_up THEN 'up' ELSE 'down' END AS direction, ratio, statistic, rate_before AS before,
    rate_after AS after, scope_kind AS kind, scope_value AS value
  FROM rate_changes AS changes JOIN channel_states AS state
    ON state.company_id = changes.company_id AND state.channel = changes.channel
      AND state.generation = changes.generation
  WHERE changes.company_id = $1 ORDER BY changes.channel, settled_on`;

const REACH = `
  SELECT channel, min(sent_day)::text AS first,
    EXISTS (SELECT FROM touch_rebuilds WHERE company_id = $1) AS "isRebuilt"
  FROM campaign_days WHERE company_id = $1 GROUP BY channel`;

const DAYS = `
  SELECT ${day('sent_day')} AS day, counts FROM campaign_days
  WHERE company_id = $1::uuid AND channel = $2::int
    AND sent_day BETWEEN date '1970-01-01' + $3::int AND date '1970-01-01' + $4::int
  ORDER BY sent_day`;

interface StoredChange {
  readonly channel: number;
  readonly since: number;
  readonly settledOn: number;
  readonly direction: 'up' | 'down';
  readonly ratio: number;
  readonly statistic: number;
  /** rate, low, high */
  readonly before: readonly [number, number, number];
  readonly after: readonly [number, number, number];
  readonly kind: KeptChange['scope']['kind'];
  readonly value: string | null;
}

/** Reads what is known of each channel's replies, by campaign. */
@Injectable()
export class ChannelHistoryRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * Runs work over the channels that have messages, in one state of the database. While an upgrade rebuilds the counts
   * by campaign, or where there are none, those of the cohorts stand in for them, as if all messages were of one
   * campaign, and nothing is kept of what is found.
   */
  async read<Result>(
    scope: TenantScope,
    table: CohortTable,
    work: (channels: readonly ChannelHistory[]) => Promise<Result>,
  ): Promise<Result> {
    return this.database.snapshot(scope, async (transaction) => {
      const { client, companyId } = transaction;
      const states = await client.query<ChannelState & { channel: number; memory: Buffer | null }>(STATES, [
        companyId,
        MEMORY_MAKE,
      ]);
      const ledger = await storedLedgers(transaction);
      const reach = await client.query<{ channel: number; first: string; isRebuilt: boolean }>(REACH, [
        companyId,
      ]);
      const columns = new ChannelColumns();
      const present = [...new Set(table.channel.subarray(0, table.size))].sort((a, b) => a - b);
      const channels = present.map((channel): ChannelHistory => {
        const found = reach.rows.find((row) => row.channel === channel);
        if (found === undefined || found.isRebuilt) return historyOfCohorts(table, channel);
        const state = states.rows.find((row) => row.channel === channel);
        return {
          channel,
          firstDay: dayOf(found.first),
          state:
            state === undefined ? NEW_CHANNEL : { ...state, memory: state.memory && doublesOf(state.memory) },
          ledger: ledger.get(channel) ?? [],
          isKept: true,
          days: (from, to) => daysOf(transaction, channel, from, to, columns),
          campaignIdOf: (campaign) => campaignIdOf(transaction, campaign),
        };
      });
      return work(channels);
    });
  }
}

/** The standing ledger of each channel, oldest change first; channels without a change are absent. */
export async function storedLedgers({
  client,
  companyId,
}: TenantTransaction): Promise<ReadonlyMap<number, readonly KeptChange[]>> {
  const { rows } = await client.query<StoredChange>(LEDGER, [companyId]);
  const byChannel = Map.groupBy(rows, ({ channel }) => channel);
  return new Map([...byChannel].map(([channel, own]) => [channel, own.map(changeOf)]));
}

function changeOf({ before, after, kind, value, channel: _channel, ...change }: StoredChange): KeptChange {
  const interval = ([rate, low, high]: StoredChange['before']) => ({ rate, low, high });
  return { ...change, rateBefore: interval(before), rateAfter: interval(after), scope: { kind, value } };
}

async function daysOf(
  { client, companyId }: TenantTransaction,
  channel: number,
  from: number,
  to: number,
  columns: ChannelColumns,
): Promise<ChannelDays> {
  const rows = await copiedRows(client, DAYS, [companyId, channel, from, to]);
  const days = rows.map(([sentOn, counts]) => ({
    day: (sentOn as Buffer).readInt32BE(),
    counts: counts as Buffer,
  }));
  return columns.refill(days).finish();
}

async function campaignIdOf(
  { client, companyId }: TenantTransaction,
  campaign: number,
): Promise<string | null> {
  const { rows } = await client.query<{ campaign_id: string | null }>(
    'SELECT campaign_id FROM campaigns WHERE company_id = $1 AND campaign = $2',
    [companyId, campaign],
  );
  return rows[0]?.campaign_id ?? null;
}
