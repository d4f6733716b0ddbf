import { checkMetadata } from './metadata-faults';

/** Lists or objects in one another, so many deep. */
const lists = (depth: number): unknown[] => (depth === 1 ? [] : [lists(depth - 1)]);
const objects = (depth: number): object => (depth === 1 ? {} : { a: objects(depth - 1) });

const verdict = (metadata: object, isClean = false) => {
  const result = checkMetadata(metadata, isClean);
  return 'json' in result ? result.json : `${result.fault.field} ${result.fault.code}`;
};

describe('the metadata of an event', () => {
  it('are stored as compact JSON', () => {
    const metadata = { a: [1, -0.5, 'x', null, true, {}, []], b: { c: 'é "q" \\' } };
    expect(verdict(metadata)).toBe(String.raw`{"a":[1,-0.5,"x",null,true,{},[]],"b":{"c":"é \"q\" \\"}}`);
    expect(verdict({})).toBe('{}');
  });

  it.each([
    ['objects', objects(8), objects(9)],
    ['lists in an object', { a: lists(7) }, { a: lists(8) }],
    ['objects in lists', { a: [[objects(5)]] }, { a: [[objects(6)]] }],
    ['the last of a list', { a: [1, [], lists(6)] }, { a: [1, [], lists(7)] }],
    ['the last member', { a: 1, b: objects(7) }, { a: 1, b: objects(8) }],
    // Each of many neighbours begins anew.
    [
      'neighbours',
      { a: new Array(100).fill(lists(6)) },
      { a: [...new Array<object>(100).fill({}), lists(7)] },
    ],
  ])('nest eight deep, themselves included, and not nine: %s', (_, eight, nine) => {
    expect(verdict(eight)).toBe(JSON.stringify(eight));
    expect(verdict(nine)).toBe('metadata METADATA_TOO_DEEP');
  });

  it.each([
    ['a text', { a: 'x\0' }, 'INVALID_CHARACTER'],
    ['a key', { 'x\0': 1 }, 'INVALID_CHARACTER'],
    ['a text in a list', { a: ['x', ['x\ud800']] }, 'INVALID_CHARACTER'],
    ['a key in a list', { a: [{}, { 'x\udc00': [] }] }, 'INVALID_CHARACTER'],
    ['a number', { a: Infinity }, 'OUT_OF_RANGE'],
    ['a number in a list', { a: [1, [-Infinity]] }, 'OUT_OF_RANGE'],
    ['a key of a prototype', JSON.parse('{"a":{"b":1,"__proto__":1}}') as object, 'FORBIDDEN_KEY'],
  ])('are searched for %s that cannot be stored, behind what can', (_, metadata, code) => {
    expect(verdict(metadata)).toBe(`metadata ${code}`);
    expect(verdict({ before: 1, ...metadata })).toBe(`metadata ${code}`);
    expect(verdict({ ...metadata, behind: 1 })).toBe(`metadata ${code}`);
  });

  it('are not searched for characters that the body cannot hold, but for all else', () => {
    expect(verdict({ a: ['x\0'], 'y\0': {} }, true)).toBe(String.raw`{"a":["x\u0000"],"y\u0000":{}}`);
    expect(verdict({ a: Infinity }, true)).toBe('metadata OUT_OF_RANGE');
    expect(verdict({ a: [lists(7)] }, true)).toBe('metadata METADATA_TOO_DEEP');
  });

  it('take 2,048 bytes at most, and are told so', () => {
    const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    expect(verdict(ofBytes(2_048))).toHaveLength(2_048);
    expect(checkMetadata(ofBytes(2_049), true)).toEqual({
      fault: {
        field: 'metadata',
        code: 'METADATA_TOO_LARGE',
        message: 'Send at most 2048 bytes, measured as compact JSON in UTF-8.',
      },
    });
    expect(verdict({ a: '私'.repeat(680) })).toHaveLength(688);
    expect(verdict({ a: '私'.repeat(681) })).toBe('metadata METADATA_TOO_LARGE');
  });
});
