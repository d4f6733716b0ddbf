import { bearer, podsPerService, waitUntil, type Answer } from '@outcomes/testing';
import { patternRecord } from '../documents';
import { startReadApi, type ReadApiProcess } from '../read-api-process';

/** Addresses whose plain requests are answered before Nest looks for a route. */
const PATHS = ['/patterns', '/patterns/recipients', '/patterns/chunks', '/patterns/contact-insights'];

describe('stored documents', () => {
  let api: ReadApiProcess;
  beforeAll(async () => {
    api = await startReadApi();
  });
  afterAll(() => api.stop());

  const withoutTime = ({ text }: Answer) => text.replace(/"timestamp":"[^"]+"/, '');
  const without = (names: readonly string[], { headers }: Answer) =>
    Object.fromEntries([...headers].filter(([name]) => !names.includes(name)));

  it.each(PATHS)('%s is the same by the short way and by the controller', async (path) => {
    const tenant = await api.addTenant();
    const short = await api.as(tenant, path);
    const long = await api.as(tenant, `${path}?`);
    const limits = ['ratelimit-remaining', 'ratelimit-reset', 'x-quota-remaining', 'x-quota-reset'];
    const changing = ['date', 'x-request-id', ...limits];
    // Mutation: a header that one of the two ways does not set.
    expect(without(changing, short)).toEqual(without(changing, long));
    expect(limits.filter((name) => !short.headers.has(name))).toEqual([]);
    expect([short.status, withoutTime(short)]).toEqual([long.status, withoutTime(long)]);
    expect(Number(long.headers.get('x-quota-remaining'))).toBe(
      Number(short.headers.get('x-quota-remaining')) - 1,
    );
  });

  it.each(PATHS)('%s refuses alike by both ways', async (path) => {
    const { apiKey } = await api.addTenant({ permissions: ['events_write'] });
    const credentials: Record<string, string>[] = [{}, { Authorization: `Bearer ${apiKey}` }];
    // Once: an address that fails again and again is locked out.
    if (path === '/patterns') credentials.push({ Authorization: 'Bearer nonsense' });
    for (const headers of credentials) {
      const short = await api.request(path, { headers });
      // Each pod counts addresses for itself before it shares, so both ways are asked of the same one.
      for (let pod = 1; pod < podsPerService(); pod += 1) await api.request(path, { headers: {} });
      const long = await api.request(`${path}?`, { headers });
      const { requestId, timestamp } = short.body as Record<string, string>;
      expect(short.body).toEqual({ ...long.body, requestId, timestamp });
      expect(short.status).toBe(long.status);
      const [before, after] = [short, long].map((answer) =>
        Number(answer.headers.get('ratelimit-remaining')),
      );
      const counted = Number(before) - Number(after);
      // Mutation: a refusal that nobody counts. A pod that has just shared its ten knows those of the others too.
      expect(counted).toBeGreaterThanOrEqual(1);
      expect(counted).toBeLessThanOrEqual(1 + 10 * (podsPerService() - 1));
    }
  });

  it('names the route in the access log', async () => {
    await api.request('/patterns/chunks');
    await waitUntil('the log line', () => api.output().includes('"route":"/v1/patterns/chunks"'));
  });

  it('are those of the newest run, and each company has its own', async () => {
    const [tenantA, tenantB] = [await api.addTenant(), await api.addTenant()];
    const codes = async (tenant: typeof tenantA) => {
      const { body } = await api.request('/patterns', { headers: bearer(tenant) });
      return (body.data as { code: string }[]).map(({ code }) => code);
    };
    await api.plantSnapshot(tenantA.companyId, 'patterns', [patternRecord({ code: 'TA-1' })]);
    for (let asked = 0; asked < 5; asked += 1) expect(await codes(tenantA)).toEqual(['TA-1']);
    expect(await codes(tenantB)).toEqual([]);
    await api.database.query(
      `UPDATE snapshots SET body = replace(body, 'TA-1', 'TA-2'), etag = 'another' WHERE company_id = $1`,
      [tenantA.companyId],
    );
    await waitUntil('the newer document', async () => (await codes(tenantA))[0] === 'TA-2');
    await api.database.query('DELETE FROM snapshots WHERE company_id = $1', [tenantA.companyId]);
    await waitUntil('no document', async () => (await codes(tenantA)).length === 0);
    expect(await codes(tenantB)).toEqual([]);
  });
});
