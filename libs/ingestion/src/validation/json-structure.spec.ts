import fc from 'fast-check';
import { EVENTS_STRUCTURE, keepsWithin, type StructureLimits } from './json-structure';
import { checkMetadata } from './metadata-faults';

const NO_LIMITS: StructureLimits = {
  depth: Infinity,
  members: Infinity,
  containers: Infinity,
  values: Infinity,
  digits: Infinity,
};
const NOTHING: StructureLimits = { depth: 0, members: 0, containers: 0, values: 0, digits: 0 };
const NAMES = Object.keys(NO_LIMITS) as (keyof StructureLimits)[];
const SMALL_BYTES = 512 * 1_024;
const FEW_BRACKETS = 4_096;
/** With it a body has too many brackets to pass without being counted. None of these counts: they are in a string. */
const BRACKETS = JSON.stringify('['.repeat(FEW_BRACKETS + 1));

const keeps = (text: string, limits: Partial<StructureLimits>) =>
  keepsWithin(Buffer.from(BRACKETS + text), { ...NO_LIMITS, ...limits });

/** What a JSON value holds, counted in the value, not in its text. */
function measured(value: unknown): StructureLimits {
  if (typeof value !== 'object' || value === null) {
    const digits = typeof value === 'number' ? JSON.stringify(value).replaceAll(/\D/g, '').length : 0;
    return { ...NOTHING, digits };
  }
  const parts = Object.values(value);
  const inside = parts.map(measured);
  const sum = (name: keyof StructureLimits) => inside.reduce((total, part) => total + part[name], 0);
  return {
    depth: 1 + Math.max(0, ...inside.map(({ depth }) => depth)),
    members: sum('members') + (Array.isArray(value) ? 0 : parts.length),
    containers: sum('containers') + 1,
    values: sum('values') + Math.max(0, parts.length - 1),
    digits: sum('digits'),
  };
}

/** Texts that hold what is counted outside of them. */
const texts = fc.string({ unit: fc.constantFrom(...'[]{}:,09"\\x') });
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    texts,
    fc.constantFrom(null, true),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(texts, tie('value'), { maxKeys: 6 }),
  ),
}));

describe('the structure of a JSON text', () => {
  it('is counted exactly: depth, members, containers, values and digits, outside of strings alone', () => {
    fc.assert(
      fc.property(values, (value) => {
        const text = JSON.stringify(value);
        const limits = measured(value);
        expect(keeps(text, limits)).toBe(true);
        const there = NAMES.filter((name) => limits[name] > 0);
        for (const name of there) expect(keeps(text, { [name]: limits[name] - 1 })).toBe(false);
      }),
      { seed: 31, numRuns: 300 },
    );
  });

  it.each([
    ['depth', '[{[', '{[{['],
    ['depth', '[[[]]][{[]}]', '[[[]]][[[[]]]]'],
    ['members', '{"a":1,"b":[{"c":1}]}', '{"a":1,"b":[{"c":1}],"d":1}'],
    ['containers', '[][]{}', '[][]{}{}'],
    ['values', '[1,2],[3,4', '[1,2],[3,4,'],
    ['digits', '[1,-0.9', '[1,-0.90'],
  ])('has three of %s in %s, and four in %s, whether it is JSON or not', (name, three, four) => {
    expect(keeps(three, { [name]: 3 })).toBe(true);
    expect(keeps(four, { [name]: 3 })).toBe(false);
  });

  it('counts each digit, and nothing beside them', () => {
    expect(keeps('0123456789', { digits: 10 })).toBe(true);
    expect(keeps('0123456789', { digits: 9 })).toBe(false);
    expect(keeps('/;-+.eE', NOTHING)).toBe(true);
  });

  it('is that behind a string, however the string ends', () => {
    // A string is searched byte by byte for 64 bytes, and by Node behind them.
    for (let length = 0; length <= 130; length += 1) {
      for (const end of ['', '\\', '\\\\', '"', '\\"', '"\\', '[', '"['.repeat(70), '\\'.repeat(70)]) {
        const text = JSON.stringify('x'.repeat(length) + end);
        expect(keeps(`${text}[`, { depth: 1 })).toBe(true);
        expect(keeps(`${text}[`, { depth: 0 })).toBe(false);
      }
    }
  });

  it.each(['"', '"[', '"\\', '"\\"[', `"${'x'.repeat(100)}[`, `"${'x'.repeat(100)}\\"[`])(
    'has nothing within %j, a string without an end',
    (text) => {
      expect(keeps(text, NOTHING)).toBe(true);
    },
  );

  it('need not be counted in half a mebibyte with few brackets, which parse in no time', () => {
    const body = (bytes: number, brackets: string) => Buffer.from(brackets.padEnd(bytes, ' '));
    const few = '[{'.repeat(FEW_BRACKETS / 2);
    expect(keepsWithin(body(SMALL_BYTES, few), NOTHING)).toBe(true);
    expect(keepsWithin(body(SMALL_BYTES + 1, few), NOTHING)).toBe(false);
    expect(keepsWithin(body(SMALL_BYTES, `${few}[`), NOTHING)).toBe(false);
    expect(keepsWithin(body(SMALL_BYTES, `${few}{`), NOTHING)).toBe(false);
    expect(keepsWithin(body(SMALL_BYTES, `${few}${']}'.repeat(9)}`), NOTHING)).toBe(true);
  });

  it.each([
    ['members', Object.fromEntries(Array.from({ length: 270 }, (_, n) => [n.toString(36), 1]))],
    ['containers', { a: new Array(670).fill([]) }],
    ['values', { a: new Array(1_010).fill(1) }],
    ['digits', { a: new Array(90).fill(12_345_678_901_234_567_000) }],
    ['depth', { a: [[[[[[[]]]]]]] }],
  ])('of 500 events keeps within its limits, with as many %s as metadata can have', (_, metadata) => {
    const others = Object.fromEntries(Array.from({ length: 19 }, (_, n) => [`field_${n}`, 1_000]));
    const body = Buffer.from(JSON.stringify({ events: new Array(500).fill({ ...others, metadata }) }));
    expect(checkMetadata(metadata, true)).toEqual({ json: JSON.stringify(metadata) });
    expect(keepsWithin(body, EVENTS_STRUCTURE)).toBe(true);
  });
});
