import fc from 'fast-check';
import { canonicalJson } from '@outcomes/audit';
import { resultJson } from './tool-outcome.protocol';

const LIKELY = [
  'plain',
  'a "quoted" word',
  'a \\ backslash',
  'two\nlines',
  '\u007f\u0001',
  '\u2028',
  '\ud800',
];

describe('the result of a call', () => {
  it('has the document as text and as a value, whatever stands in it', () => {
    const summaries = fc.oneof(fc.constantFrom(...LIKELY), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(summaries, (summary) => {
        const json = canonicalJson({ summary, alerts: [] });
        expect(resultJson({ error: null, json })).toBe(
          `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}}`,
        );
      }),
      { examples: LIKELY.map((summary) => [summary]) },
    );
  });
});
