import fc from 'fast-check';
import { parseJson } from './parse-json';

describe('parseJson', () => {
  it.each([
    String.raw`{"a":1,"\\":1}`,
    String.raw`{"x\\":1}`,
    String.raw`{"x\u005c" : 1}`,
    String.raw`{"x\u005C"
      :1}`,
    String.raw`{"x\\\\\\":1}`,
    String.raw`{"x":{"y\\":1}}`,
  ])('refuses a key that ends in a backslash: %s', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it.each([
    String.raw`{"a":"x\\"}`,
    String.raw`{"a":"he said \\\": b"}`,
    String.raw`{"a":"\\\\\": b"}`,
    String.raw`{"a":["x\\","y\u005c"],"b":1}`,
    String.raw`{"\\x":1,"a\"":2}`,
    String.raw`{"gr\u00f6\u00dfe":1}`,
  ])('takes what only looks like one: %s', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text, (_, value: unknown) => value));
  });

  it('reads what JSON.parse reads, keys that end in a backslash excepted', () => {
    const trouble = fc.string({ unit: fc.constantFrom('\\', '"', ':', 'u', '0', '5', 'c', 'A', ' ') });
    fc.assert(
      fc.property(fc.dictionary(trouble, trouble, { maxKeys: 4 }), (value) => {
        const text = JSON.stringify(value);
        if (Object.keys(value).some((key) => key.endsWith('\\'))) expect(() => parseJson(text)).toThrow();
        else expect(parseJson(text)).toEqual(value);
      }),
      { seed: 1, numRuns: 5_000 },
    );
  });

  it('keeps one text from changing what is read of the next', () => {
    expect(() => parseJson(String.raw`{"first":1,"\\":1}`)).toThrow();
    expect(parseJson(String.raw`{"first":1,"\u0041":1}`)).toEqual({ first: 1, A: 1 });
  });

  it.each([String.raw`\\`, String.raw`\"`, String.raw`\\\":`, String.raw`\u0041`])(
    'judges alike behind eight megabytes of %s',
    (piece) => {
      const long = `{"long":"${piece.repeat((8 * 2 ** 20) / piece.length)}",`;
      expect(parseJson(`${long}"b":1}`)).toHaveProperty('b', 1);
      expect(parseJson(`${long}"b\\"":"\\\\"}`)).toHaveProperty(['b"'], '\\');
      expect(() => parseJson(`${long}"b\\\\":1}`)).toThrow('backslash');
      expect(() => parseJson(`${long}"b\\u005c" :1}`)).toThrow('backslash');
    },
  );
});
