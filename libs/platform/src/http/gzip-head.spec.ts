import { gunzipSync } from 'node:zlib';
import { gzipHead, gzipWith } from './gzip-head';

describe('a gzip file with an end of its own', () => {
  it.each([
    ['nothing', ''],
    ['a little', '{"a":'],
    ['much', JSON.stringify(Array.from({ length: 20_000 }, (_, n) => `row ${n % 97} é€😀`))],
  ])('holds %s and then what it ends with, whatever that is', async (_what, text) => {
    const head = await gzipHead(Buffer.from(text));
    for (const end of ['', ',"timestamp":"2026-06-01T02:00:00.000Z"}', '}', 'x'.repeat(65_535)]) {
      // gunzip holds length and CRC against what it read. Mutation: those of the head alone.
      expect(gunzipSync(gzipWith(head, end)).toString()).toBe(text + end);
    }
  });

  it('takes no longer end than a stored block holds', async () => {
    const head = await gzipHead(Buffer.from('x'));
    expect(() => gzipWith(head, 'x'.repeat(65_536))).toThrow(RangeError);
  });
});
