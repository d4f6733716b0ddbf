import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';

/** The two numbers of a company, and the messages they rest on. */
export interface LentPrior {
  readonly mean: number;
  readonly concentration: number;
  readonly weight: number;
}

/** More lenders than this change nothing but the cost. */
const MAX_LENDERS = 2_000;

@Injectable()
export class LentPriorRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** Whether the company lends and borrows; it does unless it has opted out. */
  async takesPart(scope: TenantScope): Promise<boolean> {
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const { rows } = await client.query<{ takes: boolean }>(
        'SELECT borrows_platform_prior AS takes FROM companies WHERE company_id = $1',
        [companyId],
      );
      return rows[0]?.takes ?? false;
    });
  }

  async lend(scope: TenantScope, { mean, concentration, weight }: LentPrior, at: Date): Promise<void> {
    await this.database.transaction(scope, ({ client, companyId }) =>
      client.query(
        `INSERT INTO lent_priors (company_id, mean, concentration, weight, updated_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (company_id) DO UPDATE SET mean = excluded.mean, concentration = excluded.concentration,
           weight = excluded.weight, updated_at = excluded.updated_at`,
        [companyId, mean, concentration, weight, at],
      ),
    );
  }

  async withdraw(scope: TenantScope): Promise<void> {
    await this.database.transaction(scope, ({ client, companyId }) =>
      client.query('DELETE FROM lent_priors WHERE company_id = $1', [companyId]),
    );
  }

  /** What all other companies lend that have not opted out meanwhile. The company itself is left out. */
  async ofOthers(scope: TenantScope): Promise<LentPrior[]> {
    return this.database.unscoped(mintSystemScope({ 'app.forms_prior': 'on' }), async ({ client }) => {
      const { rows } = await client.query<LentPrior>(
        `SELECT mean, concentration, weight FROM lent_priors JOIN companies USING (company_id)
         WHERE company_id <> $1 AND borrows_platform_prior ORDER BY company_id LIMIT ${MAX_LENDERS}`,
        [scope.companyId],
      );
      return rows;
    });
  }
}
