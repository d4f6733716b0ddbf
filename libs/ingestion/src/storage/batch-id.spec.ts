import { validate, version } from 'uuid';
import { newBatchId } from './batch-id';

describe('the id of a batch', () => {
  it('is a UUID of version 7 that begins with its time, and never the same twice', () => {
    const before = Date.now();
    // More than are drawn at once. Mutation: the bytes that were drawn are used again.
    const ids = Array.from({ length: 1_000 }, newBatchId);
    expect(new Set(ids.map((id) => id.slice(14))).size).toBe(ids.length);
    for (const id of ids) {
      expect(validate(id) && version(id)).toBe(7);
      const ms = Number.parseInt(id.slice(0, 13).replace('-', ''), 16);
      expect(ms).toBeGreaterThanOrEqual(before);
      expect(ms).toBeLessThanOrEqual(Date.now());
    }
  });
});
