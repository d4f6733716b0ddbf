import { expectError } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('the intelligence group', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
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
    [`/intelligence/campaigns/${'x'.repeat(2_049)}/health`, 'campaign_id'],
    ['/intelligence/campaigns/a%00b/health', 'campaign_id'],
    ['/intelligence/contacts/anna?channel=', 'channel'],
    ['/intelligence/contacts/a%00b', 'contact_id'],
    ['/intelligence/contacts/anna/decisions?limit=51', 'limit'],
    ['/intelligence/contacts/anna/decisions?contact_id=bert', 'contact_id'],
    ['/intelligence/contacts/anna/decisions?contact_ids=bert', 'contact_ids'],
    ['/intelligence/contacts/anna/decisions?action=due&cursor=x', 'cursor'],
    ['/intelligence/decisions?contact_ids=bert&contact_id=anna', 'contact_ids'],
    ['/intelligence/decisions?contact_ids=bert&cursor=x', 'cursor'],
    ['/intelligence/decisions?since=yesterday', 'since'],
    ['/intelligence/decisions?include_replay=yes', 'include_replay'],
    ['/intelligence/audit?since=2026-02-30T00:00:00Z', 'since'],
    ['/intelligence/audit?since=2026-01-31T24:00:00Z', 'since'],
    ['/intelligence/audit?since=2026-01-31T00:00:00%2B23:00', 'since'],
    ['/intelligence/audit?tool=rm', 'tool'],
    ['/intelligence/audit?status=maybe', 'status'],
    ['/intelligence/audit?until=2026-01-01', 'until'],
    ['/patterns/recommendation-profiles?recommendationCode=', 'recommendationCode'],
    ['/patterns/recommendation-profiles?recommendationcode=TA-1', 'recommendationcode'],
    ['/intelligence/calibration?window_days=7', 'window_days'],
    ['/patterns?x=1', 'x'],
    ['/patterns/chunks/tone?limit=1', 'limit'],
  ])('answers 400 and names the parameter: %s', async (path, parameter) => {
    const answer = await api.request(path);
    expectError(answer, 400, 'INVALID_PARAMETER');
    expect(answer.body.parameter).toBe(parameter);
    expect(answer.headers.get('ratelimit-limit')).toBe('200');
    expect(answer.headers.get('x-quota-remaining')).toBe('1000');
  });

  it('names the parameters that there are where one is given that there is not', async () => {
    const { body } = await api.request('/intelligence/bandit?topn=5');
    expect(body.message).toBe('Unknown query parameter "topn". Known: channel, position, top_n.');
    expectError(await api.request('/health?verbose=1'), 400, 'INVALID_PARAMETER');
  });

  it.each(['2026-01-31T00:00:00Z', '2026-01-31T00:00Z', '2026-01-31T02:00:00%2B02:00'])(
    'takes a time with an offset: %s',
    async (since) => {
      const answer = await api.request(`/intelligence/audit?since=${since}`);
      expect(answer.status).toBe(200);
    },
  );

  it('answers 400 to a broken escape', async () => {
    expectError(await api.request('/intelligence/contacts/%zz'), 400, 'INVALID_REQUEST');
  });
});
