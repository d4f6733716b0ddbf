import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantTransaction } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';

const COUNTS = ['campaigns', 'campaign_days', 'campaign_cells', 'campaign_outcomes', 'campaign_texts'];

const BEGIN = `WITH ${COUNTS.map(
  (table) => `${table}_voided AS (DELETE FROM ${table} WHERE company_id = $1)`,
).join(', ')},
  lots_voided AS (UPDATE cohort_counts SET level_randomized = '{}'
    WHERE company_id = $1 AND level_randomized <> '{}')
  INSERT INTO campaign_generations AS known (company_id, generation) VALUES ($1, 2)
  ON CONFLICT (company_id) DO UPDATE SET generation = known.generation + 1`;

/** Which companies' touches were folded by an earlier version, and how far each has come since. */
@Injectable()
export class TouchRebuildRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** Companies whose touches are to be rebuilt, the longest waiting first. */
  async companies(limit: number): Promise<string[]> {
    return this.database.unscoped(mintSystemScope(), async ({ client }) => {
      const { rows } = await client.query<{ company_id: string }>(
        'SELECT company_id FROM touch_rebuilds ORDER BY requested_at, company_id LIMIT $1',
        [limit],
      );
      return rows.map((row) => row.company_id);
    });
  }

  /**
   * The recipient that was rebuilt last, locked to the end of the transaction.
   * @returns undefined where nothing is to be rebuilt, or another process is at it
   */
  async take({ client, companyId }: TenantTransaction): Promise<string | undefined> {
    const { rows } = await client.query<{ after_recipient: string }>(
      'SELECT after_recipient FROM touch_rebuilds WHERE company_id = $1 FOR UPDATE SKIP LOCKED',
      [companyId],
    );
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
