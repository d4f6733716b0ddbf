import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantTransaction } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';

const COUNTS = [
  'campaigns',
  'campaign_days',
  'campaign_cells',
  'campaign_outcomes',
  'campaign_texts',
  'campaign_subjects',
];

const BEGIN = `WITH ${COUNTS.map(
  (table) => `${table}_voided AS (DELETE FROM ${table} WHERE company_id = $1)`,
).join(', ')},
  lots_voided AS (UPDATE cohort_counts SET level_randomized = '{}'
    WHERE company_id = $1 AND level_randomized <> '{}')
  INSERT INTO campaign_generations AS known (company_id, generation) VALUES ($1, 2)
  ON CONFLICT (company_id) DO UPDATE SET generation = known.generation + 1, counts_outcomes = true,
    counts_subjects = true`;

const NOT_ALL = 'NOT (counts_outcomes AND counts_subjects)';

/**
 * Those that are listed, and those that a worker of an earlier version took off the list: it folded them once more
 * without counting all that this one does.
 */
const LISTED = `SELECT company_id FROM (
    SELECT company_id, requested_at FROM touch_rebuilds
    UNION ALL SELECT company_id, now() FROM campaign_generations AS known WHERE ${NOT_ALL}
      AND NOT EXISTS (SELECT FROM touch_rebuilds AS listed WHERE listed.company_id = known.company_id)) AS waiting
  ORDER BY requested_at, company_id LIMIT $1`;

const LIST_AGAIN = `INSERT INTO touch_rebuilds (company_id)
  SELECT company_id FROM campaign_generations WHERE company_id = $1 AND ${NOT_ALL}
  ON CONFLICT (company_id) DO NOTHING`;

/** Where not all is counted there is nothing to go on from, however far an earlier version came. */
const TAKE = `SELECT CASE WHEN coalesce(counts_outcomes AND counts_subjects, true) THEN after_recipient ELSE '' END AS after_recipient
  FROM touch_rebuilds LEFT JOIN campaign_generations USING (company_id)
  WHERE company_id = $1 FOR UPDATE OF touch_rebuilds SKIP LOCKED`;

/** Which companies' touches were folded by an earlier version, and how far each has come since. */
@Injectable()
export class TouchRebuildRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** Companies whose touches are to be rebuilt, the longest waiting first. */
  async companies(limit: number): Promise<string[]> {
    return this.database.unscoped(mintSystemScope(), async ({ client }) => {
      const { rows } = await client.query<{ company_id: string }>(LISTED, [limit]);
      return rows.map((row) => row.company_id);
    });
  }

  /**
   * The recipient that was rebuilt last, locked to the end of the transaction.
   * @returns undefined where nothing is to be rebuilt, or another process is at it
   */
  async take({ client, companyId }: TenantTransaction): Promise<string | undefined> {
    await client.query(LIST_AGAIN, [companyId]);
    const { rows } = await client.query<{ after_recipient: string }>(TAKE, [companyId]);
    return rows[0]?.after_recipient;
  }

  /**
   * Voids what is counted by the rules of one version alone, before the first recipient: touches of the generation that
   * begins here are counted in it, others are not. An earlier version may have put its own back meanwhile.
   */
  async begin({ client, companyId }: TenantTransaction): Promise<void> {
    await client.query(BEGIN, [companyId]);
  }

  /** The next recipients, in the order of the index: those of so many events, at least one if there is one. */
  async recipientsAfter(
    { client, companyId }: TenantTransaction,
    recipientId: string,
    events: number,
  ): Promise<string[]> {
    const { rows } = await client.query<{ recipient_id: string }>(
      `SELECT DISTINCT recipient_id FROM (
         SELECT recipient_id FROM outcome_events WHERE company_id = (SELECT $1::uuid) AND recipient_id > $2
         ORDER BY recipient_id LIMIT $3) AS next
       ORDER BY recipient_id`,
      [companyId, recipientId, events],
    );
    return rows.map((row) => row.recipient_id);
  }

  async advance({ client, companyId }: TenantTransaction, recipientId: string): Promise<void> {
    await client.query('UPDATE touch_rebuilds SET after_recipient = $2 WHERE company_id = $1', [
      companyId,
      recipientId,
    ]);
  }

  async finish({ client, companyId }: TenantTransaction): Promise<void> {
    await client.query('DELETE FROM touch_rebuilds WHERE company_id = $1', [companyId]);
  }
}
