import { isNotModified } from './not-modified';

describe('an answer that the caller has already', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['W/"a"', true],
    // The weak comparison: strong or weak makes no difference.
    ['"a"', true],
    ['"b", W/"a"', true],
    ['"b"', false],
    ['a', false],
    ['*', true],
  ])('If-None-Match: %s -> %s', (sent, known) => {
    expect(isNotModified(sent, 'W/"a"')).toBe(known);
  });
});
