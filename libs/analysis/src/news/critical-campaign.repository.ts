import { Inject, Injectable } from '@nestjs/common';
import { OUTCOMES } from '@outcomes/contracts';
import { dayNumberOf, fortnightOf, NO_CAMPAIGN, readOutcomeCounts } from '@outcomes/persistence';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { isWanted, subscriptionsOf } from '@outcomes/webhooks';

/** As many campaigns as campaign health looks at. */
const MAX_JUDGED = 100;

const BOUNCED = OUTCOMES.indexOf('bounced');
const UNSUBSCRIBED = OUTCOMES.indexOf('unsubscribed');

/** Whether all messages are in the counts by outcome: not while an upgrade folds a company's history once more. */
const IS_COUNTED = `
  SELECT EXISTS (SELECT FROM campaigns WHERE company_id = $1)
    AND NOT EXISTS (SELECT FROM touch_rebuilds WHERE company_id = $1)
    AND NOT EXISTS (SELECT FROM campaign_generations WHERE company_id = $1 AND NOT counts_outcomes) AS "isCounted"`;

/** Of each campaign that sent of late its newest fortnight; those that may be among the newest alone. */
const NEWEST = `
  WITH newest AS (
    SELECT campaign, max(fortnight) AS fortnight FROM campaign_outcomes
    WHERE company_id = $1 AND fortnight >= $2 AND campaign <> ${NO_CAMPAIGN} GROUP BY campaign
  ), candidate AS (
    SELECT campaign, fortnight FROM (
      SELECT campaign, fortnight, rank() OVER (ORDER BY fortnight DESC) AS place FROM newest) AS ranked
    WHERE place <= ${MAX_JUDGED}
  )
  SELECT campaign, campaign_id AS "campaignId", fortnight, counts
  FROM candidate JOIN campaign_outcomes USING (campaign, fortnight) JOIN campaigns USING (company_id, campaign)
  WHERE company_id = $1 AND campaign_id IS NOT NULL`;

const LIVES = `
  SELECT campaign, fortnight, counts FROM campaign_outcomes
  WHERE company_id = $1 AND campaign = ANY ($2::bigint[])`;

/** The same from the messages, where they are not all counted. */
const COUNTED_NOW = `
  WITH recent AS MATERIALIZED (
    SELECT campaign_id FROM touches
    WHERE company_id = (SELECT $1::uuid) AND campaign_id IS NOT NULL AND sent_day >= $2::date
    GROUP BY campaign_id ORDER BY max(sent_day) DESC, campaign_id LIMIT ${MAX_JUDGED}
  )
  SELECT campaign_id AS "campaignId", count(*)::integer AS sends,
    (count(*) FILTER (WHERE outcome = ${BOUNCED}))::integer AS bounces,
    (count(*) FILTER (WHERE outcome = ${UNSUBSCRIBED}))::integer AS unsubscribes
  FROM touches WHERE company_id = (SELECT $1::uuid) AND sent_day <= $3::date AND campaign_id IN (SELECT campaign_id FROM recent)
  GROUP BY campaign_id ORDER BY campaign_id`;

/** Of one campaign, over its whole life. */
export interface CampaignTotals {
  readonly campaignId: string;
  readonly sends: number;
  readonly bounces: number;
  readonly unsubscribes: number;
}

interface KeptCounts {
  readonly campaign: string;
  readonly fortnight: number;
  readonly counts: Buffer;
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10);

/** Reads what campaigns are judged by. It is read before a run publishes, so that no other waits for it. */
@Injectable()
export class CriticalCampaignRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * Of the campaigns that sent since one day the newest, up to another.
   * @returns null where nobody wants to be told of them
   */
  async recentTotals(scope: TenantScope, from: Date, to: Date): Promise<readonly CampaignTotals[] | null> {
    return this.database.snapshot(scope, async (transaction) => {
      if (!isWanted(await subscriptionsOf(transaction), 'campaign.critical')) return null;
      const { client, companyId } = transaction;
      const { rows } = await client.query<{ isCounted: boolean }>(IS_COUNTED, [companyId]);
      if ((rows[0] as (typeof rows)[number]).isCounted) return keptTotals(transaction, from, to);
      const counted = await client.query<CampaignTotals>(COUNTED_NOW, [companyId, dayOf(from), dayOf(to)]);
      return counted.rows;
    });
  }
}

async function keptTotals(
  { client, companyId }: TenantTransaction,
  from: Date,
  to: Date,
): Promise<CampaignTotals[]> {
  const [first, last] = [dayNumberOf(dayOf(from)), dayNumberOf(dayOf(to))];
  const { rows } = await client.query<KeptCounts & { readonly campaignId: string }>(NEWEST, [
    companyId,
    fortnightOf(first),
  ]);
  const recent = rows
    .map(({ campaign, campaignId, fortnight, counts }) => {
      const newest = Math.max(...readOutcomeCounts(fortnight, counts).map(({ day }) => day));
      return { campaign, campaignId, newest };
    })
    .filter(({ newest }) => newest >= first)
    .sort((a, b) => b.newest - a.newest || (a.campaignId < b.campaignId ? -1 : 1))
    .slice(0, MAX_JUDGED);
  const lives = await client.query<KeptCounts>(LIVES, [companyId, recent.map(({ campaign }) => campaign)]);
  const byCampaign = Map.groupBy(lives.rows, ({ campaign }) => campaign);
  return recent.map(({ campaign, campaignId }) => ({
    campaignId,
    ...totalsOf(byCampaign.get(campaign) ?? [], last),
  }));
}

function totalsOf(kept: readonly KeptCounts[], last: number): Omit<CampaignTotals, 'campaignId'> {
  const cells = kept.flatMap(({ fortnight, counts }) => readOutcomeCounts(fortnight, counts));
  const sum = (counts: (outcome: number) => boolean) =>
    cells.reduce(
      (total, { day, outcome, messages }) => total + (day <= last && counts(outcome) ? messages : 0),
      0,
    );
  return {
    sends: sum(() => true),
    bounces: sum((outcome) => outcome === BOUNCED),
    unsubscribes: sum((outcome) => outcome === UNSUBSCRIBED),
  };
}

/** Writes down which campaigns are critical, and that others are no more. @returns those that were not before */
export async function noteCritical(
  { client, companyId }: TenantTransaction,
  critical: readonly string[],
  fine: readonly string[],
  at: Date,
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ campaign_id: string }>(
    `INSERT INTO critical_campaigns (company_id, campaign_id, since)
     SELECT $1, campaign_id, $3 FROM unnest($2::text[]) AS now_critical (campaign_id)
     ON CONFLICT DO NOTHING RETURNING campaign_id`,
    [companyId, critical, at],
  );
  await client.query('DELETE FROM critical_campaigns WHERE company_id = $1 AND campaign_id = ANY ($2)', [
    companyId,
    fine,
  ]);
  return new Set(rows.map(({ campaign_id }) => campaign_id));
}
