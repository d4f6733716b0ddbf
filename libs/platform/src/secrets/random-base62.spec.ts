import { randomBase62 } from './random-base62';

describe('random text of digits and letters', () => {
  it.each([0, 1, 22, 32])('is as long as asked for: %i', (length) => {
    expect(randomBase62(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`));
  });

  it('is another each time', () => {
    expect(randomBase62(22)).not.toBe(randomBase62(22));
  });

  // Mutation: randomBytes(1)[0] % 62 instead of randomInt(62) makes the first eight characters a quarter more frequent
  // than the others; the sum is about 470 then.
  it('draws all 62 characters equally often', () => {
    const counts = new Map<string, number>();
    for (const character of randomBase62(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - 1_000) ** 2 / 1_000, 0);
    // With 61 degrees of freedom, once in a billion runs by chance.
    expect(chiSquare).toBeLessThan(153);
  });
});
