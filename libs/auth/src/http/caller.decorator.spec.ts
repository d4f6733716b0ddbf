import type { Exchange } from '@outcomes/platform';
import { callerOf, deedOf } from './caller.decorator';

const exchange = (caller?: object) => ({ caller, requestId: 'request-1' }) as unknown as Exchange;
const acting = (type: string, id: string) => exchange({ keyId: 'key-1', actor: { type, id } });

describe('the caller of a handler', () => {
  it('is who was let in', () => {
    const caller = { keyId: 'key-1' };
    expect(callerOf(exchange(caller))).toBe(caller);
  });

  // Mutation: without the check a handler runs for nobody.
  it.each([callerOf, deedOf])('is required', (of) => {
    expect(() => of(exchange())).toThrow(expect.objectContaining({ code: 'missing_token', status: 401 }));
  });

  it('is recorded by its key, and with whom it says it acts for', () => {
    const recorded = { by: { type: 'api_key', id: 'key-1' }, requestId: 'request-1' };
    expect(deedOf(acting('api_key', 'key-1'))).toEqual(recorded);
    expect(deedOf(acting('agent', 'sdr-7'))).toEqual({ ...recorded, onBehalfOf: 'agent:sdr-7' });
  });
});
