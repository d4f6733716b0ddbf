import fc from 'fast-check';
import { canonicalJson } from '@outcomes/audit';
import { quotedJson } from './quoted-json.format';

const LIKELY = [
  'plain',
  'a "quoted" word',
  'a \\ backslash',
  'two\nlines',
  '\u007f\u0001',
  'é',
  '\u2028',
  '\ud800',
];

describe('JSON as a JSON text', () => {
  it('is what JSON.stringify makes of it, whatever stands in it', () => {
    const texts = fc.oneof(fc.constantFrom(...LIKELY), fc.string({ unit: 'binary' }), fc.string());
    fc.assert(
      fc.property(fc.array(texts), (lines) => {
        const json = canonicalJson({ lines });
        expect(quotedJson(json)).toBe(JSON.stringify(json));
      }),
      { examples: LIKELY.map((text) => [[text]]) },
    );
  });

  it.each([65_535, 65_536, 65_537, 300_000])('of %i characters, too', (length) => {
    const json = JSON.stringify('"'.repeat(length / 2 - 1)).padEnd(length);
    expect(quotedJson(json)).toBe(JSON.stringify(json));
  });
});
