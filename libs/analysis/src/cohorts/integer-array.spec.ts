import { IntegerArray } from './integer-array';

describe('arrays of counts', () => {
  const parse = (text: string) => Array.from(new IntegerArray().parse(text));

  it('are read from the text that Postgres sends', () => {
    expect(parse('{}')).toEqual([]);
    expect(parse('{7}')).toEqual([7]);
    expect(parse('{3,0,12,2147483647}')).toEqual([3, 0, 12, 2_147_483_647]);
  });

  it('may be of any length, one after the other', () => {
    const array = new IntegerArray();
    const long = Array.from({ length: 1_000 }, (_, index) => index * 7);
    expect(Array.from(array.parse(`{${long.join(',')}}`))).toEqual(long);
    expect(Array.from(array.parse('{1,2}'))).toEqual([1, 2]);
  });
});
