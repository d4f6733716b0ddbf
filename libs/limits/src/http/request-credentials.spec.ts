import type { Exchange } from '@outcomes/platform';
import { credentialsOf } from './request-credentials';

const headers = {
  authorization: 'Bearer one',
  'x-api-key': 'two',
  'x-tenant-id': 'tenant',
  'x-portal-id': 'portal',
  'x-actor-type': 'user',
  'x-actor-id': 'actor',
};
const exchangeOf = (given: object) => ({ request: { headers: given }, ip: '192.0.2.1' }) as Exchange;

describe('the credentials of a request', () => {
  // X-API-Key is of the read API alone; a call of MCP names its tenant in its arguments.
  it.each([
    ['read', { apiKey: 'two', tenantId: 'tenant' }],
    ['ingest', { apiKey: undefined, tenantId: 'tenant' }],
    ['protocol', { apiKey: undefined, tenantId: undefined }],
  ] as const)('are those that the surface %s takes', (surface, taken) => {
    const always = { authorization: 'Bearer one', ip: '192.0.2.1', portalId: 'portal' };
    expect(credentialsOf(exchangeOf(headers), surface)).toEqual({
      ...always,
      ...{ actorType: 'user', actorId: 'actor' },
      ...taken,
    });
  });

  it('are one value even where a field is given twice, which nobody takes for either', () => {
    const twice = exchangeOf({ 'x-api-key': ['one', 'two'] });
    expect(credentialsOf(twice, 'read').apiKey).toBe('one,two');
  });
});
