import { releaseBytes } from './release-bytes';

const canRelease = 'transfer' in ArrayBuffer.prototype;

describe('the memory of bytes', () => {
  it('is given back at once, and not when it is collected', () => {
    const before = process.memoryUsage().arrayBuffers;
    const bytes = Array.from({ length: 20 }, () => Buffer.from(new ArrayBuffer(2 ** 20)));
    bytes.forEach(releaseBytes);
    if (!canRelease) return expect(bytes[0]).toHaveLength(2 ** 20);
    expect(bytes.every(({ length }) => length === 0)).toBe(true);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * 2 ** 20);
  });

  it('may be given back twice', () => {
    const bytes = Buffer.from(new ArrayBuffer(2 ** 20));
    expect(() => [bytes, bytes].forEach(releaseBytes)).not.toThrow();
  });

  it('that others have a part in is left alone', () => {
    const memory = new ArrayBuffer(100);
    const [one, other] = [Buffer.from(memory, 0, 60), Buffer.from(memory, 60)];
    const pooled = Buffer.from('pooled');
    // Mutation: without the look at the size both are gone.
    [one, pooled].forEach(releaseBytes);
    expect([one.length, other.length, String(pooled)]).toEqual([60, 40, 'pooled']);
  });
});
