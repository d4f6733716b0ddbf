import { decodeCursor, encodeCursor } from './cursor';

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
