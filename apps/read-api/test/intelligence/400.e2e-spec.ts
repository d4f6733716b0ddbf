import { expectError } from '../envelope';
import { startReadApi, type ReadApiProcess } from '../read-api-process';

describe('the intelligence group', () => {
  let api: ReadApiProcess;
  beforeAll(async () => {
    api = await startReadApi();
  });
  afterAll(() => api.stop());

  it.each([
    ['/intelligence/bandit?top_n=0', 'top_n'],
    ['/intelligence/bandit?top_n=101', 'top_n'],
    ['/intelligence/bandit?top_n=', 'top_n'],
    ['/intelligence/bandit?top_n=1e1', 'top_n'],
    ['/intelligence/bandit?top_n=5&top_n=6', 'top_n'],
    ['/intelligence/bandit?channel=sms', 'channel'],
    ['/intelligence/bandit?position=', 'position'],
    ['/intelligence/bandit?tenant_id=x', 'tenant_id'],
    ['/intelligence/drift?window_days=6', 'window_days'],
    ['/intelligence/recommendations?limit=52', 'limit'],
    ['/intelligence/recommendations?direction=up', 'direction'],
    ['/intelligence/recommendations?min_evidence_tier=weak', 'min_evidence_tier'],
    ['/intelligence/campaigns?cursor=nonsense', 'cursor'],
    ['/intelligence/campaigns/spring/health?window_days=366', 'window_days'],
    [`/intelligence/campaigns/${'x'.repeat(257)}/health`, 'campaign_id'],
    ['/intelligence/campaigns/a%00b/health', 'campaign_id'],
    ['/intelligence/contacts/anna?channel=', 'channel'],
    ['/intelligence/contacts/a%00b', 'contact_id'],
    ['/intelligence/contacts/anna/decisions?limit=51', 'limit'],
    ['/intelligence/contacts/anna/decisions?contact_id=bert', 'contact_id'],
    ['/intelligence/decisions?since=yesterday', 'since'],
    ['/intelligence/audit?tool=rm', 'tool'],
    ['/intelligence/audit?status=maybe', 'status'],
    ['/intelligence/audit?until=2026-01-01', 'until'],
    ['/patterns/recommendation-profiles?recommendationCode=', 'recommendationCode'],
    ['/patterns/recommendation-profiles?recommendationcode=TA-1', 'recommendationcode'],
  ])('answers 400 and names the parameter: %s', async (path, parameter) => {
    const answer = await api.request(path);
    expectError(answer, 400, 'INVALID_PARAMETER');
    expect(answer.body.parameter).toBe(parameter);
    expect(answer.headers.get('ratelimit-limit')).toBe('200');
    expect(answer.headers.get('x-quota-remaining')).toBe('1000');
  });

  it('answers 400 to a broken escape', async () => {
    expectError(await api.request('/intelligence/contacts/%zz'), 400, 'INVALID_REQUEST');
  });
});
