import { acceptedCoding } from './accepted-coding';

describe('the coding of an answer', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, br', 'br'],
    ['gzip;q=1.0, br;q=0.9', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0.1, br;q=0', 'gzip'],
    ['identity', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip;q=nonsense', undefined],
    ['deflate, zstd', undefined],
  ])('Accept-Encoding: %s -> %s', (header, coding) => {
    expect(acceptedCoding(header, ['br', 'gzip'])).toBe(coding);
  });
});
