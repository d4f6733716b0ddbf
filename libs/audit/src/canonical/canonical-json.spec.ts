import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalJson, KnownShapes, sha256OfJson } from './canonical-json';

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, shuffled(inner)]),
  );
};

describe('canonical JSON', () => {
  it('is what RFC 8785 section 3.2.4 prints', () => {
    // The document of section 3.2.2, as its text has it.
    const value: unknown = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
        "string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    );
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts keys by UTF-16 code units (RFC 8785 section 3.2.3)', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const value = Object.fromEntries(keys.map((key) => [key, 1]));
    expect(Object.keys(JSON.parse(canonicalJson(value)) as object)).toEqual([
      '1',
      '\r',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\ud83d\ude00',
      '\ufb33',
    ]);
  });

  // Mutation: JSON.stringify hashes the same arguments differently when their keys come in another order.
  it('does not depend on the order of keys, and is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        return text === canonicalJson(shuffled(value)) && text === canonicalJson(JSON.parse(text));
      }),
    );
  });

  it('is what an implementation of RFC 8785 writes', () => {
    const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"', '\\', '\u0001', '1', '10', 'é'),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        ...[fc.constantFrom(null, true, false), number, text],
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(text, tie('value'), { maxKeys: 6 }),
      ),
    }));
    fc.assert(
      fc.property(value, (json) => expect(canonicalJson(json)).toBe(canonicalize(json))),
      { seed: 8785, numRuns: 2_000 },
    );
  });

  it('writes what JSON has no form of as JSON.stringify does', () => {
    const value = { a: undefined, b: [undefined, NaN, -0], c: new Date(0), d: () => 1, e: {}, f: '\ud800' };
    expect(canonicalJson(value)).toBe(JSON.stringify(value));
    expect(canonicalJson({ a: undefined })).toBe('{}');
  });

  it('is the same whatever was written before it, also by shapes that are remembered or not any more', () => {
    const shapes = new KnownShapes();
    const values = Array.from({ length: 3_000 }, (_, at) => ({
      [`k${at % 60}`]: { z: at, [`a${at}`]: 1, b: [{ y: 1, [`x${at % 30}`]: 2 }] },
    }));
    for (const value of [...values, ...values])
      expect(canonicalJson(value, shapes)).toBe(canonicalJson(value));
  });

  it('hashes to the SHA-256 of its UTF-8', () => {
    expect(sha256OfJson({})).toEqual(createHash('sha256').update('{}').digest());
    expect(sha256OfJson({ b: 'ü', a: 1 })).toEqual(createHash('sha256').update('{"a":1,"b":"ü"}').digest());
  });

  it.each([undefined, JSON.parse('"\\ud800"'), JSON.parse('{"\\udc00":[1]}'), JSON.parse('"\\u0000"')])(
    'has a hash for everything that a caller can send (%j)',
    (value) => expect(sha256OfJson(value)).toHaveLength(32),
  );
});
