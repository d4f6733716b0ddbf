import type { TenantTransaction } from '@outcomes/tenancy';
import { dayOfTime } from '../cohorts/days';
import type { SourceRhythm } from './silent-sources';

const RHYTHMS = `
  SELECT source_id AS source, tool, last_delivery_at AS "lastDeliveryAt",
    array_agg(day - date '1970-01-01' ORDER BY day) AS days,
    array_agg(deliveries::float8 ORDER BY day) AS deliveries
  FROM sources JOIN source_days USING (company_id, source_id)
  WHERE company_id = $1 AND revoked_at IS NULL AND last_delivery_at IS NOT NULL
  GROUP BY company_id, source_id, tool, last_delivery_at ORDER BY source_id`;

/** How often each source of a company delivers, in one state of the database; revoked ones owe nothing. */
export async function rhythmsOf({ client, companyId }: TenantTransaction): Promise<SourceRhythm[]> {
  const { rows } = await client.query<{
    readonly source: string;
    readonly tool: string;
    readonly lastDeliveryAt: Date;
    readonly days: readonly number[];
    readonly deliveries: readonly number[];
  }>(RHYTHMS, [companyId]);
  return rows.map(({ source, tool, lastDeliveryAt, days, deliveries }) => {
    const lastDay = dayOfTime(lastDeliveryAt.getTime());
    return {
      ...{ source, tool, lastDeliveryAt: lastDeliveryAt.getTime(), lastDay, firstDay: days[0] ?? lastDay },
      days: new Map(days.map((day, at) => [day, deliveries[at] ?? 0])),
    };
  });
}
