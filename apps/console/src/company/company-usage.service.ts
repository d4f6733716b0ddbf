import { Inject, Injectable } from '@nestjs/common';
import { KeyAdministration } from '@outcomes/auth';
import { DEFAULT_MONTHLY_QUOTA, type CompanyUsage } from '@outcomes/contracts';
import { dayOfMonth, FLUSH_EVERY_MS, monthOf, startOfMonth, UsageRepository } from '@outcomes/limits';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { Visit } from '../access/visitor.decorator';

/** Months before this one that are told. */
const EARLIER_MONTHS = 5;

/** What the keys of a company have used of their months, as it was written down. */
@Injectable()
export class CompanyUsages {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(KeyAdministration) private readonly keys: KeyAdministration,
    @Inject(UsageRepository) private readonly usage: UsageRepository,
  ) {}

  /** Keys that can be used, and those that were used within the months that are told; newest first. */
  async of({ scope }: Visit): Promise<CompanyUsage> {
    const now = monthOf(this.clock.now());
    const [keys, months] = await Promise.all([
      this.keys.listKeys(scope),
      this.usage.ofCompany(scope, now - EARLIER_MONTHS),
    ]);
    const month = dayOfMonth(now);
    const described = keys.map(({ keyId, name, purpose, state, monthlyQuota }) => {
      const own = months.filter((row) => row.keyId === keyId);
      return {
        ...{ keyId, name, purpose, state },
        used: own.find((row) => row.month === month)?.used ?? 0,
        monthlyQuota: monthlyQuota ?? DEFAULT_MONTHLY_QUOTA,
        earlier: own.filter((row) => row.month < month).map((row) => ({ month: row.month, used: row.used })),
      };
    });
    return {
      month,
      resetsAt: startOfMonth(now + 1).toISOString(),
      writtenEverySeconds: FLUSH_EVERY_MS / 1_000,
      keys: described.filter(
        ({ state, used, earlier }) =>
          state === 'active' || state === 'locked' || used > 0 || earlier.length > 0,
      ),
    };
  }
}
