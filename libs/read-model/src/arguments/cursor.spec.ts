import { decodeCursor, decodeIdCursor, encodeCursor } from './cursor';

const refusal = (parameter: string) =>
  expect.objectContaining({
    code: 'INVALID_PARAMETER',
    fields: { parameter },
    message: expect.stringContaining('next_cursor of the page before') as string,
  });
/** As long as an argument may be: 4,096 characters of base64 are 3,072 bytes, of which brackets, quotes and the list take twelve. */
const LONGEST = 'x'.repeat(3_060);

describe('cursor', () => {
  it('brings its mark back', () => {
    expect(decodeCursor('audit', encodeCursor('audit', 'mark-ü'))).toBe('mark-ü');
    expect(decodeCursor('audit', undefined)).toBeUndefined();
    expect(encodeCursor('audit', LONGEST)).toHaveLength(4_096);
    expect(decodeCursor('audit', encodeCursor('audit', LONGEST))).toBe(LONGEST);
  });

  it.each([
    ['another list', encodeCursor('campaigns', 'x')],
    ['no base64', '%%%'],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['another shape', Buffer.from('{"0":"audit"}').toString('base64url')],
    ['a mark that is no text', Buffer.from('["audit",5]').toString('base64url')],
    ['two marks', Buffer.from('["audit","x","y"]').toString('base64url')],
    ['too long', encodeCursor('audit', `${LONGEST}x`)],
  ])('refuses a cursor of %s', (_case, cursor) => {
    expect(() => decodeCursor('audit', cursor)).toThrow(refusal('cursor'));
  });

  it('is the id of a row, where marks are ids', () => {
    const id = '01234567-89ab-cdef-0123-456789abcdef';
    expect(decodeIdCursor('audit', encodeCursor('audit', id))).toBe(id);
    expect(decodeIdCursor('audit', undefined)).toBeUndefined();
    for (const mark of ['', `${id}0`, `0${id}`, id.toUpperCase(), 'x'.repeat(36)])
      expect(() => decodeIdCursor('audit', encodeCursor('audit', mark))).toThrow(refusal('cursor'));
  });
});
