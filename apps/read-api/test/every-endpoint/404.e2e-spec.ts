import { expectError } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('an address where there is nothing', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
  });
  afterAll(() => api.stop());

  it.each(['', '/', '/nothing', '/patterns/nothing', '/intelligence', '/../health'])(
    'answers 404 in the error body: %s',
    async (path) => {
      expectError(await api.request(path), 404, 'NOT_FOUND');
    },
  );

  it('takes nothing from the month', async () => {
    const tenant = await api.addTenant();
    await api.as(tenant, '/nothing');
    const answer = await api.as(tenant, '/patterns');
    expect(answer.headers.get('x-quota-remaining')).toBe('999');
  });
});
