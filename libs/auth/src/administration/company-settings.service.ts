import { Inject, Injectable } from '@nestjs/common';
import { BY_THE_SERVICE, recordAdministration, type Deed } from '@outcomes/audit';
import { AppError, type CompanySettings } from '@outcomes/contracts';
import { companySettings } from '@outcomes/persistence';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { changeSettings } from './company.repository';
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
    const settings = await this.database.transaction(scope, companySettings);
    if (!settings) throw new AppError('COMPANY_NOT_FOUND');
    return settings;
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
      if (!(await changeSettings(transaction, { name, timeZone }))) throw new AppError('COMPANY_NOT_FOUND');
      await recordAdministration(transaction, {
        ...{ ...deed, action: 'company.change_settings', subject: null, occurredAt: this.clock.now() },
        details: { time_zone: timeZone },
      });
      return { name, timeZone };
    });
  }
}
