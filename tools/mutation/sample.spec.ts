import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { interval, isDrawn, type DrawnMutant } from './sample.ts';

const mutants = Array.from({ length: 10_000 }, (_nothing, n): DrawnMutant => ({
  file: `src/file-${n % 40}.ts`,
  line: 1 + (n % 300),
  column: 1 + (n % 70),
  mutatorName: 'BooleanLiteral',
  replacement: n % 2 === 0 ? 'true' : 'false',
}));
const drawn = (share: number, seed: string) => mutants.filter((mutant) => isDrawn(mutant, share, seed));

describe('a sample of mutants', () => {
  it('has the share that was asked for, whatever the file and the place', () => {
    for (const share of [0.05, 0.5]) {
      const count = drawn(share, '1').length;
      const deviation = Math.sqrt(mutants.length * share * (1 - share));
      assert.ok(Math.abs(count - share * mutants.length) < 5 * deviation, `${count} of ${share}`);
    }
    assert.equal(drawn(1, '1').length, mutants.length);
    const inOneFile = drawn(0.5, '1').filter(({ file }) => file === 'src/file-7.ts').length;
    assert.ok(inOneFile > 80 && inOneFile < 170, `${inOneFile} of 250`);
  });

  it('is the same with the same seed, and another with another', () => {
    assert.deepEqual(drawn(0.1, '1'), drawn(0.1, '1'));
    const both = drawn(0.1, '1').filter((mutant) => isDrawn(mutant, 0.1, '2')).length;
    assert.ok(both > 0 && both < 300, `${both} of about 100`);
  });
});

describe("Wilson's interval", () => {
  // Values of R's prop.test(90, 100, correct = FALSE) and prop.test(0, 10, correct = FALSE).
  it('is that of other programs', () => {
    const { low, high } = interval(90, 100);
    assert.deepEqual([low.toFixed(4), high.toFixed(4)], ['0.8256', '0.9448']);
    assert.equal(interval(0, 10).low, 0);
    assert.equal(interval(0, 10).high.toFixed(4), '0.2775');
  });

  it('knows nothing of nothing', () => assert.deepEqual(interval(0, 0), { low: 0, high: 1 }));
});
