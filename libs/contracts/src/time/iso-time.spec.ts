import fc from 'fast-check';
import { DAY_MS, parseIsoTime } from './iso-time';

const two = (value: number) => String(value).padStart(2, '0');
const upTo = (max: number) => fc.integer({ min: 0, max });

describe('a time as it is written', () => {
  it('is the moment that Date takes it for, whatever the year', () => {
    const moment = fc.integer({ min: Date.parse('0000-01-01'), max: Date.parse('9999-12-31') });
    fc.assert(
      fc.property(moment, (epochMs) => {
        const text = new Date(epochMs).toISOString();
        const writtenDay = Math.floor(epochMs / DAY_MS);
        const year = Number(text.slice(0, 4));
        expect(parseIsoTime(text)).toEqual({ epochMs, offsetMinutes: null, hasTime: true, writtenDay, year });
        expect(parseIsoTime(text.slice(0, 10))).toEqual({
          ...{ epochMs: writtenDay * DAY_MS, offsetMinutes: null, hasTime: false, writtenDay, year },
        });
      }),
      { seed: 3, numRuns: 5_000 },
    );
  });

  it('exists in the calendar or is none', () => {
    const date = fc.tuple(fc.integer({ min: 1890, max: 2110 }), upTo(13), upTo(32));
    fc.assert(
      fc.property(date, ([year, month, day]) => {
        const text = `${year}-${two(month)}-${two(day)}`;
        // Date takes the 31st of June for the first of July.
        const exists = !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
        expect(parseIsoTime(text) !== undefined).toBe(exists);
      }),
      { seed: 4, numRuns: 5_000 },
    );
  });

  it('has an offset of whole minutes and a fraction that is cut after milliseconds', () => {
    const offset = fc.tuple(fc.constantFrom('+', '-'), upTo(13), upTo(59));
    fc.assert(
      fc.property(
        upTo(DAY_MS - 1),
        offset,
        fc.stringMatching(/^\d{0,6}$/),
        (ofDay, [sign, hours, minutes], more) => {
          const written = new Date(ofDay).toISOString().slice(11, 23);
          const text = `2024-02-29T${written}${more}${sign}${two(hours)}:${two(minutes)}`;
          const time = parseIsoTime(text);
          expect(time?.epochMs).toBe(Date.parse(`2024-02-29T${written}${sign}${two(hours)}:${two(minutes)}`));
          const size = hours * 60 + minutes;
          expect(time?.offsetMinutes).toBe(sign === '-' && size > 0 ? -size : size);
        },
      ),
      { seed: 5, numRuns: 2_000 },
    );
  });

  it('has a digit in every place of one, and nothing behind', () => {
    for (const text of ['2024-02-29T09:30:15.123+05:30', '2024-02-29T09:30Z', '2024-02-29']) {
      for (let at = 0; at < text.length; at += 1) {
        for (const odd of ['x', '/', ':', ' ', '٢', '\0']) {
          const changed = text.slice(0, at) + odd + text.slice(at + 1);
          if (changed !== text) expect(parseIsoTime(changed)).toBeUndefined();
        }
      }
      for (const more of [' ', '0', '\n', 'ZZ']) expect(parseIsoTime(text + more)).toBeUndefined();
    }
  });
});
