import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { dayOfMonth, type Month } from '../limiter/month';

// One round trip: under load every two hundredth request pays for it. The setting is made before the row that the policy
// checks. Without RETURNING, Citus would COPY the row, which Postgres refuses under row-level security.
const WRITE = `
  INSERT INTO usage_months (company_id, key_id, month, used)
  SELECT tenant.company_id::uuid, $2::text, $3::date, $4::integer
  FROM set_config('app.company_id', $1, true) AS tenant (company_id)
  ON CONFLICT (company_id, key_id, month)
  DO UPDATE SET used = EXCLUDED.used WHERE usage_months.used < EXCLUDED.used
  RETURNING 1`;

/** Requests of one credential in one month. */
export interface CredentialMonth {
  readonly keyId: string;
  /** Its first day in UTC, e.g. 2026-03-01. */
  readonly month: string;
  readonly used: number;
}

/** Monthly usage in Postgres, so that it outlives Redis. */
@Injectable()
export class UsageRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** @returns requests counted in a month, as far as they were written down; 0 where none were */
  async read(scope: TenantScope, keyId: string, month: Month): Promise<number> {
    const { rows } = await this.database.transaction(scope, ({ client, companyId }) =>
      client.query<{ used: number }>(
        'SELECT used FROM usage_months WHERE company_id = $1 AND key_id = $2 AND month = $3',
        [companyId, keyId, dayOfMonth(month)],
      ),
    );
    return rows[0]?.used ?? 0;
  }

  /**
   * Months of all credentials that asked for a company, newest first, as far as they were written down.
   * @param since - first month that is told
   */
  async ofCompany(scope: TenantScope, since: Month): Promise<CredentialMonth[]> {
    const { rows } = await this.database.transaction(scope, ({ client, companyId }) =>
      client.query<CredentialMonth>(
        `SELECT key_id AS "keyId", month::text, used FROM usage_months
         WHERE company_id = $1 AND month >= $2 ORDER BY month DESC, key_id`,
        [companyId, dayOfMonth(since)],
      ),
    );
    return rows;
  }

  /** Writes a count down. Pods write in any order, so the largest stays. */
  async write(scope: TenantScope, keyId: string, month: Month, used: number): Promise<void> {
    await this.database.statement(scope, {
      name: 'write-usage',
      text: WRITE,
      values: [scope.companyId, keyId, dayOfMonth(month), used],
    });
  }
}
