import type { TenantTransaction } from '@outcomes/tenancy';
import type { Day } from '../touches/day';

/** What was sent on one day over one channel. */
export interface SentDay {
  readonly channel: number;
  readonly day: Day;
  readonly messages: number;
  readonly replies: number;
}

/** Send days from one on, channel by channel. */
export async function sentDays({ client, companyId }: TenantTransaction, from: Day): Promise<SentDay[]> {
  const { rows } = await client.query<SentDay>(
    `SELECT channel, sent_day::text AS day, sum(touches)::integer AS messages, sum(replies)::integer AS replies
     FROM cohort_counts WHERE company_id = $1 AND sent_day >= $2
     GROUP BY channel, sent_day ORDER BY channel, sent_day`,
    [companyId, from],
  );
  return rows;
}
