import { Inject, Injectable } from '@nestjs/common';
import {
  CHANNELS,
  LEVELS,
  type Channel,
  type ChannelVolume,
  type Outcome,
  type Position,
} from '@outcomes/contracts';
import { campaignKeyOf } from '@outcomes/persistence';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { likeliestCampaigns } from '../campaigns/likely-campaigns';
import { dueOf, type SettledDays } from '../runs/settled-days';
import { cellsFrom, namesOf, type KeptOutcomes } from './campaign-cells';
import {
  campaignsAfter,
  latestCampaigns,
  MAX_CAMPAIGNS,
  type CampaignPage,
  type RecentCampaigns,
} from './campaigns-on-record.repository';
import type { Day } from './day';

/** Messages of one campaign that are alike in everything that its health looks at. */
export interface CampaignCell {
  readonly campaignId: string;
  readonly channel: Channel;
  readonly sequenceStep: number;
  readonly position: Position;
  readonly outcome: Outcome;
  /** Whether the send day is old enough for its outcomes to be settled. */
  readonly mature: boolean;
  readonly inWindow: boolean;
  /** Whether it was sent since replies on the channel last changed. */
  readonly sinceChange: boolean;
  readonly messages: number;
  /**
   * The messages, weighted by the share of their replies that has come by now where many come after they have settled; left out
   * where that is all of them.
   */
  readonly due?: number | undefined;
  /** Those of the messages that were answered and led to an unsubscribe: their outcome is unsubscribed. */
  readonly repliedAndUnsubscribed: number;
}

export interface CampaignSpan {
  readonly campaignId: string;
  readonly firstSentAt: Date;
  readonly lastSentAt: Date;
}

export interface CampaignSelection {
  readonly campaignIds: readonly string[];
  readonly channel?: Channel;
  /** First and last send day of the window, inclusive. */
  readonly from: Day;
  readonly to: Day;
  /** Per channel, in the order of CHANNELS. */
  readonly settled: readonly SettledDays[];
}

/** What a campaign sent in some days, per channel; none where it sent nothing in them. */
export interface CampaignVolume {
  readonly isKnown: boolean;
  readonly volumes: readonly ChannelVolume[];
}

/** Of so many messages of a window at most distinct contacts are counted. */
export const MAX_COUNTED = 20_000;

/** What an answer about an unknown campaign suggests at most. */
export const MAX_SUGGESTED = 10;

/** Campaigns, as their messages tell of them: a campaign is the id that callers sent, and nothing besides. */
@Injectable()
export class CampaignRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * Counts over the whole life of the campaigns up to the last day of the window. They are kept by send day, so that what
   * this takes follows the days of the campaigns, and not their messages.
   */
  async cells(scope: TenantScope, selection: CampaignSelection): Promise<CampaignCell[]> {
    return this.database.transaction(scope, async ({ companyId, client }) => {
      const { rows } = await client.query<KeptOutcomes | { readonly campaign: null }>({
        // A row without a campaign: not all of the messages are in the counts, because the company's history is being
        // folded once more, or a campaign is in none.
        text: `WITH asked AS MATERIALIZED (SELECT unnest($2::bigint[]) AS campaign)
          SELECT campaign, fortnight, counts FROM asked CROSS JOIN LATERAL (SELECT fortnight, counts
            FROM campaign_outcomes AS known
            WHERE company_id = (SELECT $1::uuid) AND known.campaign = asked.campaign OFFSET 0) AS found
          UNION ALL SELECT NULL, NULL, NULL WHERE EXISTS (SELECT FROM touch_rebuilds WHERE company_id = $1)
            OR EXISTS (SELECT FROM campaign_generations WHERE company_id = $1 AND NOT counts_outcomes)
            OR EXISTS (SELECT FROM asked WHERE NOT EXISTS (SELECT FROM campaigns AS known
              WHERE company_id = (SELECT $1::uuid) AND known.campaign = asked.campaign))`,
        values: [companyId, selection.campaignIds.map(campaignKeyOf)],
      });
      const kept = rows.filter((row) => row.campaign !== null);
      if (kept.length < rows.length) return countedNow({ companyId, client }, selection);
      return cellsFrom(kept, selection);
    });
  }

  /** When each campaign sent, whatever the window; campaigns without any message are left out. */
  async spans(scope: TenantScope, campaignIds: readonly string[]): Promise<CampaignSpan[]> {
    return this.database.transaction(scope, async ({ companyId, client }) => {
      // The first message was sent on one of the first days by the clocks of the senders, which differ by 26 hours at most.
      const sent = 'FROM touches WHERE company_id = (SELECT $1::uuid) AND campaign_id = asked.id';
      const ofDay = (day: string, order: string) =>
        `LATERAL (SELECT sent_at AS at ${sent} AND sent_day = ${day} ORDER BY sent_at ${order} LIMIT 1) AS of_day`;
      const found = await client.query<CampaignSpan>({
        text: `SELECT asked.id AS "campaignId", earliest.at AS "firstSentAt", latest.at AS "lastSentAt"
          FROM unnest($2::text[]) AS asked (id)
          CROSS JOIN LATERAL (SELECT min(sent_day) AS first, max(sent_day) AS last ${sent}) AS days
          CROSS JOIN LATERAL (SELECT min(at) AS at
            FROM generate_series(0, 2) AS n CROSS JOIN ${ofDay('first + n', 'ASC')}) AS earliest
          CROSS JOIN LATERAL (SELECT max(at) AS at
            FROM generate_series(0, 2) AS n CROSS JOIN ${ofDay('last - n', 'DESC')}) AS latest
          WHERE days.first IS NOT NULL`,
        values: [companyId, campaignIds],
      });
      return found.rows;
    });
  }

  /**
   * Distinct contacts that each campaign messaged in the window; campaigns that messaged nobody are left out. They are
   * counted from the messages of the window, which is what it costs.
   * @param cells - of the same selection
   * @returns undefined where that would be more than MAX_COUNTED messages
   */
  async recipients(
    scope: TenantScope,
    { campaignIds, channel, from, to }: CampaignSelection,
    cells: readonly CampaignCell[],
  ): Promise<ReadonlyMap<string, number> | undefined> {
    const messages = cells.reduce((sum, cell) => sum + (cell.inWindow ? cell.messages : 0), 0);
    if (messages > MAX_COUNTED) return undefined;
    return this.database.transaction(scope, async ({ companyId, client }) => {
      const found = await client.query<{ readonly campaignId: string; readonly recipients: number }>({
        // Distinct first, which needs no order of all messages.
        text: `SELECT campaign_id AS "campaignId", count(*)::integer AS recipients
          FROM unnest($2::text[]) AS asked (id) CROSS JOIN LATERAL (
            SELECT DISTINCT campaign_id, recipient_id FROM touches
            WHERE company_id = (SELECT $1::uuid) AND campaign_id = asked.id
              AND sent_day BETWEEN $3::date AND $4::date ${channel === undefined ? '' : 'AND channel = $5'} OFFSET 0
          ) AS messaged GROUP BY campaign_id`,
        values: [
          companyId,
          campaignIds,
          from,
          to,
          ...(channel === undefined ? [] : [indexOfChannel(channel)]),
        ],
      });
      return new Map(found.rows.map(({ campaignId, recipients }) => [campaignId, recipients]));
    });
  }

  /** Ids of the tenant that a caller may have meant, likeliest first. */
  async similarTo(scope: TenantScope, campaignId: string, limit: number): Promise<readonly string[]> {
    const { campaigns } = await this.recent(scope, MAX_CAMPAIGNS);
    return likeliestCampaigns(campaignId, campaigns, limit);
  }

  /** Ids that may be meant by one that no message carries; undefined where one does. */
  async suggestionsFor(scope: TenantScope, campaignId: string): Promise<readonly string[] | undefined> {
    const isKnown = await this.database.transaction(scope, async ({ companyId, client }) => {
      const found = await client.query(
        `SELECT FROM touches WHERE company_id = $1 AND campaign_id = $2 LIMIT 1`,
        [companyId, campaignId],
      );
      return found.rowCount === 1;
    });
    return isKnown ? undefined : this.similarTo(scope, campaignId, MAX_SUGGESTED);
  }

  /** Campaigns by when they sent last. */
  async recent(scope: TenantScope, limit: number): Promise<RecentCampaigns> {
    return this.database.transaction(scope, (transaction) => latestCampaigns(transaction, limit));
  }

  /**
   * What a campaign sent from a day to another, inclusive.
   * @returns its messages per channel, and of them those of each level
   */
  async volume(scope: TenantScope, campaignId: string, from: Day, to: Day): Promise<CampaignVolume> {
    return this.database.transaction(scope, async ({ companyId, client }) => {
      const known = await client.query(
        `SELECT FROM touches WHERE company_id = $1 AND campaign_id = $2 LIMIT 1`,
        [companyId, campaignId],
      );
      const found = await client.query<{ channel: number; level: number | null; messages: number }>({
        text: `WITH sent AS MATERIALIZED (SELECT channel, levels FROM touches
            WHERE company_id = (SELECT $1::uuid) AND campaign_id = $2 AND sent_day BETWEEN $3::date AND $4::date)
          SELECT channel, NULL::smallint AS level, count(*)::integer AS messages FROM sent GROUP BY channel
          UNION ALL SELECT channel, level, count(*)::integer FROM sent CROSS JOIN LATERAL unnest(levels) AS level
          GROUP BY channel, level`,
        values: [companyId, campaignId, from, to],
      });
      const volumes = CHANNELS.flatMap((channel, index): ChannelVolume[] => {
        const own = found.rows.filter((row) => row.channel === index);
        if (own.length === 0) return [];
        const of = (level: number | null) => own.find((row) => row.level === level)?.messages ?? 0;
        return [{ channel, messages: of(null), levels: LEVELS.map((_, level) => of(level)) }];
      });
      return { isKnown: known.rowCount === 1, volumes };
    });
  }

  /** Campaigns in ascending order of id, those after a given id. */
  async page(scope: TenantScope, after: string, limit: number): Promise<CampaignPage> {
    return this.database.transaction(scope, (transaction) => campaignsAfter(transaction, after, limit));
  }
}

interface CellRow extends Omit<CampaignCell, 'channel' | 'position' | 'outcome' | 'due'> {
  readonly channel: number;
  readonly position: number;
  readonly outcome: number;
  /** Days before the last settled one; 0 where days are not told apart. */
  readonly daysBefore: number;
}

/** The cells, from the messages themselves. */
async function countedNow(
  { companyId, client }: Pick<TenantTransaction, 'companyId' | 'client'>,
  { campaignIds, channel, from, to, settled }: CampaignSelection,
): Promise<CampaignCell[]> {
  const found = await client.query<CellRow>({
    text: `SELECT campaign_id AS "campaignId", channel, sequence_step AS "sequenceStep", position, outcome,
        sent_day <= ($3::date[])[channel + 1] AS mature, sent_day >= $4::date AS "inWindow",
        coalesce(sent_day >= ($7::date[])[channel + 1], true) AS "sinceChange",
        CASE WHEN ($8::boolean[])[channel + 1] THEN greatest(0, ($3::date[])[channel + 1] - sent_day) ELSE 0 END
          AS "daysBefore",
        count(*)::integer AS messages,
        (count(*) FILTER (WHERE replied_at IS NOT NULL AND unsubscribed_at IS NOT NULL))::integer
          AS "repliedAndUnsubscribed"
      FROM touches
      WHERE company_id = (SELECT $1::uuid) AND campaign_id = ANY ($2) AND sent_day <= $5::date
        AND ($6::smallint IS NULL OR channel = $6)
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`,
    values: [
      companyId,
      campaignIds,
      settled.map(({ through }) => through),
      from,
      to,
      indexOfChannel(channel),
      settled.map(({ since }) => since ?? null),
      settled.map(({ arrived }) => arrived !== undefined),
    ],
  });
  return found.rows.map(({ daysBefore, ...row }) => ({
    ...row,
    ...namesOf(row),
    ...dueIn(settled[row.channel], row.messages, daysBefore),
  }));
}

function dueIn(days: SettledDays | undefined, messages: number, daysBefore: number) {
  const due = days && dueOf(messages, daysBefore, days);
  return due === undefined ? {} : { due };
}

function indexOfChannel(channel: Channel | undefined): number | null {
  return channel === undefined ? null : CHANNELS.indexOf(channel);
}
