import { PATTERN_CODES } from './catalogue';
import { PATTERN_DESCRIPTIONS, patternTextOf } from './descriptions';

const TAG = /<\/?([a-z]+)([^>]*)>/g;

describe('descriptions of patterns', () => {
  it('exist for exactly the 51 codes of the catalogue, in its order', () => {
    expect(Object.keys(PATTERN_DESCRIPTIONS)).toEqual(PATTERN_CODES);
    expect(PATTERN_CODES).toHaveLength(51);
  });

  it('have no code without a text, and no text twice', () => {
    const paragraphs = PATTERN_CODES.flatMap((code) => patternTextOf(code).description.join('|'));
    expect(new Set(paragraphs).size).toBe(51);
    expect(() => patternTextOf('XX-1')).toThrow(RangeError);
  });

  it.each(PATTERN_CODES)(
    '%s: two paragraphs and both pieces of advice, with balanced plain markup',
    (code) => {
      const { description, more, less, note } = patternTextOf(code);
      expect(description).toHaveLength(2);
      for (const text of [...description, more, less, ...(note === undefined ? [] : [note])]) {
        expect(text.trim()).toBe(text);
        expect(text.length).toBeGreaterThan(20);
        const open: string[] = [];
        for (const [tag, name, attributes] of text.matchAll(TAG)) {
          expect(['b', 'em', 'strong', 'code']).toContain(name);
          expect(attributes).toBe('');
          if (tag.startsWith('</')) expect(open.pop()).toBe(name);
          else open.push(name ?? '');
        }
        expect(open).toEqual([]);
        expect(text.replaceAll(TAG, '')).not.toMatch(/[<>&]/);
      }
      expect(PATTERN_DESCRIPTIONS[code]?.note).toBe(note);
    },
  );
});
