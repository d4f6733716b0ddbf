import { ENDPOINTS } from '../endpoints';
import { expectError } from '../envelope';
import { shareReadApi, type SharedReadApi } from '../read-api-process';

describe('every endpoint', () => {
  let api: SharedReadApi;
  beforeAll(async () => {
    api = await shareReadApi();
  });
  afterAll(() => api.stop());

  it.each(ENDPOINTS)('answers 401 to nobody: %s', async (path) => {
    expectError(await api.request(path, { headers: {} }), 401, 'missing_token');
  });

  it.each(ENDPOINTS)('takes no key from the query string: %s', async (path) => {
    const query = `?api_key=${api.tenant.apiKey}&token=${api.tenant.apiKey}`;
    expectError(await api.request(`${path}${query}`, { headers: {} }), 401, 'missing_token');
  });
});
