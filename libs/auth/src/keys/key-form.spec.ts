import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { KEY_ID, KeyForm } from './key-form';

const form = new KeyForm('svc');

describe('the form of a key', () => {
  it('is svc_, 48 base62 characters, and the CRC32 of all before in lower-case hex', () => {
    const { apiKey, keyId, secret } = form.generate();
    expect(apiKey).toMatch(/^svc_[0-9A-Za-z]{48}_[0-9a-f]{8}$/);
    expect(apiKey).toBe(
      `svc_${keyId}${secret}_${crc32(`svc_${keyId}${secret}`).toString(16).padStart(8, '0')}`,
    );
    expect(keyId).toMatch(KEY_ID);
    expect(form.parse(apiKey)).toEqual({ keyId, secret });
  });

  it('keeps leading zeros of the checksum', () => {
    const keys = Array.from({ length: 3_000 }, () => form.generate().apiKey);
    expect(keys.some((key) => key.at(-8) === '0')).toBe(true);
    expect(keys.filter((key) => form.parse(key) === undefined)).toEqual([]);
  });

  // Mutation: a parser that ignores the checksum accepts 61 of 62 of these.
  it('refuses every change of a single character', () => {
    const { apiKey } = form.generate();
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: apiKey.length - 1 }),
        fc.constantFrom(...'0123456789abcdefABCDEFxyzXYZ_-é '),
        (at, character) => {
          fc.pre(apiKey[at] !== character);
          return form.parse(apiKey.slice(0, at) + character + apiKey.slice(at + 1)) === undefined;
        },
      ),
    );
  });

  it.each([
    '',
    'svc_',
    'svc_short_00000000',
    `SVC_${'a'.repeat(48)}_00000000`,
    `svc_${'a'.repeat(48)}_ABCDEF01`,
  ])('refuses %j', (token) => expect(form.parse(token)).toBeUndefined());

  it('never throws, whatever is presented', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (token) => form.parse(token) === undefined));
    fc.assert(fc.property(fc.string(), (rest) => form.parse(`svc_${rest}`) === undefined));
  });

  it('is claimed by how a token begins, whatever follows', () => {
    expect(['svc_', 'svc_x', 'xsvc_', 'svc', 'SVC_x', ''].map((token) => form.claims(token))).toEqual([
      ...[true, true, false, false, false, false],
    ]);
    const { keyId, apiKey } = form.generate();
    expect([apiKey, `svc_${keyId}`, 'svc_short'].map((token) => form.claimedKeyId(token))).toEqual([
      ...[keyId, keyId, 'short'],
    ]);
  });

  it('has an id of 16 letters and digits, and nothing around them', () => {
    expect(KEY_ID.test('azAZ09azAZ09azAZ')).toBe(true);
    const others = ['0'.repeat(15), '0'.repeat(17), `-${'0'.repeat(15)}`, `${'0'.repeat(16)}\n`, ''];
    expect(others.filter((text) => KEY_ID.test(text))).toEqual([]);
  });

  it('is of the product whose prefix it has', () => {
    const other = new KeyForm('acme');
    expect(other.parse(other.generate().apiKey)).toBeDefined();
    expect(other.parse(form.generate().apiKey)).toBeUndefined();
    expect(form.parse(`x${form.generate().apiKey}`)).toBeUndefined();
  });

  it('refuses a key with a line break behind it', () => {
    expect(form.parse(`${form.generate().apiKey}\n`)).toBeUndefined();
  });
});
