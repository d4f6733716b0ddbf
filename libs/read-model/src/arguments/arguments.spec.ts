import { decodeCursor, encodeCursor } from './cursor';
import { boundedInteger, identifier, instant } from './query-bounds';

const refusal = (parameter: string) =>
  expect.objectContaining({ code: 'INVALID_PARAMETER', fields: { parameter } });

describe('cursor', () => {
  it('brings its mark back', () => {
    expect(decodeCursor('audit', encodeCursor('audit', 'mark-ü'))).toBe('mark-ü');
    expect(decodeCursor('audit', undefined)).toBeUndefined();
  });

  it.each([
    ['another list', encodeCursor('campaigns', 'x')],
    ['no base64', '%%%'],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['another shape', Buffer.from('{"0":"audit"}').toString('base64url')],
    ['a mark that is no text', Buffer.from('["audit",5]').toString('base64url')],
    ['too long', encodeCursor('audit', 'x'.repeat(600))],
  ])('refuses a cursor of %s', (_case, cursor) => {
    expect(() => decodeCursor('audit', cursor)).toThrow(refusal('cursor'));
  });
});

describe('query bounds', () => {
  const bounds = { min: 1, max: 100, fallback: 10 };

  it('takes whole numbers within the bounds, and the default where none is given', () => {
    expect(boundedInteger('top_n', undefined, bounds)).toBe(10);
    expect(boundedInteger('top_n', 1, bounds)).toBe(1);
    expect(boundedInteger('top_n', 100, bounds)).toBe(100);
  });

  it.each([0, 101, 1.5, Number.NaN, -1])('refuses %d and names the bounds', (value) => {
    expect(() => boundedInteger('top_n', value, bounds)).toThrow(refusal('top_n'));
    expect(() => boundedInteger('top_n', value, bounds)).toThrow('from 1 to 100');
  });

  it('takes times with an offset only', () => {
    expect(instant('since', '2026-01-31T12:00:00+02:00')?.toISOString()).toBe('2026-01-31T10:00:00.000Z');
    for (const bad of ['2026-01-31', '2026-01-31T12:00:00', '2026-13-01T00:00:00Z', 'now', '']) {
      expect(() => instant('since', bad)).toThrow(refusal('since'));
    }
  });

  it('counts identifiers in characters and refuses what cannot have been stored', () => {
    expect(identifier('contact_id', '😀'.repeat(256))).toHaveLength(512);
    for (const bad of ['', 'x'.repeat(257), 'a\0b']) {
      expect(() => identifier('contact_id', bad)).toThrow(refusal('contact_id'));
    }
  });
});
