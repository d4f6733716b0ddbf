import fc from 'fast-check';
import { driftOf } from '../../test/planted-drift';
import { arrayChunks } from './json-stream';
import { PreSerialised, servedFrame } from './pre-serialised';

describe('JSON that is ready to be sent', () => {
  it('is the same in bytes, whatever its letters are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { json, bytes } = PreSerialised.from(value);
        expect(json).toBe(JSON.stringify(value));
        expect(Buffer.from(bytes, 'latin1')).toEqual(Buffer.from(json, 'utf8'));
      }),
      { seed: 8, numRuns: 100 },
    );
    // Encoded once, however often it is sent.
    const umlauts = PreSerialised.from('Größe');
    expect(umlauts.bytes).toBe(umlauts.bytes);
    expect(umlauts.bytes).toHaveLength(Buffer.byteLength('"Größe"'));
  });

  it('has an ETag that changes exactly when it does', () => {
    const [one, same, other] = [{ a: 1 }, { a: 1 }, { a: 2 }].map((value) => PreSerialised.from(value).etag);
    expect([one === same, one === other]).toEqual([true, false]);
    expect(one).toMatch(/^[\w-]{22}$/);
    expect(PreSerialised.of({ body: '[]', etag: 'stored', frame: null, lastRunFailed: false })).toMatchObject(
      {
        json: '[]',
        etag: 'stored',
      },
    );
  });

  it.each([
    [
      JSON.stringify({ ...driftOf([]), analysed_at: '2026-01-31T02:00:00.000Z' }),
      '"2026-01-31T02:00:00.000Z"',
    ],
    [null, 'null'],
  ])('stands beside what is said of its run: %s', (text, analysedAt) => {
    const now = new Date('2026-02-01T06:00:00Z');
    expect(servedFrame({ frame: text, lastRunFailed: false }).at(now).fields).toContain(
      `"analysed_at":${analysedAt}`,
    );
  });
});

describe('JSON that is made while it is sent', () => {
  it('is the array of all elements, over pages of any length', async () => {
    async function* later(pages: readonly unknown[][]) {
      for (const page of pages) yield await Promise.resolve(page);
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { minLength: 1 }),
        fc.array(fc.array(fc.jsonValue())),
        async (first, pages) => {
          let json = '';
          for await (const chunk of arrayChunks(first, later(pages))) json += chunk;
          expect(json).toBe(JSON.stringify([...first, ...pages.flat()]));
        },
      ),
      { seed: 8, numRuns: 50 },
    );
  });
});
