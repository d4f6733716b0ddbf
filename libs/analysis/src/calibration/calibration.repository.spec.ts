import { randomUUID } from 'node:crypto';
import { CHANNELS } from '@outcomes/contracts';
import type { TenantDatabase, TenantTransaction } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { dayOf } from '../cohorts/days';
import { CalibrationRepository } from './calibration.repository';

const SCOPE = mintTenantScope(randomUUID());
/** E-mail settles in fourteen days. */
const SETTLED = [{ channel: 0, dataFrom: 0, settledThrough: dayOf('2026-05-16'), settleDays: 14 }];

/** What is asked of the database, in which nothing was decided. */
function asked() {
  const parameters: (readonly unknown[])[] = [];
  const query = async (_statement: string, given: readonly unknown[] = []) => {
    if (given.length > 0) parameters.push(given);
    return { rows: [] };
  };
  const transaction = { companyId: SCOPE.companyId, client: { query } } as unknown as TenantTransaction;
  const database = {
    transaction: (_scope: unknown, work: (transaction: TenantTransaction) => unknown) => work(transaction),
  } as unknown as TenantDatabase;
  return { repository: new CalibrationRepository(database), parameters };
}

describe('decisions that are scored', () => {
  it('are none where no channel counts, and nothing is asked for', async () => {
    const { repository, parameters } = asked();
    expect(await repository.settled(SCOPE, [])).toEqual([]);
    expect(await repository.awaiting(SCOPE, [])).toEqual({ unfollowed: 0, open: 0, firstSettlesOn: null });
    expect(parameters).toEqual([]);
  });

  it('are as many of each channel as one run scores, as far as it has settled', async () => {
    const { repository, parameters } = asked();
    await repository.settled(SCOPE, SETTLED);
    await repository.awaiting(SCOPE, SETTLED);
    const known = [SCOPE.companyId, CHANNELS, ['2026-05-16', '-infinity'], '2026-05-30', 20_000];
    expect(parameters).toEqual([known, [...known, [14, 21]]]);
  });

  it('wait where many replies come late until these have come', async () => {
    const { repository, parameters } = asked();
    const late = SETTLED.map((one) => ({ ...one, settledThrough: dayOf('2026-04-16'), settleDays: 44 }));
    await repository.awaiting(SCOPE, late);
    const known = [SCOPE.companyId, CHANNELS, ['2026-04-16', '-infinity'], '2026-05-30', 20_000];
    expect(parameters).toEqual([[...known, [44, 21]]]);
  });
});
