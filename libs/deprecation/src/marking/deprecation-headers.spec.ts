import { SAMPLE } from '../../test/sample';
import { deprecationHeaders } from './deprecation-headers';

describe('the headers of a deprecated operation', () => {
  const { Deprecation, Sunset, Link } = deprecationHeaders(SAMPLE);

  it('say when it was announced, as a date of RFC 9651', () => {
    const [, seconds] = /^@(-?\d{1,15})$/.exec(Deprecation) ?? [];
    expect(new Date(Number(seconds) * 1_000).toISOString()).toBe('2027-01-10T00:00:00.000Z');
  });

  it('say when it ends, as an IMF-fixdate of RFC 9110', () => {
    expect(Sunset).toMatch(/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/);
    expect(new Date(Sunset).toISOString()).toBe('2027-05-01T00:00:00.000Z');
  });

  it('say where to read more, as a link of RFC 8288', () => {
    const [, target, parameters] = /^<([^<>\s]+)>((?:; [a-z]+="[^"]*")+)$/.exec(Link) ?? [];
    expect(target).toBe(SAMPLE.documentation);
    expect(parameters).toContain('rel="deprecation"');
  });
});
