import { Inject, Injectable } from '@nestjs/common';
import { BY_THE_SERVICE, recordAdministration, type Deed } from '@outcomes/audit';
import { AppError, type CompanySettings } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { validatedCompany } from './new-company';

/** What a company says of itself. The caller has made sure that it may. */
@Injectable()
export class CompanySettingsAdministration {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
  ) {}

  /** @throws AppError COMPANY_NOT_FOUND */
  async read(scope: TenantScope): Promise<CompanySettings> {
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const { rows } = await client.query<CompanySettings>(
        'SELECT name, time_zone AS "timeZone" FROM companies WHERE company_id = $1',
        [companyId],
      );
      if (!rows[0]) throw new AppError('COMPANY_NOT_FOUND');
      return rows[0];
    });
  }

  /**
   * The time zone counts for messages that are taken in from now on; what was counted stays.
   * @throws AppError INVALID_PARAMETER naming the field, COMPANY_NOT_FOUND
   */
  async change(
    scope: TenantScope,
    input: CompanySettings,
    deed: Deed = BY_THE_SERVICE,
  ): Promise<CompanySettings> {
    const { name, timeZone } = validatedCompany(input);
    return this.database.transaction(scope, async (transaction) => {
      const { client, companyId } = transaction;
      const { rowCount } = await client.query(
        'UPDATE companies SET name = $2, time_zone = $3 WHERE company_id = $1',
        [companyId, name, timeZone],
      );
      if (rowCount === 0) throw new AppError('COMPANY_NOT_FOUND');
      await recordAdministration(transaction, {
        ...{ ...deed, action: 'company.change_settings', subject: null, occurredAt: this.clock.now() },
        details: { time_zone: timeZone },
      });
      return { name, timeZone };
    });
  }
}
