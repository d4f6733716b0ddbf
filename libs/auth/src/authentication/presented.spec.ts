import { presentedActor } from './presented-actor';
import { presentedToken } from './presented-token';

const ip = '192.0.2.1';

describe('the presented token', () => {
  it.each([
    [{ authorization: 'Bearer abc' }, 'abc'],
    [{ authorization: 'bearer   abc ' }, 'abc'],
    [{ apiKey: 'abc' }, 'abc'],
    [{ authorization: 'Bearer abc', apiKey: 'abc' }, 'abc'],
    [{ authorization: '', apiKey: 'abc' }, 'abc'],
    [{ authorization: 'Bearer', apiKey: 'abc' }, 'abc'],
    [{ authorization: ' Bearer abc' }, 'abc'],
    [{ authorization: 'Bearer abc ' }, 'abc'],
    [{ authorization: 'Bearer !' }, '!'],
    [{ authorization: 'Bearer a b' }, 'a b'],
    [{ authorization: 'Bearer ab\u00e9' }, 'ab\u00e9'],
  ])('of %j is %s', (presented, token) => expect(presentedToken({ ...presented, ip })).toBe(token));

  it.each([
    [{}, 'missing_token'],
    [{ authorization: '' }, 'missing_token'],
    [{ authorization: '   ' }, 'missing_token'],
    [{ authorization: 'Bearer' }, 'missing_token'],
    [{ authorization: 'Bearer   ' }, 'missing_token'],
    [{ authorization: 'Basic YTpi' }, 'invalid_token'],
    [{ authorization: 'xBearer abc' }, 'invalid_token'],
    [{ authorization: 'abc' }, 'invalid_token'],
    [{ authorization: 'Bearer abc', apiKey: 'abd' }, 'CONFLICTING_CREDENTIALS'],
  ])('of %j is refused with %s', (presented, code) =>
    expect(() => presentedToken({ ...presented, ip })).toThrow(expect.objectContaining({ code })),
  );
});

describe('the presented actor', () => {
  const keyId = 'abcdefghijklmnop';

  it.each([
    [{}, { type: 'api_key', id: keyId }],
    [
      { actorType: 'agent', actorId: 'sdr-7' },
      { type: 'agent', id: 'sdr-7' },
    ],
    [{ actorType: 'user' }, { type: 'user', id: keyId }],
    [
      { actorType: 'service', actorId: 'x'.repeat(128) },
      { type: 'service', id: 'x'.repeat(128) },
    ],
  ])('of %j is %j', (presented, actor) => expect(presentedActor(presented, keyId)).toEqual(actor));

  it.each([
    { actorType: 'api_key', actorId: 'another-key' },
    { actorType: 'robot', actorId: 'x' },
    { actorType: '', actorId: 'x' },
    { actorType: 'agent', actorId: '' },
    { actorType: 'agent', actorId: 'x'.repeat(129) },
    { actorType: 'agent', actorId: 'two words' },
    { actorType: 'agent', actorId: 'caf\u00e9' },
    { actorType: 'agent', actorId: 'x ' },
    { actorType: 'agent', actorId: ' x' },
    { actorId: 'an id without a type' },
  ])('of %j is refused', (presented) =>
    expect(() => presentedActor(presented, keyId)).toThrow(
      expect.objectContaining({ code: 'INVALID_ACTOR' }),
    ),
  );
});
