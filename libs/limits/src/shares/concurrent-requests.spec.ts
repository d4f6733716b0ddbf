import type { AppError } from '@outcomes/contracts';
import { Management, serviceConfigSchema, type Exchange, type Held } from '@outcomes/platform';
import { ConcurrentRequests } from './concurrent-requests.service';

describe('requests under way', () => {
  const management = new Management('shares-test');
  const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
    DATABASE_URL: 'postgres://unused/unused',
    REDIS_URL: 'redis://unused',
    MAX_CONCURRENT_REQUESTS: '4',
  });
  const concurrent = new ConcurrentRequests(config, management);
  const held: Held[] = [];

  const begin = (companyId: string) => {
    try {
      concurrent.begin({ hold: (one: Held) => held.push(one) } as unknown as Exchange, companyId);
      return 'begun';
    } catch (error) {
      return error as AppError;
    }
  };
  const metrics = async () => {
    const text = await management.registry.metrics();
    const valueOf = (pattern: RegExp) => Number(pattern.exec(text)?.[1]);
    return {
      underWay: valueOf(/^http_requests_under_way\{.*\} (\d+)$/m),
      share: valueOf(/^http_requests_refused_total\{reason="share".*\} (\d+)$/m),
      full: valueOf(/^http_requests_refused_total\{reason="full".*\} (\d+)$/m),
    };
  };

  it('are refused beyond the share of their company and beyond all there is, and operators see which', async () => {
    // An alert on a counter needs it to be there before the first refusal.
    expect(await metrics()).toEqual({ underWay: 0, share: 0, full: 0 });
    expect([begin('a'), begin('a'), begin('a')]).toEqual(['begun', 'begun', 'begun']);
    const beyondShare = begin('a');
    expect(begin('b')).toBe('begun');
    const beyondAll = begin('c');
    for (const refusal of [beyondShare, beyondAll]) {
      expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } });
    }
    // Only its own company can do something about it.
    expect(beyondShare).toMatchObject({ message: expect.stringContaining('of this company') });
    expect(beyondAll).toMatchObject({ message: expect.not.stringContaining('of this company') });
    expect(await metrics()).toEqual({ underWay: 4, share: 1, full: 1 });
    for (const one of held) one.release();
    expect(await metrics()).toMatchObject({ underWay: 0 });
  });
});
