import type { Logger } from '@outcomes/platform';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { UsageLedger } from './usage-ledger.service';
import type { UsageRepository } from './usage.repository';

const scope = mintTenantScope('11111111-1111-4111-8111-111111111111');

describe('the month of a busy key', () => {
  const write = jest.fn<Promise<void>, Parameters<UsageRepository['write']>>();
  let ledger: UsageLedger;
  beforeEach(() => {
    jest.useFakeTimers();
    write.mockReset().mockResolvedValue(undefined);
    ledger = new UsageLedger(
      { write } as unknown as UsageRepository,
      { warn: jest.fn() } as unknown as Logger,
    );
  });
  afterEach(() => jest.useRealTimers());

  const after = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);
  const note = (used: number) => ledger.note('busy', scope, 'key', 24_314, used);
  const written = () => write.mock.calls.map(([, , , used]) => used);

  it('is written four times a second at most, and its last state without being asked', async () => {
    note(200);
    await after(0);
    note(400);
    await after(249);
    // Mutation: it is written with every two hundredth request.
    expect(written()).toEqual([200]);
    note(600);
    await after(1);
    // Mutation: it is written when the next request comes after the pause, which may never be.
    expect(written()).toEqual([200, 600]);
  });

  it('is tried again no sooner where it could not be written', async () => {
    write.mockRejectedValueOnce(new Error('away'));
    note(200);
    await after(0);
    note(201);
    await after(249);
    expect(written()).toEqual([200]);
    await after(1);
    expect(written()).toEqual([200, 201]);
  });
});
